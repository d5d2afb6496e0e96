import { foldLetters } from "#core/contract/fold.ts";

/** Longer words are truncated. */
export const maxWordLength = 40;

/**
 * The words of `text` in plain lower case: without accents and apostrophes (`O'Brien` is one word), and
 * split at everything but letters and digits.
 */
export function wordsOf(text: string): string[] {
  const plain = foldLetters(text)
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
 * Texts with digits are codes: plates and phone numbers are written with any separators, so a code joins
 * all of its words. In a text too long for that, each word with digits is a code.
 */
export function codesOf(words: readonly string[]): string[] {
  const withDigits = words.filter(hasDigit);
  if (withDigits.length === 0) return [];
  const joined = words.join("");
  return joined.length <= maxWordLength ? [joined] : withDigits;
}
