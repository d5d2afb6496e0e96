import { sql } from "kysely";
import { type Ordered, type Place, type Position, queries, readOrdered } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { wordHash, type StoredEntry } from "./audit.repo.ts";
import type { AuditTables } from "./audit.schema.ts";

/** `jobs` holds the job of a limited reader too: an entry has to match all of them. */
export interface EntryFilter {
  readonly from?: number;
  readonly to?: number;
  readonly account?: number;
  readonly character?: number;
  readonly actions?: readonly string[];
  readonly result?: string;
  readonly objectKind?: string;
  readonly objectId?: string;
  readonly targetKind?: string;
  readonly targetId?: number;
  readonly jobs?: readonly string[];
  readonly address?: string;
  readonly trace?: string;
}

const columns = [
  ["account", "account_id"],
  ["character", "character_id"],
  ["result", "result"],
  ["objectKind", "object_kind"],
  ["objectId", "object_id"],
  ["targetKind", "target_kind"],
  ["targetId", "target_id"],
  ["address", "address"],
  ["trace", "trace_id"],
] as const;

function filtered(tx: Tx, filter: EntryFilter) {
  let query = queries<AuditTables>(tx).selectFrom("audit_entries");
  if (filter.from !== undefined) query = query.where("at", ">=", filter.from);
  if (filter.to !== undefined) query = query.where("at", "<=", filter.to);
  for (const [name, column] of columns) {
    const value = filter[name];
    if (value !== undefined) query = query.where(column, "=", value);
  }
  if (filter.actions) query = query.where("action", "in", filter.actions.length === 0 ? [""] : [...filter.actions]);
  for (const job of filter.jobs ?? []) query = query.where("job", "=", job);
  return query;
}

/** At most `limit` entries after a position. */
export async function listEntries(
  tx: Tx,
  filter: EntryFilter,
  position: Position,
  limit: number,
): Promise<(StoredEntry & Ordered)[]> {
  const { from: _from, to: _to, jobs = [], ...narrowing } = filter;
  const narrowed = jobs.length > 0 || Object.keys(narrowing).length > 0;
  return await readOrdered(tx, filtered(tx, filter).selectAll(), { position, limit, narrowed });
}

/** The number of matching entries, counted up to `cap`. */
export async function countEntries(tx: Tx, filter: EntryFilter, cap: number): Promise<number> {
  const inner = filtered(tx, filter).select("id").limit(cap);
  const row = await queries<AuditTables>(tx)
    .selectFrom(inner.as("capped"))
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

export async function findEntry(tx: Tx, id: number): Promise<StoredEntry | null> {
  const row = await queries<AuditTables>(tx).selectFrom("audit_entries").selectAll().where("id", "=", id).executeTakeFirst();
  return row ?? null;
}

const mostActions = 500;

/** The actions that occur, at most 500; each costs one step along the index. */
export async function listActions(tx: Tx): Promise<string[]> {
  const found: string[] = [];
  for (let last = ""; found.length < mostActions; last = found.at(-1)!) {
    const row = await queries<AuditTables>(tx)
      .selectFrom("audit_entries")
      .select("action")
      .where("action", ">", last)
      .orderBy("action")
      .limit(1)
      .executeTakeFirst();
    if (!row) break;
    found.push(row.action);
  }
  return found;
}

const wordsPerTerm = 64;

/** Words that hold the term, the term itself first. */
export async function wordsHolding(tx: Tx, term: string): Promise<number[]> {
  const rows = await queries<AuditTables>(tx)
    .selectFrom("audit_suffixes")
    .select("word")
    .where("suffix", ">=", term)
    .where("suffix", "<", `${term}\u{10FFFF}`)
    .orderBy("suffix")
    .limit(wordsPerTerm * 2)
    .execute();
  const own = wordHash(term);
  return [...new Set(rows.map(({ word }) => word))].sort((a, b) => Number(b === own) - Number(a === own)).slice(0, wordsPerTerm);
}

/** The number of postings of each list of words, counted up to `cap`. */
export async function countPostings(tx: Tx, lists: readonly (readonly number[])[], cap: number): Promise<number[]> {
  const counts: number[] = [];
  for (const words of lists) {
    const inner = queries<AuditTables>(tx).selectFrom("audit_postings").select("entry").where("word", "in", words).limit(cap);
    const row = await queries<AuditTables>(tx)
      .selectFrom(inner.as("capped"))
      .select((e) => e.fn.countAll<number>().as("n"))
      .executeTakeFirstOrThrow();
    counts.push(Number(row.n));
  }
  return counts;
}

export interface Posting {
  readonly word: number;
  readonly at: number;
  readonly entry: number;
}

export interface PostingRange {
  readonly from?: number;
  readonly to?: number;
  readonly descending: boolean;
  /** Only what follows it; its key is an instant. */
  readonly after: Place | null;
  readonly job?: string;
}

/** The first `each` postings of each word. */
export async function nextPostings(tx: Tx, words: readonly number[], range: PostingRange, each: number): Promise<Posting[]> {
  const { after, descending } = range;
  const [direction, beyond] = descending ? (["desc", "<"] as const) : (["asc", ">"] as const);
  const parts = words.map((word) => {
    let query = queries<AuditTables>(tx).selectFrom("audit_postings").select(["word", "at", "entry"]).where("word", "=", word);
    if (range.from !== undefined) query = query.where("at", ">=", range.from);
    if (range.to !== undefined) query = query.where("at", "<=", range.to);
    if (range.job !== undefined) query = query.where("job", "=", range.job);
    if (after) {
      const at = Number(after.key);
      query = query.where("at", `${beyond}=`, at).where((e) => e.or([e("at", beyond, at), e("entry", beyond, after.id)]));
    }
    return sql`select * from (${query.orderBy("at", direction).orderBy("entry", direction).limit(each)}) ${sql.raw(`w${word}`)}`;
  });
  const { rows } = await sql<Posting>`${sql.join(parts, sql` union all `)}`.execute(queries(tx));
  return rows;
}

/** Which entries a step of a search by words reads. */
export interface StepFilter extends EntryFilter {
  readonly ids: readonly number[];
  /** An entry has a word of each of these lists. */
  readonly words: readonly (readonly number[])[];
}

/** At most `limit` of them, in the order of a position but from the first one on. */
export async function entriesAmong(
  tx: Tx,
  { ids, words: lists, ...filter }: StepFilter,
  position: Position,
  limit: number,
): Promise<(StoredEntry & Ordered)[]> {
  let query = filtered(tx, filter).selectAll().where("id", "in", ids);
  for (const words of lists) {
    query = query.where((e) =>
      e.exists(
        e
          .selectFrom("audit_postings")
          .select("audit_postings.entry")
          .where("audit_postings.word", "in", words)
          .whereRef("audit_postings.at", "=", "audit_entries.at")
          .whereRef("audit_postings.entry", "=", "audit_entries.id"),
      ),
    );
  }
  return await readOrdered(tx, query, { position: { ...position, after: null }, limit, narrowed: true });
}
