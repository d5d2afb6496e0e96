import { bulkInsert } from "#core/db/bulk.ts";
import { queries } from "#core/db/queries.ts";
import type { Tx } from "#core/ports/database.ts";
import type { SearchDocument } from "#core/ports/search.ts";
import { decodeTexts, encodeTexts, entriesOf, storedTexts, type Entries, type WordEntry } from "./document.ts";
import { variantsOf } from "./keys.ts";
import { searchCodes, searchDocuments, searchPostings, searchVariants, searchWords, type SearchTables } from "./search.schema.ts";

const documentsPerRound = 1_000;
const rowsPerStatement = 2_000;
const groupsPerDelete = 100;

function* chunks<T>(items: readonly T[], size: number): Generator<T[]> {
  for (let at = 0; at < items.length; at += size) yield items.slice(at, at + size);
}

type Pair = readonly [first: number, second: number];
type Posting = readonly [word: number, id: number, beginnings: number];

/** The rows that a round adds and removes, over all of its documents. */
interface Changes {
  readonly upserts: { kind: string; id: number; texts: string; beginnings: number }[];
  readonly words: Map<number, WordEntry>;
  readonly newPostings: Posting[];
  readonly newCodes: Pair[];
  /** Object -> words or parts of codes that no longer refer to it. */
  readonly oldPostings: Map<number, number[]>;
  readonly oldCodes: Map<number, number[]>;
}

const nothing: Entries = { words: new Map(), codes: new Set(), beginnings: 0 };

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
    newCodes: [],
    oldPostings: new Map(),
    oldCodes: new Map(),
  };
}

function collect(changes: Changes, id: number, before: Entries, after: Entries): void {
  for (const [word, entry] of after.words) {
    changes.words.set(word, entry);
    // A posting says what else is in the object, so that another word changes all of them.
    if (!before.words.has(word) || before.beginnings !== after.beginnings) changes.newPostings.push([word, id, after.beginnings]);
  }
  for (const part of after.codes) if (!before.codes.has(part)) changes.newCodes.push([part, id]);
  const removedWords = [...before.words.keys()].filter((word) => !after.words.has(word));
  const removedCodes = [...before.codes].filter((part) => !after.codes.has(part));
  if (removedWords.length > 0) changes.oldPostings.set(id, removedWords);
  if (removedCodes.length > 0) changes.oldCodes.set(id, removedCodes);
}

/** Rows ordered by key: neighbours share pages, and two writers cannot deadlock. */
function inKeyOrder<T extends Pair | Posting>(rows: readonly T[]): T[] {
  return [...rows].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

async function insertVariants(tx: Tx, pairs: readonly Pair[]): Promise<void> {
  const rows = inKeyOrder(pairs).map(([variant, word]) => ({ variant, word }));
  await bulkInsert(tx, searchVariants, rows, { onConflict: { keys: ["variant", "word"], update: [] } });
}

async function insertCodes(tx: Tx, pairs: readonly Pair[]): Promise<void> {
  const rows = inKeyOrder(pairs).map(([part, id]) => ({ part, id }));
  await bulkInsert(tx, searchCodes, rows, { onConflict: { keys: ["part", "id"], update: [] } });
}

async function insertPostings(tx: Tx, postings: readonly Posting[]): Promise<void> {
  const rows = inKeyOrder(postings).map(([word, id, beginnings]) => ({ word, id, beginnings }));
  await bulkInsert(tx, searchPostings, rows, { onConflict: { keys: ["word", "id"], update: ["beginnings"] } });
}

/**
 * Adds the words that are not in the index yet; they are looked up without locks, because most exist.
 */
async function addWords(tx: Tx, kind: string, words: ReadonlyMap<number, WordEntry>): Promise<void> {
  const q = queries<SearchTables>(tx);
  const variants: Pair[] = [];
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
    for (const { text, word } of fresh) for (const variant of variantsOf(kind, text)) variants.push([variant, word]);
  }
  await insertVariants(tx, variants);
}

async function removeRows(tx: Tx, changes: Pick<Changes, "oldPostings" | "oldCodes">): Promise<void> {
  const q = queries<SearchTables>(tx);
  for (const part of chunks([...changes.oldPostings], groupsPerDelete)) {
    await q
      .deleteFrom("search_postings")
      .where((eb) => eb.or(part.map(([id, words]) => eb.and([eb("id", "=", id), eb("word", "in", words)]))))
      .execute();
  }
  for (const part of chunks([...changes.oldCodes], groupsPerDelete)) {
    await q
      .deleteFrom("search_codes")
      .where((eb) => eb.or(part.map(([id, codes]) => eb.and([eb("id", "=", id), eb("part", "in", codes)]))))
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
    const entries = entriesOf(kind, texts);
    changes.upserts.push({ kind, id: document.id, texts: encoded, beginnings: entries.beginnings });
    collect(changes, document.id, old === undefined ? nothing : entriesOf(kind, decodeTexts(old)), entries);
  }
  if (changes.upserts.length === 0) return;
  await removeRows(tx, changes);
  await addWords(tx, kind, changes.words);
  await bulkInsert(tx, searchDocuments, changes.upserts, {
    onConflict: { keys: ["kind", "id"], update: ["texts", "beginnings"] },
  });
  await insertPostings(tx, changes.newPostings);
  await insertCodes(tx, changes.newCodes);
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
