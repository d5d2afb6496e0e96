import type { SearchDocument } from "#core/ports/search.ts";
import { codeGrams, wordHash } from "./grams.ts";
import { codesOf, hasDigit, wordsOf } from "./normalise.ts";

/** One text of a document, as stored and ranked. */
export interface StoredText {
  readonly field: string;
  readonly weight: number;
  readonly words: readonly string[];
}

const maxStoredLength = 2_000;

/** Texts that exceed the size of the column are left out, starting with the last. */
export function storedTexts(document: SearchDocument): StoredText[] {
  const texts = document.texts
    .map(({ field, text, weight }) => ({ field, weight: weight ?? 1, words: wordsOf(text) }))
    .filter((text) => text.words.length > 0);
  while (encodeTexts(texts).length > maxStoredLength) {
    const last = texts.pop()!;
    const shorter = last.words.slice(0, Math.floor(last.words.length / 2));
    if (shorter.length > 0) texts.push({ ...last, words: shorter });
  }
  return texts;
}

export function encodeTexts(texts: readonly StoredText[]): string {
  return JSON.stringify(texts.map(({ field, weight, words }) => [field, weight, words.join(" ")]));
}

export function decodeTexts(encoded: string): StoredText[] {
  const rows = JSON.parse(encoded) as [string, number, string][];
  return rows.map(([field, weight, words]) => ({ field, weight, words: words.split(" ") }));
}

export interface WordEntry {
  readonly word: number;
  readonly field: string;
  readonly text: string;
  readonly weight: number;
}

/** The index entries of a document: words by hash, and grams of its codes. */
export interface Entries {
  readonly words: ReadonlyMap<number, WordEntry>;
  readonly codeGrams: ReadonlySet<number>;
}

export function entriesOf(kind: string, texts: readonly StoredText[]): Entries {
  const words = new Map<number, WordEntry>();
  const grams = new Set<number>();
  for (const { field, weight, words: all } of texts) {
    for (const text of all) {
      if (hasDigit(text)) continue;
      const word = wordHash(kind, field, text);
      words.set(word, { word, field, text, weight });
    }
    for (const code of codesOf(all)) for (const gram of codeGrams(kind, code)) grams.add(gram);
  }
  return { words, codeGrams: grams };
}
