import { bulkInsert } from "#core/db/bulk.ts";
import { queries } from "#core/db/queries.ts";
import type { Tx } from "#core/ports/database.ts";
import type { SearchDocument } from "#core/ports/search.ts";
import { decodeTexts, encodeTexts, entriesOf, storedTexts, type Entries, type WordEntry } from "./document.ts";
import { wordGrams } from "./grams.ts";
import { searchDocuments, searchGrams, searchPostings, searchWords, type SearchTables } from "./search.schema.ts";

const documentsPerRound = 1_000;
const rowsPerStatement = 2_000;
const groupsPerDelete = 100;

function* chunks<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

type Pair = readonly [first: number, second: number];

/** The rows that a round adds and removes, over all of its documents. */
interface Changes {
  readonly upserts: { kind: string; id: number; texts: string }[];
  readonly words: Map<number, WordEntry>;
  readonly newPostings: Pair[];
  readonly newGrams: Pair[];
  /** Object -> words or grams that no longer refer to it. */
  readonly oldPostings: Map<number, number[]>;
  readonly oldGrams: Map<number, number[]>;
}

const nothing: Entries = { words: new Map(), codeGrams: new Set() };

async function storedBefore(tx: Tx, kind: string, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await queries<SearchTables>(tx)
    .selectFrom("search_documents")
    .select(["id", "texts"])
    .where("kind", "=", kind)
    .where("id", "in", [...ids])
    .execute();
  return new Map(rows.map((row) => [row.id, row.texts]));
}

function noChanges(): Changes {
  return {
    upserts: [],
    words: new Map(),
    newPostings: [],
    newGrams: [],
    oldPostings: new Map(),
    oldGrams: new Map(),
  };
}

function collect(changes: Changes, id: number, before: Entries, after: Entries): void {
  for (const [word, entry] of after.words) {
    changes.words.set(word, entry);
    if (!before.words.has(word)) changes.newPostings.push([word, id]);
  }
  for (const gram of after.codeGrams) if (!before.codeGrams.has(gram)) changes.newGrams.push([gram, id]);
  const removedWords = [...before.words.keys()].filter((word) => !after.words.has(word));
  const goneGrams = [...before.codeGrams].filter((gram) => !after.codeGrams.has(gram));
  if (removedWords.length > 0) changes.oldPostings.set(id, removedWords);
  if (goneGrams.length > 0) changes.oldGrams.set(id, goneGrams);
}

/** Rows ordered by key: neighbours share pages, and two writers cannot deadlock. */
function inKeyOrder(pairs: readonly Pair[]): Pair[] {
  return [...pairs].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

async function insertGrams(tx: Tx, pairs: readonly Pair[]): Promise<void> {
  const rows = inKeyOrder(pairs).map(([gram, target]) => ({ gram, target }));
  await bulkInsert(tx, searchGrams, rows, { onConflict: { keys: ["gram", "target"], update: [] } });
}

async function insertPostings(tx: Tx, pairs: readonly Pair[]): Promise<void> {
  const rows = inKeyOrder(pairs).map(([word, id]) => ({ word, id }));
  await bulkInsert(tx, searchPostings, rows, { onConflict: { keys: ["word", "id"], update: [] } });
}

/**
 * Adds the words that are not in the index yet; they are looked up without locks, because most exist.
 * Returns the grams of the new ones, which the caller inserts together with others.
 */
async function addWords(tx: Tx, kind: string, words: ReadonlyMap<number, WordEntry>): Promise<Pair[]> {
  const q = queries<SearchTables>(tx);
  const grams: Pair[] = [];
  for (const part of chunks(
    [...words.values()].sort((a, b) => a.word - b.word),
    rowsPerStatement,
  )) {
    const hashes = part.map((entry) => entry.word);
    const known = await q.selectFrom("search_words").select(["word", "weight"]).where("word", "in", hashes).execute();
    const weights = new Map(known.map((row) => [row.word, row.weight]));
    const missing = part.filter((entry) => weights.get(entry.word) !== entry.weight);
    if (missing.length === 0) continue;
    const rows = missing.map((entry) => ({ ...entry, kind }));
    await bulkInsert(tx, searchWords, rows, { onConflict: { keys: ["word"], update: ["weight"] } });
    const fresh = missing.filter((entry) => !weights.has(entry.word));
    for (const { text, word } of fresh) for (const gram of wordGrams(kind, text)) grams.push([gram, word]);
  }
  return grams;
}

async function removeRows(tx: Tx, changes: Pick<Changes, "oldPostings" | "oldGrams">): Promise<void> {
  const q = queries<SearchTables>(tx);
  for (const part of chunks([...changes.oldPostings], groupsPerDelete)) {
    await q
      .deleteFrom("search_postings")
      .where((eb) => eb.or(part.map(([id, words]) => eb.and([eb("id", "=", id), eb("word", "in", words)]))))
      .execute();
  }
  for (const part of chunks([...changes.oldGrams], groupsPerDelete)) {
    await q
      .deleteFrom("search_grams")
      .where((eb) => eb.or(part.map(([id, grams]) => eb.and([eb("target", "=", id), eb("gram", "in", grams)]))))
      .execute();
  }
}

async function putRound(tx: Tx, kind: string, documents: readonly SearchDocument[]): Promise<void> {
  const before = await storedBefore(
    tx,
    kind,
    documents.map((document) => document.id),
  );
  const changes = noChanges();
  for (const document of documents) {
    const texts = storedTexts(document);
    const encoded = encodeTexts(texts);
    const old = before.get(document.id);
    if (old === encoded) continue;
    changes.upserts.push({ kind, id: document.id, texts: encoded });
    collect(changes, document.id, old === undefined ? nothing : entriesOf(kind, decodeTexts(old)), entriesOf(kind, texts));
  }
  if (changes.upserts.length === 0) return;
  await removeRows(tx, changes);
  const wordPieces = await addWords(tx, kind, changes.words);
  await bulkInsert(tx, searchDocuments, changes.upserts, {
    onConflict: { keys: ["kind", "id"], update: ["texts"] },
  });
  await insertPostings(tx, changes.newPostings);
  await insertGrams(tx, [...wordPieces, ...changes.newGrams]);
}

/** Replaces the index entries of these objects; the last one of a repeated id wins. */
export async function putDocuments(tx: Tx, kind: string, documents: readonly SearchDocument[]): Promise<void> {
  const unique = [...new Map(documents.map((document) => [document.id, document])).values()];
  for (const part of chunks(unique, documentsPerRound)) await putRound(tx, kind, part);
}

export async function removeDocuments(tx: Tx, kind: string, ids: readonly number[]): Promise<void> {
  for (const part of chunks([...new Set(ids)], documentsPerRound)) {
    const before = await storedBefore(tx, kind, part);
    const changes = noChanges();
    for (const [id, old] of before) collect(changes, id, entriesOf(kind, decodeTexts(old)), nothing);
    if (before.size === 0) continue;
    await removeRows(tx, changes);
    await queries<SearchTables>(tx)
      .deleteFrom("search_documents")
      .where("kind", "=", kind)
      .where("id", "in", [...before.keys()])
      .execute();
  }
}
