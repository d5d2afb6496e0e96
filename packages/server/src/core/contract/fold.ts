/** Letters that Unicode decomposition does not change to plain ones. */
const letters: Readonly<Record<string, string>> = {
  ß: "ss",
  ø: "o",
  æ: "ae",
  œ: "oe",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ı: "i",
  ħ: "h",
  ŧ: "t",
  ŋ: "n",
  ĸ: "k",
};
const pattern = new RegExp(`[${Object.keys(letters).join("")}]`, "g");

/** In lower case and without accents, as English and German sort and search names: ł is an l, ø an o, đ a d. */
export function foldLetters(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(pattern, (letter) => letters[letter]!);
}

/** A code that people type, as it is compared: also without spaces around it. */
export const foldCode = (code: string): string => foldLetters(code.trim());
