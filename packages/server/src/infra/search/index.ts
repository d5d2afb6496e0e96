import { sql, type RawBuilder } from "kysely";
import { queries } from "#core/db/queries.ts";
import type { Tx } from "#core/ports/database.ts";
import type { Search, SearchHit } from "#core/ports/search.ts";
import { decodeTexts } from "./document.ts";
import { codeQueryGrams, wordGrams } from "./grams.ts";
import { hasDigit, wordsOf } from "./normalise.ts";
import { parseQuery, rank, type Query } from "./rank.ts";
import type { SearchTables } from "./search.schema.ts";
import { minimumScore, wordMatch } from "./similarity.ts";
import { putDocuments, removeDocuments } from "./write.ts";

export const maxHits = 200;
const maxQueryLength = 200;
/** Candidate words per unit, and candidate objects per code. */
const similarWords = 200;
const similarCodes = 300;
/** Most rows read per gram; frequent grams discriminate little. */
const gramRows = 4_000;
/** Words whose objects are read, per unit. */
const wordsPerUnit = 24;
/** Most objects read per word. */
const postingRows = 10_000;

interface Candidate {
  readonly unit: number;
  readonly target: number;
  readonly text: string | null;
  readonly field: string | null;
}

/** The targets that share the most grams with the unit. */
function sharing(unit: number, grams: readonly number[], limit: number): RawBuilder<unknown> {
  const lists = grams.map(
    (gram) =>
      sql`select target from (select target from search_grams where gram = ${gram} limit ${sql.lit(gramRows)}) g${sql.raw(String(Math.abs(gram)))}`,
  );
  return sql`select ${sql.lit(unit)} as unit, target, count(*) as hits from (${sql.join(lists, sql` union all `)}) l group by target order by hits desc limit ${sql.lit(limit)}`;
}

/** Negative units are codes, whose targets are objects; the targets of the others are words. */
async function candidates(tx: Tx, kind: string, query: Query): Promise<Candidate[]> {
  const parts: RawBuilder<unknown>[] = [];
  const codes = new Set<string>(query.whole === null ? query.units : [query.whole, ...query.units]);
  query.units.forEach((unit, at) => {
    if (!hasDigit(unit)) parts.push(sharing(at, wordGrams(kind, unit), similarWords));
  });
  let code = 0;
  for (const part of codes) {
    if (part.length < 2) continue;
    code -= 1;
    parts.push(sharing(code, codeQueryGrams(kind, part), similarCodes));
  }
  if (parts.length === 0) return [];
  const all = parts.map((part, at) => sql`select unit, target from (${part}) ${sql.raw(`u${at}`)}`);
  const { rows } = await sql<Candidate>`
    select c.unit as unit, c.target as target, w.text as text, w.field as field
    from (${sql.join(all, sql` union all `)}) c left join search_words w on w.word = c.target and c.unit >= 0`.execute(
    queries(tx),
  );
  return rows;
}

/** The best matching words of each unit, with their match. */
function matchingWords(query: Query, rows: readonly Candidate[], fields: ReadonlySet<string> | null): Map<number, number> {
  const meant = new Map<number, number>();
  query.units.forEach((unit, at) => {
    const own = rows
      .filter((row) => row.unit === at && row.text !== null && (!fields || fields.has(row.field!)))
      .map((row) => ({ word: row.target, match: wordMatch(unit, row.text!) }))
      .filter(({ match }) => match >= minimumScore)
      .sort((a, b) => b.match - a.match)
      .slice(0, wordsPerUnit);
    for (const { word, match } of own) meant.set(word, Math.max(meant.get(word) ?? 0, match));
  });
  return meant;
}

/** Objects that contain these words, the best matches first. */
async function objectsWith(tx: Tx, words: ReadonlyMap<number, number>, limit: number): Promise<number[]> {
  if (words.size === 0) return [];
  const lists = [...words].map(
    ([word, match], at) =>
      sql`select id, ${sql.lit(match)} as score from (select id from search_postings where word = ${word} limit ${sql.lit(postingRows)}) ${sql.raw(`p${at}`)}`,
  );
  const { rows } = await sql<{ id: number }>`
    select id, sum(score) as total from (${sql.join(lists, sql` union all `)}) s group by id order by total desc, id limit ${sql.lit(limit)}`.execute(
    queries(tx),
  );
  return rows.map((row) => row.id);
}

async function find(
  tx: Tx,
  kind: string,
  text: string,
  options: { limit: number; fields?: readonly string[] },
): Promise<SearchHit[]> {
  const limit = Math.min(Math.max(0, options.limit), maxHits);
  const query = parseQuery(wordsOf(text.slice(0, maxQueryLength)));
  if (limit === 0 || query.units.length === 0) return [];
  const fields = options.fields ? new Set(options.fields) : null;
  const rows = await candidates(tx, kind, query);
  const byCode = rows.filter((row) => row.unit < 0).map((row) => row.target);
  const byWord = await objectsWith(tx, matchingWords(query, rows, fields), Math.max(150, limit + 50));
  const ids = [...new Set([...byWord, ...byCode])];
  if (ids.length === 0) return [];
  const stored = await queries<SearchTables>(tx)
    .selectFrom("search_documents")
    .select(["id", "texts"])
    .where("kind", "=", kind)
    .where("id", "in", ids)
    .execute();
  const documents = stored.map((row) => {
    const texts = decodeTexts(row.texts);
    return { id: row.id, texts: fields ? texts.filter((it) => fields.has(it.field)) : texts };
  });
  return rank(query, documents, limit);
}

/**
 * Search over short texts. Words of letters are found through a dictionary of the words in use, by shared
 * trigrams and edit distance; codes (anything with a digit) by their grams. A search runs at most three
 * statements.
 */
export function createSearch(): Search {
  return { put: putDocuments, remove: removeDocuments, find };
}
