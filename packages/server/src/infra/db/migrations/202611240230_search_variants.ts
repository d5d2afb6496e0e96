import { col, defineTable, migration, queries, sql, type TableOf } from "./kit.ts";

const documents = defineTable(
  "search_documents",
  { kind: col.key(32), id: col.int(), texts: col.key(2000), beginnings: col.int().defaultsTo(0) },
  { primary: ["kind", "id"] },
);
const words = defineTable(
  "search_words",
  { word: col.int(), kind: col.key(32), field: col.key(32), text: col.key(40), weight: col.double() },
  { primary: ["word"] },
);
const variants = defineTable("search_variants", { variant: col.int(), word: col.int() }, { primary: ["variant", "word"] });
const codes = defineTable("search_codes", { part: col.int(), id: col.int() }, { primary: ["part", "id"] });
const postings = defineTable(
  "search_postings",
  { word: col.int(), id: col.int(), beginnings: col.int().defaultsTo(0) },
  { primary: ["word", "id"] },
);

interface Tables {
  search_documents: TableOf<typeof documents>;
  search_words: TableOf<typeof words>;
  search_variants: TableOf<typeof variants>;
  search_codes: TableOf<typeof codes>;
  search_postings: TableOf<typeof postings>;
}

// What infra/search/keys.ts computed when this migration was written.

function fnv1a(text: string, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) {
    hash ^= text.charCodeAt(at);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}

function wordHash(kind: string, field: string, text: string): number {
  const key = `${kind}\u0000${field}\u0000${text}`;
  return (fnv1a(key, 0x9747b28c) & 0xfffff) * 2 ** 32 + fnv1a(key);
}

function bitOf(text: string): number {
  let hash = fnv1a(text);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) % 52;
}

function beginningsOf(all: Iterable<string>): number {
  const marked = new Set<number>();
  for (const word of all)
    for (let length = 1; length <= Math.min(4, word.length); length++) marked.add(bitOf(word.slice(0, length)));
  return [...marked].reduce((sum, bit) => sum + 2 ** bit, 0);
}

function variantsOf(kind: string, word: string): number[] {
  if (word.length < 4) return [];
  const texts = new Set<string>();
  for (const written of [word, word.replace(/([aou])e/g, "$1").replace(/(.)\1+/gu, "$1")]) {
    const compared = written.slice(0, 7);
    texts.add(compared);
    for (let at = 0; at < compared.length; at++) texts.add(compared.slice(0, at) + compared.slice(at + 1));
  }
  for (let at = 1; at + 4 <= word.length; at++) texts.add(`$${word.slice(at)}`);
  return [...new Set([...texts].map((text) => fnv1a(`${kind}\u0000${text}`)))];
}

function valueOf(character: string): number {
  const code = character.charCodeAt(0);
  if (code >= 48 && code <= 57) return code - 47;
  if (code >= 97 && code <= 122) return code - 86;
  return 1 + (code % 36);
}

function partNumber(kind: string, part: string): number {
  let number = 0;
  for (let at = 0; at < 6; at++) number = number * 37 + (at < part.length ? valueOf(part[at]!) : 0);
  return ((fnv1a(`${kind}\u0000code`) & 0xfffff) + 1) * 2 ** 32 + number;
}

const hasDigit = (word: string) => /\p{N}/u.test(word);

function codesOf(all: readonly string[]): string[] {
  const withDigits = all.filter(hasDigit);
  if (withDigits.length === 0) return [];
  const joined = all.join("");
  return joined.length <= 40 ? [joined] : withDigits;
}

interface Entries {
  readonly words: number[];
  readonly parts: number[];
  readonly beginnings: number;
}

function entriesOf(kind: string, encoded: string): Entries {
  const hashes = new Set<number>();
  const parts = new Set<number>();
  const letters: string[] = [];
  for (const [field, , joined] of JSON.parse(encoded) as [string, number, string][]) {
    const all = joined.split(" ");
    for (const word of all) {
      if (hasDigit(word)) continue;
      hashes.add(wordHash(kind, field, word));
      letters.push(word);
    }
    for (const code of codesOf(all))
      for (let at = 0; at === 0 || at + 2 <= code.length; at++) parts.add(partNumber(kind, code.slice(at, at + 6)));
  }
  return { words: [...hashes], parts: [...parts], beginnings: beginningsOf(letters) };
}

const rowsAtOnce = 1_000;
const rowsPerStatement = 1_000;

/**
 * The words of objects whose misspelt names are searched by keys instead of trigrams, and codes by ranges. The trigrams
 * stay for a program of the version before; the next release drops them.
 */
export default migration(async (steps) => {
  await steps.createTable(variants);
  await steps.createTable(codes);
  await steps.addColumn("search_documents", "beginnings", documents.columns.beginnings);
  await steps.addColumn("search_postings", "beginnings", postings.columns.beginnings);
  await steps.addIndex("search_words", "search_words_text", ["kind", "text"]);

  let word = -1;
  await steps.runData("variants", async (tx) => {
    const db = queries<Tables>(tx);
    const rows = await db
      .selectFrom("search_words")
      .select(["word", "kind", "text"])
      .where("word", ">", word)
      .orderBy("word")
      .limit(rowsAtOnce)
      .execute();
    const found = rows.flatMap((row) => variantsOf(row.kind, row.text).map((variant) => ({ variant, word: row.word })));
    await insertAll(found.length, async (from, to) => {
      const values = found.slice(from, to).map((row) => sql`(${row.variant}, ${row.word})`);
      await sql`replace into search_variants (variant, word) values ${sql.join(values)}`.execute(db);
    });
    word = rows.at(-1)?.word ?? word;
    return rows.length === rowsAtOnce ? "more" : undefined;
  });

  let kind = "";
  let id = -1;
  await steps.runData("documents", async (tx) => {
    const db = queries<Tables>(tx);
    const rows = await db
      .selectFrom("search_documents")
      .select(["kind", "id", "texts"])
      .where((e) => e.or([e("kind", ">", kind), e.and([e("kind", "=", kind), e("id", ">", id)])]))
      .orderBy("kind")
      .orderBy("id")
      .limit(rowsAtOnce)
      .execute();
    const read = rows.map((row) => ({ ...row, entries: entriesOf(row.kind, row.texts) }));
    await insertAll(read.length, async (from, to) => {
      const values = read.slice(from, to).map((row) => sql`(${row.kind}, ${row.id}, ${row.texts}, ${row.entries.beginnings})`);
      await sql`replace into search_documents (kind, id, texts, beginnings) values ${sql.join(values)}`.execute(db);
    });
    const posted = read.flatMap((row) => row.entries.words.map((hash) => ({ hash, id: row.id, set: row.entries.beginnings })));
    await insertAll(posted.length, async (from, to) => {
      const values = posted.slice(from, to).map((row) => sql`(${row.hash}, ${row.id}, ${row.set})`);
      await sql`replace into search_postings (word, id, beginnings) values ${sql.join(values)}`.execute(db);
    });
    const parts = read.flatMap((row) => row.entries.parts.map((part) => ({ part, id: row.id })));
    await insertAll(parts.length, async (from, to) => {
      const values = parts.slice(from, to).map((row) => sql`(${row.part}, ${row.id})`);
      await sql`replace into search_codes (part, id) values ${sql.join(values)}`.execute(db);
    });
    ({ kind, id } = rows.at(-1) ?? { kind, id });
    return rows.length === rowsAtOnce ? "more" : undefined;
  });
});

async function insertAll(count: number, insert: (from: number, to: number) => Promise<void>): Promise<void> {
  for (let from = 0; from < count; from += rowsPerStatement) await insert(from, Math.min(count, from + rowsPerStatement));
}
