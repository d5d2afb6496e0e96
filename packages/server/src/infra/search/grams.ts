/** FNV-1a over UTF-16 code units, 32 bits, unsigned. */
export function fnv1a(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) {
    hash ^= text.charCodeAt(at);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

/** 52 bits, which makes collisions practically impossible. */
export function wordHash(kind: string, field: string, text: string): number {
  const key = `${kind}\u0000${field}\u0000${text}`;
  return (fnv1a(key, 0x9747b28c) & 0xfffff) * 2 ** 32 + fnv1a(key);
}

const hashed = (kind: string, space: "w" | "c", grams: ReadonlySet<string>): number[] => [
  ...new Set([...grams].map((gram) => fnv1a(`${kind}\u0000${space}${gram}`))),
];

/**
 * Grams of a word of letters: its trigrams with both ends marked, so that `li` has two, and its letters
 * in alphabetical order, which does not change when two letters are swapped.
 */
export function wordGrams(kind: string, word: string): number[] {
  const marked = `^${word}$`;
  const grams = new Set<string>();
  for (let at = 0; at + 3 <= marked.length; at++) grams.add(marked.slice(at, at + 3));
  if (word.length >= 4) grams.add(`~${word.split("").sort().join("")}`);
  return hashed(kind, "w", grams);
}

const longNumber = 7;

function isLongNumber(code: string): boolean {
  return code.length >= longNumber && /^\p{N}+$/u.test(code);
}

/**
 * Grams of a stored code. Of a long number every four digits and the first three, so that a search for
 * any four digits matches one of them. Of a shorter code every three characters and the first two.
 */
export function codeGrams(kind: string, code: string): number[] {
  const grams = new Set<string>();
  if (isLongNumber(code)) {
    for (let at = 0; at + 4 <= code.length; at++) grams.add(code.slice(at, at + 4));
    grams.add(`^${code.slice(0, 3)}`);
  } else {
    for (let at = 0; at + 3 <= code.length; at++) grams.add(code.slice(at, at + 3));
    grams.add(`^${code.slice(0, 2)}`);
  }
  return hashed(kind, "c", grams);
}

/** Grams under which a part of a code may be stored. */
export function codeQueryGrams(kind: string, part: string): number[] {
  const grams = new Set<string>();
  for (let at = 0; at + 3 <= part.length; at++) grams.add(part.slice(at, at + 3));
  if (/^\p{N}+$/u.test(part)) for (let at = 0; at + 4 <= part.length; at++) grams.add(part.slice(at, at + 4));
  if (part.length <= 3) grams.add(`^${part}`);
  return hashed(kind, "c", grams);
}
