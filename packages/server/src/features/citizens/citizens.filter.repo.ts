import { type RawBuilder, sql } from "kysely";
import { dialectOf, queries, sqlOf } from "#core/db/index.ts";
import type { SearchSql, Tx } from "#core/ports/index.ts";
import { foundLive } from "./citizens.reads.ts";
import type { CitizenTables } from "./citizens.schema.ts";

export interface PhonePart {
  readonly digits: string;
  /** Who may have such a number, by the index of codes; null for a part that is too short for it. */
  readonly among: SearchSql | null;
}

export interface ListFilter {
  readonly ids?: readonly number[];
  readonly dateOfBirth?: string;
  readonly job?: string;
  readonly phone?: PhonePart;
  readonly changedUntil?: number;
  readonly filterEmptyName: boolean;
}

interface Limits {
  /** Where a filter leaves fewer people, they are sorted; else the list is read in its order until the page is full. */
  readonly sorted: number;
  /** Most rows of one filter whose people are compared with the other filters. */
  readonly compared: number;
}

const limitsOfLists: Limits = { sorted: 5_000, compared: 50_000 };

/** A filter with an index of its own: the people that it leaves, and its condition on others. */
interface Indexed {
  readonly ids: RawBuilder<unknown> | null;
  /** How many of a million people it usually leaves. */
  readonly usually: number;
  /** The index may leave others too. */
  readonly isLoose: boolean;
  readonly holds: (id: RawBuilder<unknown>) => RawBuilder<boolean>;
}

/** In the order in which their conditions are checked: cheap ones, and those that leave few, first. */
function indexedOf(tx: Tx, { dateOfBirth, job, phone }: ListFilter): Indexed[] {
  const { indexed } = dialectOf(tx);
  const found: Indexed[] = [];
  if (dateOfBirth !== undefined)
    found.push({
      ids: sql`select id from citizens where date_of_birth = ${dateOfBirth}`,
      usually: 50,
      isLoose: false,
      holds: (id) => sql`exists (select 1 from citizens b where b.id = ${id} and b.date_of_birth = ${dateOfBirth})`,
    });
  if (job !== undefined)
    found.push({
      ids: sql`select citizen_id as id from citizens_jobs where job = ${job}`,
      usually: 100_000,
      isLoose: false,
      // Members of one job are neighbours in this index, and far apart in the one over ids.
      holds: (id) => sql`exists (select 1 from ${indexed("citizens_jobs", "citizens_jobs_job")}
        where citizens_jobs.job = ${job} and citizens_jobs.citizen_id = ${id})`,
    });
  if (phone !== undefined)
    found.push({
      ids: phone.among && sqlOf(phone.among),
      usually: 10_000,
      isLoose: true,
      holds: (id) =>
        sql`exists (select 1 from citizens_phones p where p.citizen_id = ${id} and p.digits like ${`%${phone.digits}%`})`,
    });
  return found;
}

interface Matching {
  /** At most `sorted` and one; none where the filter that leads leaves too many to be compared. */
  readonly ids: readonly number[];
  /** Rows that each of the `counted` filters leaves by itself, counted no further than `compared` and one. */
  readonly sizes: readonly number[];
}

interface MatchingRead {
  /** The filter that is read from its index; its people are compared with the others. */
  readonly leading: Indexed;
  readonly counted: readonly Indexed[];
  readonly limits: Limits;
}

/** Whom all filters leave, without deleted people; the rows of people lie far apart and are read last. */
async function readMatching(tx: Tx, filter: ListFilter, all: readonly Indexed[], read: MatchingRead): Promise<Matching> {
  const { leading, counted, limits } = read;
  const rowsOf = ({ ids }: Indexed) => sql`(select s.id as id from (${ids}) s limit ${sql.lit(limits.compared + 1)})`;
  const sizeOf = (one: Indexed) => sql`(select count(*) from ${rowsOf(one)} counted)`;
  // A part of a number was found in the index of codes, which has those of names too.
  const compared = all.filter((one) => one !== leading || one.isLoose).map(({ holds }) => holds(sql`s.id`));
  const held = [sql`${sizeOf(leading)} <= ${sql.lit(limits.compared)}`, ...compared];
  const left = sql`select distinct s.id as id from ${rowsOf(leading)} s where ${sql.join(held, sql` and `)}`;
  const names = filter.filterEmptyName ? [sql`c.first_name <> ''`, sql`c.last_name <> ''`] : [];
  const changed = filter.changedUntil === undefined ? [] : [sql`c.updated_at <= ${filter.changedUntil}`];
  const conditions = sql.join([sql`+c.deleted_at is null`, ...names, ...changed], sql` and `);
  const people = sql`select c.id as id from (${left}) l ${dialectOf(tx).joinInOrder} citizens c on c.id = l.id
    where ${conditions} limit ${sql.lit(limits.sorted + 1)}`;
  // The sizes come as rows of their own, which spares a statement.
  const counts = counted.map((one, at) => sql` union all select ${sizeOf(one)} as id, ${sql.lit(at)} as size_of`);
  const { rows } = await sql<{ id: number; size_of: number | null }>`select id, null as size_of
    from (${people}) people${sql.join(counts, sql``)}`.execute(queries(tx));
  const sizes: number[] = [];
  for (const { id, size_of } of rows) if (size_of !== null) sizes[Number(size_of)] = Number(id);
  return { ids: rows.flatMap(({ id, size_of }) => (size_of === null ? [Number(id)] : [])), sizes };
}

/** The ids of all who match, where these are few; null where they are not, or no filter has an index of its own. */
export async function fewMatching(tx: Tx, filter: ListFilter, limits = limitsOfLists): Promise<number[] | null> {
  const all = filter.ids === undefined ? indexedOf(tx, filter) : [];
  const [usual, ...rest] = all.filter(({ ids }) => ids !== null).toSorted((a, b) => a.usually - b.usually);
  if (usual === undefined) return null;
  const counted = [usual, ...rest];
  const { ids, sizes } = await readMatching(tx, filter, all, { leading: usual, counted, limits });
  const least = Math.min(...sizes);
  if (least > limits.compared) return null;
  const leading = counted[sizes.indexOf(least)]!;
  const found = sizes[0]! <= limits.compared ? ids : (await readMatching(tx, filter, all, { leading, counted: [], limits })).ids;
  return found.length > limits.sorted ? null : [...found];
}

/** The people that match. */
export function filtered(tx: Tx, filter: ListFilter) {
  const { ids } = filter;
  const from = queries<CitizenTables>(tx).selectFrom("citizens");
  let query = ids ? from.where(foundLive) : from.where("citizens.deleted_at", "is", null);
  if (filter.filterEmptyName) query = query.where("citizens.first_name", "<>", "").where("citizens.last_name", "<>", "");
  if (ids) query = query.where("citizens.id", "in", dialectOf(tx).idList(ids) as never);
  if (filter.changedUntil !== undefined) query = query.where("citizens.updated_at", "<=", filter.changedUntil);
  return indexedOf(tx, filter).reduce((rows, { holds }) => rows.where(holds(sql.ref("citizens.id"))), query);
}

/** How many match, counted no further than `cap`. */
export async function countRows(tx: Tx, filter: ListFilter, cap: number): Promise<number> {
  const matching = filtered(tx, filter).select("citizens.id").limit(cap);
  const { rows } = await sql<{ n: number }>`select count(*) as n from (${matching}) matching`.execute(queries(tx));
  return Number(rows[0]?.n ?? 0);
}
