/** FNV-1a over UTF-16 code units, 32 bits, unsigned. */
function fnv1a(text: string, seed = 0x811c9dc5): number {
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

const bits = 52;
const mostMarked = 4;

/** Of short texts the lower bits of the hash follow those of their letters, so its bits are mixed. */
function bitOf(text: string): number {
  let hash = fnv1a(text);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % bits;
}

function marksOf(words: Iterable<string>, longest: number): number {
  const marked = new Set<number>();
  for (const word of words) {
    for (let length = 1; length <= Math.min(longest, word.length); length++) marked.add(bitOf(word.slice(0, length)));
  }
  return [...marked].reduce((sum, bit) => sum + 2 ** bit, 0);
}

/**
 * A set of 52 bits with one for each beginning of up to four letters of these words. An object with the words of a
 * search has all of their bits; so an index answers whether a word's objects have the other words too, nearly always
 * rightly, without a look at the object.
 */
export const beginningsOf = (words: Iterable<string>): number => marksOf(words, mostMarked);

/** As `beginningsOf`, with the first letters alone. */
export const initialsOf = (words: Iterable<string>): number => marksOf(words, 1);

/** Shorter words are not found by similar ones. */
export const shortestSimilar = 4;
const comparedLetters = 7;

/** What people write for the same sound: `ue` for `ü`, one letter for two. */
function soundOf(word: string): string {
  return word.replace(/([aou])e/g, "$1").replace(/(.)\1+/gu, "$1");
}

/** The beginning of a word, as written and as it sounds, and what is left of it without one of its letters. */
function withoutOne(word: string): Set<string> {
  const left = new Set<string>();
  for (const written of [word, soundOf(word)]) {
    const compared = written.slice(0, comparedLetters);
    left.add(compared);
    for (let at = 0; at < compared.length; at++) left.add(compared.slice(0, at) + compared.slice(at + 1));
  }
  return left;
}

const variant = (kind: string, text: string) => fnv1a(`${kind}\u0000${text}`);

/**
 * Keys under which a word is found by similar ones. Two words that differ by one letter that is missing, added,
 * replaced or swapped with its neighbour have a key in common. The ends of a word are keys too, so that `smith` finds
 * `goldsmith`.
 */
export function variantsOf(kind: string, word: string): number[] {
  if (word.length < shortestSimilar) return [];
  const texts = withoutOne(word);
  for (let at = 1; at + shortestSimilar <= word.length; at++) texts.add(`$${word.slice(at)}`);
  return [...new Set([...texts].map((text) => variant(kind, text)))];
}

/** Keys of the words that are similar to a typed one. */
export function variantsAsked(kind: string, typed: string): number[] {
  if (typed.length < shortestSimilar) return [];
  return [...new Set([...withoutOne(typed), `$${typed}`].map((text) => variant(kind, text)))];
}

const partLength = 6;
const base = 37;

/** 1 to 36; letters of other scripts share the values of these. */
function valueOf(character: string): number {
  const code = character.charCodeAt(0);
  if (code >= 48 && code <= 57) return code - 47;
  if (code >= 97 && code <= 122) return code - 86;
  return 1 + (code % 36);
}

/** The first six characters as a number, in whose order all parts with the same beginning are neighbours. */
function partNumber(kind: string, part: string): number {
  let number = 0;
  for (let at = 0; at < partLength; at++) number = number * base + (at < part.length ? valueOf(part[at]!) : 0);
  return ((fnv1a(`${kind}\u0000code`) & 0xfffff) + 1) * 2 ** 32 + number;
}

/** Six characters of a code from each of its places, so that every part of it begins one of them. */
export function codeParts(kind: string, code: string): number[] {
  const parts = new Set<number>();
  for (let at = 0; at === 0 || at + 2 <= code.length; at++) parts.add(partNumber(kind, code.slice(at, at + partLength)));
  return [...parts];
}

export interface CodeRange {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/**
 * Where the codes that contain a part are. Of a longer one than six characters, those that contain its end: many
 * numbers begin alike.
 */
export function codeRange(kind: string, part: string): CodeRange {
  const from = partNumber(kind, part.slice(-partLength));
  return { from, to: from + base ** Math.max(0, partLength - part.length) };
}
