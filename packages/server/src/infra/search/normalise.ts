/** Letters that no decomposition turns into plain ones. */
const folded: Readonly<Record<string, string>> = {
  ß: "ss",
  ø: "o",
  æ: "ae",
  œ: "oe",
  đ: "d",
  ð: "d",
  þ: "th",
  ł: "l",
  ı: "i",
};
const foldedPattern = new RegExp(`[${Object.keys(folded).join("")}]`, "g");

/** Longer words are cut: nobody types more. */
export const maxWordLength = 40;

/**
 * The words of `text` in plain lower case: accents gone, apostrophes closed up (`O'Brien` is one
 * word), everything but letters and digits a space.
 */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(foldedPattern, (letter) => folded[letter]!)
    .replace(/['’`´ʼ]/g, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  if (plain === "") return [];
  return plain.split(" ").map((word) => (word.length > maxWordLength ? word.slice(0, maxWordLength) : word));
}

export function hasDigit(word: string): boolean {
  return /\p{N}/u.test(word);
}

/**
 * Texts with digits are codes: people write plates and phone numbers with any separators, so a code
 * is all of its words in one. A text too long for that keeps its words with digits.
 */
export function codesOf(words: readonly string[]): string[] {
  const withDigits = words.filter(hasDigit);
  if (withDigits.length === 0) return [];
  const joined = words.join("");
  return joined.length <= maxWordLength ? [joined] : withDigits;
}
