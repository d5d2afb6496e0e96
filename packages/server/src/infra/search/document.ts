import type { SearchDocument } from "#core/ports/search.ts";
import { beginningsOf, codeParts, wordHash } from "./keys.ts";
import { codesOf, hasDigit, maxWordLength, wordsOf } from "./normalise.ts";

/** One text of a document, as stored and ranked. */
export interface StoredText {
  readonly field: string;
  readonly weight: number;
  readonly words: readonly string[];
  /** Its words together are a code, though it has no digit. */
  readonly isCode: boolean;
}

const maxStoredLength = 2_000;

/** Texts that exceed the size of the column are left out, starting with the last. */
export function storedTexts(document: SearchDocument): StoredText[] {
  const texts = document.texts
    .map(({ field, text, weight, isCode }) => {
      const words = wordsOf(text);
      return { field, weight: weight ?? 1, words, isCode: isCode === true && !words.some(hasDigit) };
    })
    .filter((text) => text.words.length > 0);
  while (encodeTexts(texts).length > maxStoredLength) {
    const last = texts.pop()!;
    const shorter = last.words.slice(0, Math.floor(last.words.length / 2));
    if (shorter.length > 0) texts.push({ ...last, words: shorter });
  }
  return texts;
}

export function encodeTexts(texts: readonly StoredText[]): string {
  const rows = texts.map(({ field, weight, words, isCode }) => [field, weight, words.join(" "), ...(isCode ? [1] : [])]);
  return JSON.stringify(rows);
}

export function decodeTexts(encoded: string): StoredText[] {
  const rows = JSON.parse(encoded) as [string, number, string, number?][];
  return rows.map(([field, weight, words, code]) => ({ field, weight, words: words.split(" "), isCode: code === 1 }));
}

export const codesOfText = ({ words, isCode }: Pick<StoredText, "words" | "isCode">): string[] =>
  isCode ? [words.join("").slice(0, maxWordLength)] : codesOf(words);

export interface WordEntry {
  readonly word: number;
  readonly field: string;
  readonly text: string;
  readonly weight: number;
}

/** The index entries of a document: words by hash, and the parts of its codes. */
export interface Entries {
  readonly words: ReadonlyMap<number, WordEntry>;
  readonly codes: ReadonlySet<number>;
  readonly beginnings: number;
}

export function entriesOf(kind: string, texts: readonly StoredText[]): Entries {
  const words = new Map<number, WordEntry>();
  const codes = new Set<number>();
  for (const text of texts) {
    const { field, weight, words: all } = text;
    for (const one of all) {
      if (hasDigit(one)) continue;
      const word = wordHash(kind, field, one);
      words.set(word, { word, field, text: one, weight });
    }
    for (const code of codesOfText(text)) for (const part of codeParts(kind, code)) codes.add(part);
  }
  return { words, codes, beginnings: beginningsOf([...words.values()].map(({ text }) => text)) };
}
