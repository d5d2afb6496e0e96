import { type Insertable, type Selectable, sql, type SqlBool, type Updateable } from "kysely";
import { dialectOf, type Ordered, type Position, queries, readOrdered } from "#core/db/index.ts";
import type { SearchVisibility, Tx } from "#core/ports/index.ts";
import type { CallsTables } from "./calls.schema.ts";

export type CallRow = Selectable<CallsTables["calls"]>;
export type CallJobRow = Selectable<CallsTables["calls_jobs"]>;
export type CallerRow = Selectable<CallsTables["calls_callers"]>;

const db = (tx: Tx) => queries<CallsTables>(tx);
const some = (ids: readonly number[]) => (ids.length === 0 ? [0] : [...ids]);

/** For whom calls are read, and when. */
export interface Seeing {
  /** Null where the viewer's rights show no calls of it. */
  readonly job: string | null;
  readonly grade: number;
  readonly now: number;
  /** Calls that the viewer's unit is asked for or works. */
  readonly crewOf: readonly number[];
}

const offered = ({ job, grade, now }: Seeing) =>
  sql`select call_id from calls_jobs where job = ${job} and min_grade <= ${grade} and (expires_at is null or expires_at > ${now})`;

/** Compiled into each query, so that nothing of other calls is read or counted. */
function seen(seeing: Seeing) {
  const { crewOf } = seeing;
  // Most people have no such call, and their queries read the job's index alone.
  if (crewOf.length === 0) return sql<SqlBool>`calls.id in (${offered(seeing)})`;
  return sql<SqlBool>`(calls.id in (${offered(seeing)}) or calls.id in (${sql.join(crewOf)}))`;
}

/** The same for the search. */
export function foundBy({ job, grade, now, crewOf }: Seeing): SearchVisibility {
  const offers =
    "select call_id as id from calls_jobs where job = ? and min_grade <= ? and (expires_at is null or expires_at > ?)";
  const crew = crewOf.length === 0 ? "" : ` union select id from calls where id in (${crewOf.map(() => "?").join(", ")})`;
  const ids = offers + crew;
  const params = [job, grade, now, ...crewOf];
  return { condition: { sql: `{id} in (${ids})`, params }, among: { sql: ids, params } };
}

export interface CallsFilter {
  /** Only these. */
  readonly ids?: readonly number[];
  readonly state?: string;
  readonly typeId?: number;
  readonly priority?: number;
  readonly postal?: string;
  /** One of its jobs. */
  readonly job?: string;
  /** Only these, of a unit. */
  readonly ofUnit?: readonly number[];
  /** Created from this instant on, and before that one. */
  readonly from?: number;
  readonly before?: number;
}

function filtered(tx: Tx, seeing: Seeing, { ids, state, typeId, priority, ...more }: CallsFilter) {
  const { postal, job, ofUnit, from, before } = more;
  let query = db(tx).selectFrom("calls").where(seen(seeing));
  if (ids !== undefined) query = query.where("calls.id", "in", some(ids));
  if (state !== undefined)
    query = state === "ended" ? query.where("calls.state", "<>", "open") : query.where("calls.state", "=", state);
  if (typeId !== undefined) query = query.where("calls.type_id", "=", typeId);
  if (priority !== undefined) query = query.where("calls.priority", "=", priority);
  if (postal !== undefined) query = query.where("calls.postal", "=", postal);
  if (job !== undefined)
    query = query.where((e) =>
      e.exists(
        e
          .selectFrom("calls_jobs as further")
          .select("further.call_id")
          .whereRef("further.call_id", "=", "calls.id")
          .where("further.job", "=", job),
      ),
    );
  if (ofUnit !== undefined) query = query.where("calls.id", "in", some(ofUnit));
  if (from !== undefined) query = query.where("calls.created_at", ">=", from);
  if (before !== undefined) query = query.where("calls.created_at", "<", before);
  return query;
}

export async function listRows(
  tx: Tx,
  seeing: Seeing,
  filter: CallsFilter,
  { position, limit }: { readonly position: Position; readonly limit: number },
): Promise<(CallRow & Ordered)[]> {
  const narrowed = (["ids", "typeId", "postal", "ofUnit"] as const).some((name) => filter[name] !== undefined);
  return await readOrdered(tx, filtered(tx, seeing, filter).selectAll("calls"), { position, limit, narrowed });
}

/** How many match, counted no further than `cap`. */
export async function countRows(tx: Tx, seeing: Seeing, filter: CallsFilter, cap: number): Promise<number> {
  const row = await db(tx)
    .selectFrom(filtered(tx, seeing, filter).select("calls.id").limit(cap).as("capped"))
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** Not archived ones: open ones first, the most urgent and then the oldest before others. */
export async function presentRows(tx: Tx, seeing: Seeing, limit: number): Promise<CallRow[]> {
  return await db(tx)
    .selectFrom("calls")
    .selectAll()
    .where("archived_at", "is", null)
    .where(seen(seeing))
    .orderBy(sql`case when state = 'open' then 0 else 1 end`)
    .orderBy("priority")
    .orderBy("waiting_since")
    .orderBy("id")
    .limit(limit)
    .execute();
}

export async function countOpen(tx: Tx, seeing: Seeing): Promise<number> {
  const row = await db(tx)
    .selectFrom("calls")
    .select((e) => e.fn.countAll<number>().as("n"))
    .where("archived_at", "is", null)
    .where("state", "=", "open")
    .where(seen(seeing))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** Present ones of a caller who is shown, the newest first. */
export async function ownRows(tx: Tx, citizenId: number, limit: number): Promise<CallRow[]> {
  const own = db(tx).selectFrom("calls_callers").select("call_id").where("citizen_id", "=", citizenId).where("anonymous", "=", 0);
  return await db(tx)
    .selectFrom("calls")
    .selectAll()
    .where("id", "in", own)
    .where("archived_at", "is", null)
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

/** Open ones with this caller and no other one, for the game server. Without those who stayed anonymous: that they end together would say whose they are. */
export async function openOf(tx: Tx, citizenId: number): Promise<number[]> {
  const rows = await db(tx)
    .selectFrom("calls")
    .innerJoin("calls_callers", "calls_callers.call_id", "calls.id")
    .select("calls.id")
    .distinct()
    .where("calls_callers.citizen_id", "=", citizenId)
    .where("calls_callers.anonymous", "=", 0)
    .where("calls.state", "=", "open")
    .where((e) =>
      e.not(
        e.exists(
          e
            .selectFrom("calls_callers as others")
            .select("others.id")
            .whereRef("others.call_id", "=", "calls.id")
            .where((o) =>
              o.or([o("others.citizen_id", "is", null), o("others.citizen_id", "<>", citizenId), o("others.anonymous", "=", 1)]),
            ),
        ),
      ),
    )
    .orderBy("calls.id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Without a lock, in the order of their ids. */
export async function byIds(tx: Tx, ids: readonly number[]): Promise<CallRow[]> {
  if (ids.length === 0) return [];
  return await db(tx).selectFrom("calls").selectAll().where("id", "in", ids).orderBy("id").execute();
}

/** The ids of those that the viewer sees. */
export async function seenIds(tx: Tx, seeing: Seeing, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await filtered(tx, seeing, { ids }).select("calls.id").execute();
  return new Set(rows.map(({ id }) => id));
}

/** Of these, those that the viewer sees. */
export async function seenByIds(tx: Tx, seeing: Seeing, ids: readonly number[]): Promise<CallRow[]> {
  return await filtered(tx, seeing, { ids }).selectAll("calls").orderBy("calls.id").execute();
}

/** Several, locked in the order of their ids, so that two who want the same ones take turns. */
export async function findAll(tx: Tx, ids: readonly number[]): Promise<Map<number, CallRow>> {
  const found = new Map<number, CallRow>();
  for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) {
    const row = await find(tx, id);
    if (row !== null) found.set(id, row);
  }
  return found;
}

/** Locked when the unit of work can write. */
export async function find(tx: Tx, id: number): Promise<CallRow | null> {
  const select = db(tx).selectFrom("calls").selectAll().where("id", "=", id);
  return (await (tx.writable ? dialectOf(tx).lock(select) : select).executeTakeFirst()) ?? null;
}

export async function insert(tx: Tx, row: Insertable<CallsTables["calls"]>): Promise<number> {
  const { insertId } = await db(tx).insertInto("calls").values(row).executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function update(tx: Tx, id: number, values: Updateable<CallsTables["calls"]>): Promise<void> {
  await db(tx).updateTable("calls").set(values).where("id", "=", id).execute();
}

/** By call, in their order. */
export async function jobsOf(tx: Tx, ids: readonly number[]): Promise<Map<number, CallJobRow[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db(tx).selectFrom("calls_jobs").selectAll().where("call_id", "in", ids).orderBy("position").execute();
  return Map.groupBy(rows, ({ call_id }) => call_id);
}

export async function jobsOfCall(tx: Tx, id: number): Promise<CallJobRow[]> {
  return (await jobsOf(tx, [id])).get(id) ?? [];
}

export async function insertJobs(tx: Tx, rows: readonly Insertable<CallsTables["calls_jobs"]>[]): Promise<void> {
  await db(tx)
    .insertInto("calls_jobs")
    .values([...rows])
    .execute();
}

/** Writes a job of a call, which may be among its jobs with another level. */
export async function putJob(tx: Tx, row: CallJobRow): Promise<void> {
  await removeJob(tx, row.call_id, row.job);
  await db(tx).insertInto("calls_jobs").values(row).execute();
}

export async function setLevel(tx: Tx, callId: number, job: string, level: string): Promise<void> {
  await db(tx).updateTable("calls_jobs").set({ level }).where("call_id", "=", callId).where("job", "=", job).execute();
}

export async function removeJob(tx: Tx, callId: number, job: string): Promise<void> {
  await db(tx).deleteFrom("calls_jobs").where("call_id", "=", callId).where("job", "=", job).execute();
}

/** By call, the first one first. */
export async function callersOf(tx: Tx, ids: readonly number[]): Promise<Map<number, CallerRow[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db(tx).selectFrom("calls_callers").selectAll().where("call_id", "in", ids).orderBy("id").execute();
  return Map.groupBy(rows, ({ call_id }) => call_id);
}

export async function insertCaller(tx: Tx, row: Insertable<CallsTables["calls_callers"]>): Promise<number> {
  const { insertId } = await db(tx).insertInto("calls_callers").values(row).executeTakeFirstOrThrow();
  return Number(insertId);
}

/** How often a person called since an instant, anonymously or not. */
export async function countCallsSince(tx: Tx, citizenId: number, since: number): Promise<number> {
  const row = await db(tx)
    .selectFrom("calls_callers")
    .innerJoin("calls_alerts", "calls_alerts.caller_id", "calls_callers.id")
    .select((e) => e.fn.countAll<number>().as("n"))
    .where("calls_callers.citizen_id", "=", citizenId)
    .where("calls_alerts.at", ">", since)
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** The caller of a call who is this person, named or not; null for none. */
export async function callerIn(tx: Tx, callId: number, citizenId: number, anonymous: 0 | 1): Promise<number | null> {
  const row = await db(tx)
    .selectFrom("calls_callers")
    .select("id")
    .where("call_id", "=", callId)
    .where("citizen_id", "=", citizenId)
    .where("anonymous", "=", anonymous)
    .executeTakeFirst();
  return row?.id ?? null;
}

export async function insertAlert(tx: Tx, row: Insertable<CallsTables["calls_alerts"]>): Promise<void> {
  await db(tx).insertInto("calls_alerts").values(row).execute();
}

export async function newestOpen(tx: Tx, job: string): Promise<number | null> {
  const row = await db(tx)
    .selectFrom("calls")
    .innerJoin("calls_jobs", "calls_jobs.call_id", "calls.id")
    .select("calls.id")
    .where("calls_jobs.job", "=", job)
    .where("calls.archived_at", "is", null)
    .where("calls.state", "=", "open")
    .orderBy("calls.id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.id ?? null;
}

/** Open ones of a job behind an id, locked. */
export async function openIn(tx: Tx, job: string, after: number, limit: number): Promise<CallRow[]> {
  const ofJob = db(tx).selectFrom("calls_jobs").select("call_id").where("job", "=", job);
  const select = db(tx)
    .selectFrom("calls")
    .selectAll()
    .where("archived_at", "is", null)
    .where("state", "=", "open")
    .where("id", ">", after)
    .where("id", "in", ofJob)
    .orderBy("id")
    .limit(limit);
  return await dialectOf(tx).lock(select).execute();
}

/** What was written at the end of the panics of these people is about them. */
async function forgetPanics(tx: Tx, citizenIds: readonly number[]): Promise<void> {
  const rows = await db(tx)
    .selectFrom("calls")
    .innerJoin("calls_callers", "calls_callers.call_id", "calls.id")
    .select("calls.id")
    .where("calls_callers.citizen_id", "in", citizenIds)
    .where("calls.kind", "=", "panic")
    .execute();
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return;
  await db(tx).updateTable("calls").set({ ended_text: null }).where("id", "in", ids).execute();
  const ends = db(tx).updateTable("calls_entries").set({ text: null }).where("call_id", "in", ids);
  await ends.where("kind", "in", ["completed", "cancelled"]).execute();
}

/** What the calls keep of people who were removed for good: that somebody called or wrote, and nothing of whom. */
export async function forgetCitizens(tx: Tx, citizenIds: readonly number[]): Promise<void> {
  if (citizenIds.length === 0) return;
  const gone = { citizen_id: null, phone: null };
  await forgetPanics(tx, citizenIds);
  await db(tx).updateTable("calls").set({ ended_by: "–", ended_by_id: null }).where("ended_by_id", "in", citizenIds).execute();
  await db(tx).updateTable("calls_callers").set(gone).where("citizen_id", "in", citizenIds).execute();
  await db(tx).updateTable("calls_entries").set({ by_id: null, by_name: null }).where("by_id", "in", citizenIds).execute();
  await db(tx).updateTable("calls_entries").set({ citizen_id: null }).where("citizen_id", "in", citizenIds).execute();
}

/** The oldest that ended before an instant, with all that belongs to them. */
export async function endedBefore(tx: Tx, before: number, limit: number): Promise<number[]> {
  // A call reads those that were merged into it for as long as it is kept itself.
  const select = db(tx)
    .selectFrom("calls")
    .select("id")
    .where("ended_at", "<", before)
    .where((e) =>
      e.not(
        e.exists(e.selectFrom("calls as survivors").select("survivors.id").whereRef("survivors.id", "=", "calls.merged_into")),
      ),
    )
    .orderBy("ended_at")
    .limit(limit);
  return (await dialectOf(tx).lock(select).execute()).map(({ id }) => id);
}

export async function remove(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  for (const table of [
    "calls_jobs",
    "calls_callers",
    "calls_alerts",
    "calls_entries",
    "calls_merges",
    "calls_handovers",
  ] as const)
    await db(tx).deleteFrom(table).where("call_id", "in", ids).execute();
  await db(tx)
    .deleteFrom("calls_links")
    .where((e) => e.or([e("a_id", "in", ids), e("b_id", "in", ids)]))
    .execute();
  await db(tx).deleteFrom("calls").where("id", "in", ids).execute();
}
