import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from "kysely";
import { dialectOf, queries } from "#core/db/index.ts";
import type { Decider, Tx } from "#core/ports/index.ts";
import type { Caller, Standing } from "./approvals.policy.ts";
import type { ApprovalTables } from "./approvals.schema.ts";

export type RequestRow = Selectable<ApprovalTables["approvals_requests"]>;
export type DecisionRow = Selectable<ApprovalTables["approvals_decisions"]>;

const requests = (tx: Tx) => queries<ApprovalTables>(tx).selectFrom("approvals_requests as r").selectAll("r");

/** Locked when the unit of work can write, so that two deciders take turns. */
export async function find(tx: Tx, id: number): Promise<RequestRow | null> {
  const select = requests(tx).where("r.id", "=", id);
  return (await (tx.writable ? dialectOf(tx).lock(select) : select).executeTakeFirst()) ?? null;
}

export type SubjectRow = Pick<RequestRow, "kind" | "subject">;

/** What an open request is about, without a lock; none when it is not open. */
export async function subjectOf(tx: Tx, id: number): Promise<SubjectRow[]> {
  return await requests(tx).where("r.id", "=", id).where("r.state", "=", "open").execute();
}

/** What the open requests of these accounts, or of these citizens, are about, without a lock. */
export async function subjectsOf(
  tx: Tx,
  who: "requester_account_id" | "requester_character_id",
  ids: readonly number[],
): Promise<SubjectRow[]> {
  if (ids.length === 0) return [];
  return await requests(tx).where(`r.${who}`, "in", ids).where("r.state", "=", "open").orderBy("r.id").execute();
}

export const openKey = (kind: string, subject: string) => `${kind} ${subject}`;

/** The open request of a subject, locked. */
export async function lockOpen(tx: Tx, kind: string, subject: string): Promise<RequestRow | null> {
  const select = requests(tx).where("r.open_key", "=", openKey(kind, subject));
  return (await dialectOf(tx).lock(select).executeTakeFirst()) ?? null;
}

/** Whether exactly this claim about a subject was ever refused. */
export async function wasRefused(tx: Tx, kind: string, subject: string, claim: string): Promise<boolean> {
  const select = requests(tx).where("r.kind", "=", kind).where("r.subject", "=", subject).where("r.state", "=", "refused");
  return (await select.where("r.claim", "=", claim).limit(1).executeTakeFirst()) !== undefined;
}

export async function insert(tx: Tx, row: Insertable<ApprovalTables["approvals_requests"]>): Promise<number> {
  const { insertId } = await queries<ApprovalTables>(tx).insertInto("approvals_requests").values(row).executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function update(tx: Tx, id: number, values: Updateable<ApprovalTables["approvals_requests"]>): Promise<void> {
  await queries<ApprovalTables>(tx).updateTable("approvals_requests").set(values).where("id", "=", id).execute();
}

function rowOf(requestId: number, step: number, n: number, decider: Decider) {
  const { by } = decider;
  const grades = "grades" in decider ? decider.grades : null;
  return {
    request_id: requestId,
    step,
    n,
    decider: by,
    permission: by === "right" ? decider.permission : "",
    job: "job" in decider ? (decider.job ?? "") : "",
    min_grade: by === "grade" ? decider.minGrade : (grades?.from ?? 0),
    max_grade: grades?.to ?? null,
    citizen_id: by === "citizen" ? decider.id : 0,
  };
}

function deciderOf(row: Selectable<ApprovalTables["approvals_deciders"]>): Decider {
  switch (row.decider as Decider["by"]) {
    case "configAdmins":
      return { by: "configAdmins" };
    case "jobAdmins":
      return { by: "jobAdmins", job: row.job };
    case "right":
      if (row.max_grade !== null)
        return { by: "right", permission: row.permission, job: row.job, grades: { from: row.min_grade, to: row.max_grade } };
      return { by: "right", permission: row.permission, ...(row.job === "" ? {} : { job: row.job }) };
    case "grade":
      return { by: "grade", job: row.job, minGrade: row.min_grade };
    case "citizen":
      return { by: "citizen", id: row.citizen_id };
  }
}

export async function insertDeciders(tx: Tx, requestId: number, steps: readonly (readonly Decider[])[]): Promise<void> {
  const rows = steps.flatMap((deciders, step) => deciders.map((decider, n) => rowOf(requestId, step, n, decider)));
  await queries<ApprovalTables>(tx).insertInto("approvals_deciders").values(rows).execute();
}

/** Behind those that the step has. */
export async function addDeciders(tx: Tx, { id, step }: RequestRow, deciders: readonly Decider[]): Promise<void> {
  const taken = (await decidersOf(tx, [id])).filter((one) => one.step === step).length;
  const rows = deciders.map((decider, n) => rowOf(id, step, taken + n, decider));
  await queries<ApprovalTables>(tx).insertInto("approvals_deciders").values(rows).execute();
}

export interface StoredDecider {
  readonly requestId: number;
  readonly step: number;
  readonly decider: Decider;
}

/** Of all steps of these requests, in their order. */
export async function decidersOf(tx: Tx, requestIds: readonly number[]): Promise<StoredDecider[]> {
  if (requestIds.length === 0) return [];
  const rows = await queries<ApprovalTables>(tx)
    .selectFrom("approvals_deciders")
    .selectAll()
    .where("request_id", "in", requestIds)
    .orderBy("request_id")
    .orderBy("step")
    .orderBy("n")
    .execute();
  return rows.map((row) => ({ requestId: row.request_id, step: row.step, decider: deciderOf(row) }));
}

export async function insertDecision(tx: Tx, row: Insertable<ApprovalTables["approvals_decisions"]>): Promise<void> {
  await queries<ApprovalTables>(tx).insertInto("approvals_decisions").values(row).execute();
}

export async function decisionsOf(tx: Tx, requestIds: readonly number[]): Promise<DecisionRow[]> {
  if (requestIds.length === 0) return [];
  return await queries<ApprovalTables>(tx)
    .selectFrom("approvals_decisions")
    .selectAll()
    .where("request_id", "in", requestIds)
    .orderBy("step")
    .execute();
}

/** The same rule as `decides` of the policy, for the deciders of the present step. */
function decidesPresent({ configAdmin, jobAdmin, permissions, job, grade, characterId }: Standing): RawBuilder<unknown> {
  const right =
    permissions.length === 0
      ? sql``
      : sql`or (d.decider = 'right' and d.permission in (${sql.join(permissions)}) and d.job in ('', ${job})
      and (d.max_grade is null or (d.min_grade <= ${grade} and d.max_grade >= ${grade})))`;
  const admin = sql`${configAdmin ? sql`or d.decider = 'configAdmins'` : sql``}
    ${jobAdmin ? sql`or (d.decider = 'jobAdmins' and d.job = ${job})` : sql``}`;
  return sql`exists (select 1 from approvals_deciders d where d.request_id = r.id and d.step = r.step and (
    (d.decider = 'grade' and d.job = ${job} and d.min_grade <= ${grade})
    or (d.decider = 'citizen' and d.citizen_id = ${characterId})
    ${right} ${admin}))`;
}

/** Neither the requester, nor who decided an earlier step or in whose name one was decided. */
const notBy = (accountId: number) => sql`((r.requester_account_id is null or r.requester_account_id <> ${accountId})
  and not exists (select 1 from approvals_decisions b where b.request_id = r.id
    and (b.account_id = ${accountId} or b.on_behalf_account_id = ${accountId})))`;

/** The same rule as `standpointOf` of the policy. */
function waitingFor({ own, lent }: Caller, now: number): RawBuilder<boolean> {
  const ways = [
    decidesPresent(own),
    ...lent.map(
      ({ kinds, standing }) =>
        sql`(r.kind in (${sql.join(kinds)}) and ${notBy(standing.accountId)} and ${decidesPresent(standing)})`,
    ),
  ];
  return sql<boolean>`r.state = 'open' and (r.expires_at is null or r.expires_at > ${now}) and ${notBy(own.accountId)}
    and (${sql.join(ways, sql` or `)})`;
}

export interface ListFilter {
  readonly list: "waiting" | "own" | "decided";
  readonly caller: Caller;
  readonly now: number;
  /** Only this kind. */
  readonly kind?: string;
}

function conditionOf({ list, caller, now }: ListFilter): RawBuilder<boolean> {
  const { accountId, job } = caller.own;
  const lent = caller.lent.map(({ kinds, standing }) => sql`or (d.job = ${standing.job} and r.kind in (${sql.join(kinds)}))`);
  const stillIn = sql`exists (select 1 from approvals_deciders d where d.request_id = x.request_id and d.step = x.step
    and (d.job in ('', ${job}) ${sql.join(lent, sql` `)}))`;
  switch (list) {
    case "waiting":
      return waitingFor(caller, now);
    case "own":
      return sql<boolean>`r.requester_account_id = ${accountId}`;
    case "decided":
      // The same rule as `isStillIn` of the policy.
      return sql<boolean>`r.id in (select x.request_id from approvals_decisions x where x.account_id = ${accountId} and ${stillIn}
        union select x.request_id from approvals_decisions x where x.on_behalf_account_id = ${accountId} and ${stillIn})`;
  }
}

export interface PagePlace {
  /** The id of the last request of the page before. */
  readonly after: number | null;
  readonly oldest: boolean;
  readonly limit: number;
}

/** The newest or the oldest first; ids rise with the time of the request. */
export async function page(tx: Tx, filter: ListFilter, { after, oldest, limit }: PagePlace): Promise<RequestRow[]> {
  let select = requests(tx).where(conditionOf(filter));
  if (filter.kind !== undefined) select = select.where("r.kind", "=", filter.kind);
  if (after !== null) select = select.where("r.id", oldest ? ">" : "<", after);
  return await select
    .orderBy("r.id", oldest ? "asc" : "desc")
    .limit(limit)
    .execute();
}

export async function count(tx: Tx, filter: ListFilter, cap: number): Promise<number> {
  const row = await queries<ApprovalTables>(tx)
    .selectFrom(requests(tx).where(conditionOf(filter)).clearSelect().select("r.id").limit(cap).as("capped"))
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

async function removeAll(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const from = queries<ApprovalTables>(tx);
  await from.deleteFrom("approvals_deciders").where("request_id", "in", ids).execute();
  await from.deleteFrom("approvals_decisions").where("request_id", "in", ids).execute();
  await from.deleteFrom("approvals_requests").where("id", "in", ids).execute();
}

/** Removes requests that ended before an instant; returns how many. */
export async function removeDecided(tx: Tx, before: number, limit: number): Promise<number> {
  const select = queries<ApprovalTables>(tx)
    .selectFrom("approvals_requests")
    .select("id")
    .where("decided_at", "<", before)
    .orderBy("decided_at")
    .limit(limit);
  const ids = (await select.execute()).map(({ id }) => id);
  await removeAll(tx, ids);
  return ids.length;
}

/** The open requests of these accounts, locked. */
export async function lockOpenOf(tx: Tx, accountIds: readonly number[]): Promise<RequestRow[]> {
  if (accountIds.length === 0) return [];
  const select = requests(tx).where("r.requester_account_id", "in", accountIds).where("r.state", "=", "open").orderBy("r.id");
  return await dialectOf(tx).lock(select).execute();
}

/** The open requests that these citizens made, locked. */
export async function lockOpenOfCitizens(tx: Tx, citizenIds: readonly number[]): Promise<RequestRow[]> {
  if (citizenIds.length === 0) return [];
  const select = requests(tx).where("r.requester_character_id", "in", citizenIds).where("r.state", "=", "open").orderBy("r.id");
  return await dialectOf(tx).lock(select).execute();
}

/** Removes the requests that these citizens made, whose texts name them, and their names from decisions about others. */
export async function removeOfCitizens(tx: Tx, citizenIds: readonly number[]): Promise<void> {
  if (citizenIds.length === 0) return;
  const rows = await requests(tx).where("r.requester_character_id", "in", citizenIds).execute();
  await removeAll(
    tx,
    rows.map(({ id }) => id),
  );
  const decisions = queries<ApprovalTables>(tx).updateTable("approvals_decisions");
  await decisions.set({ character_id: null, name: "" }).where("character_id", "in", citizenIds).execute();
  const behalf = { on_behalf_character_id: null, on_behalf: "" };
  await decisions.set(behalf).where("on_behalf_character_id", "in", citizenIds).execute();
}

/** Removes the requests of these accounts, and their names from decisions about requests of others. */
export async function removeOfAccounts(tx: Tx, accountIds: readonly number[]): Promise<void> {
  if (accountIds.length === 0) return;
  const rows = await requests(tx).where("r.requester_account_id", "in", accountIds).execute();
  await removeAll(
    tx,
    rows.map(({ id }) => id),
  );
  const decisions = queries<ApprovalTables>(tx).updateTable("approvals_decisions");
  await decisions.set({ account_id: null, character_id: null, name: "" }).where("account_id", "in", accountIds).execute();
  const behalf = { on_behalf_account_id: null, on_behalf_character_id: null, on_behalf: "" };
  await decisions.set(behalf).where("on_behalf_account_id", "in", accountIds).execute();
}
