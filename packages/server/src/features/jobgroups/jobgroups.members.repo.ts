import { type Selectable, sql, type SqlBool } from "kysely";
import { bulkInsert, pruneOlder, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { heldGrades } from "#features/citizens/citizens.reads.ts";
import {
  jobgroupsExclusions,
  jobgroupsHand,
  jobgroupsLeaders,
  jobgroupsMembers,
  type JobgroupTables,
} from "./jobgroups.schema.ts";

export type HandRow = Selectable<JobgroupTables["jobgroups_hand"]>;
export type ExclusionRow = Selectable<JobgroupTables["jobgroups_exclusions"]>;
export type MemberRow = Selectable<JobgroupTables["jobgroups_members"]>;
/** Both have the same columns. */
export type PostTable = "jobgroups_hand" | "jobgroups_leaders";

const postTables = { jobgroups_hand: jobgroupsHand, jobgroups_leaders: jobgroupsLeaders } as const;
const db = (tx: Tx) => queries<JobgroupTables>(tx);
const some = (ids: readonly number[]) => (ids.length === 0 ? [0] : [...ids]);

/** Grades of these citizens in the job; without those who are not in it. */
export async function gradesOf(tx: Tx, job: string, citizenIds: readonly number[]): Promise<Map<number, number>> {
  if (citizenIds.length === 0) return new Map();
  const rows = await heldGrades(tx)
    .where("citizens_jobs.job", "=", job)
    .where("citizens_jobs.citizen_id", "in", [...citizenIds])
    .execute();
  return new Map(rows.map(({ citizen_id, grade }) => [citizen_id, grade]));
}

/** Ids of people in the job, above `after`. */
export async function peopleAfter(tx: Tx, job: string, after: number, limit: number): Promise<number[]> {
  const rows = await heldGrades(tx)
    .where("citizens_jobs.job", "=", job)
    .where("citizens_jobs.citizen_id", ">", after)
    .orderBy("citizens_jobs.citizen_id")
    .limit(limit)
    .execute();
  return rows.map(({ citizen_id }) => citizen_id);
}

/** What these citizens are by hand, or lead, in a job. */
export async function postsOf(tx: Tx, table: PostTable, job: string, citizenIds: readonly number[]): Promise<HandRow[]> {
  return await db(tx).selectFrom(table).selectAll().where("citizen_id", "in", some(citizenIds)).where("job", "=", job).execute();
}

/** The groups that somebody leads now: who is excluded from one does not lead it. */
export async function ledBy(tx: Tx, job: string, citizenId: number, now: number): Promise<Set<number>> {
  const led = await postsOf(tx, "jobgroups_leaders", job, [citizenId]);
  if (led.length === 0) return new Set();
  const excluded = new Set((await exclusionsOf(tx, job, [citizenId], now)).map(({ group_id }) => group_id));
  return new Set(led.map(({ group_id }) => group_id).filter((id) => !excluded.has(id)));
}

/** Everybody who is in a group by hand, or leads it. */
export async function postsIn(tx: Tx, table: PostTable, groupId: number, citizenIds?: readonly number[]): Promise<HandRow[]> {
  let select = db(tx).selectFrom(table).selectAll().where("group_id", "=", groupId);
  if (citizenIds !== undefined) select = select.where("citizen_id", "in", some(citizenIds));
  return await select.orderBy("added_at").orderBy("citizen_id").execute();
}

export async function addPosts(tx: Tx, table: PostTable, rows: readonly HandRow[]): Promise<void> {
  await bulkInsert(tx, postTables[table], rows);
}

export async function removePosts(tx: Tx, table: PostTable, groupId: number, citizenIds: readonly number[]): Promise<void> {
  if (citizenIds.length === 0) return;
  await db(tx)
    .deleteFrom(table)
    .where("group_id", "=", groupId)
    .where("citizen_id", "in", [...citizenIds])
    .execute();
}

/** Of all jobs: where these citizens are by hand, lead, or are members. */
export async function placesOf(tx: Tx, citizenIds: readonly number[]) {
  const of = async (table: PostTable | "jobgroups_members") =>
    await db(tx)
      .selectFrom(table)
      .select(["group_id", "citizen_id", "job"])
      .where("citizen_id", "in", some(citizenIds))
      .execute();
  return { hand: await of("jobgroups_hand"), leaders: await of("jobgroups_leaders"), members: await of("jobgroups_members") };
}

const running = (now: number) => sql<SqlBool>`(ends_at is null or ends_at > ${now})`;

/** Exclusions of these citizens in a job that have not ended. */
export async function exclusionsOf(tx: Tx, job: string, citizenIds: readonly number[], now: number): Promise<ExclusionRow[]> {
  return await db(tx)
    .selectFrom("jobgroups_exclusions")
    .selectAll()
    .where("citizen_id", "in", some(citizenIds))
    .where("job", "=", job)
    .where(running(now))
    .execute();
}

/** Those of a group that have not ended, the latest first. */
export async function exclusionsIn(tx: Tx, groupId: number, now: number, limit: number): Promise<ExclusionRow[]> {
  return await db(tx)
    .selectFrom("jobgroups_exclusions")
    .selectAll()
    .where("group_id", "=", groupId)
    .where(running(now))
    .orderBy("added_at", "desc")
    .orderBy("citizen_id")
    .limit(limit)
    .execute();
}

export async function putExclusion(tx: Tx, row: ExclusionRow): Promise<void> {
  const update = ["reason", "ends_at", "added_by", "added_at"] as const;
  await bulkInsert(tx, jobgroupsExclusions, [row], { onConflict: { keys: ["group_id", "citizen_id"], update } });
}

export async function removeExclusion(tx: Tx, groupId: number, citizenId: number): Promise<void> {
  await db(tx).deleteFrom("jobgroups_exclusions").where("group_id", "=", groupId).where("citizen_id", "=", citizenId).execute();
}

export async function membersOf(tx: Tx, job: string, citizenIds: readonly number[]): Promise<MemberRow[]> {
  return await db(tx)
    .selectFrom("jobgroups_members")
    .selectAll()
    .where("citizen_id", "in", some(citizenIds))
    .where("job", "=", job)
    .execute();
}

/** The live groups, of all jobs, that a character is a member of. */
export async function heldGroups(tx: Tx, citizenId: number): Promise<{ group_id: number; job: string }[]> {
  return await db(tx)
    .selectFrom("jobgroups_members")
    .innerJoin("jobgroups", "jobgroups.id", "jobgroups_members.group_id")
    .select(["jobgroups_members.group_id", "jobgroups_members.job"])
    .where("jobgroups_members.citizen_id", "=", citizenId)
    .where("jobgroups.deleted_at", "is", null)
    .orderBy("jobgroups_members.group_id")
    .execute();
}

export async function putMembers(tx: Tx, rows: readonly MemberRow[]): Promise<void> {
  await bulkInsert(tx, jobgroupsMembers, rows, { onConflict: { keys: ["group_id", "citizen_id"], update: ["name_key"] } });
}

export async function removeMembers(tx: Tx, rows: readonly Pick<MemberRow, "group_id" | "citizen_id">[]): Promise<void> {
  for (const [groupId, all] of Map.groupBy(rows, ({ group_id }) => group_id))
    await db(tx)
      .deleteFrom("jobgroups_members")
      .where("group_id", "=", groupId)
      .where(
        "citizen_id",
        "in",
        all.map(({ citizen_id }) => citizen_id),
      )
      .execute();
}

/** Everybody of a group, who is answered. */
export async function removeAllOf(tx: Tx, groupId: number): Promise<number[]> {
  const rows = await db(tx).selectFrom("jobgroups_members").select("citizen_id").where("group_id", "=", groupId).execute();
  await db(tx).deleteFrom("jobgroups_members").where("group_id", "=", groupId).execute();
  return rows.map(({ citizen_id }) => citizen_id);
}

/** Of these groups; those without anybody are left out. */
export async function countMembersIn(tx: Tx, groupIds: readonly number[]): Promise<Map<number, number>> {
  if (groupIds.length === 0) return new Map();
  const rows = await db(tx)
    .selectFrom("jobgroups_members")
    .select((e) => ["group_id", e.fn.countAll<number>().as("n")])
    .where("group_id", "in", [...groupIds])
    .groupBy("group_id")
    .execute();
  return new Map(rows.map(({ group_id, n }) => [group_id, Number(n)]));
}

export interface MemberPlace {
  /** Name and id of the last row of the page before. */
  readonly after: { readonly key: string; readonly id: number } | null;
  readonly limit: number;
}

/** By name. */
export async function pageOf(tx: Tx, groupId: number, { after, limit }: MemberPlace): Promise<MemberRow[]> {
  let select = db(tx).selectFrom("jobgroups_members").selectAll().where("group_id", "=", groupId);
  if (after !== null)
    select = select.where((e) =>
      e.or([e("name_key", ">", after.key), e.and([e("name_key", "=", after.key), e("citizen_id", ">", after.id)])]),
    );
  return await select.orderBy("name_key").orderBy("citizen_id").limit(limit).execute();
}

export async function countOf(tx: Tx, groupId: number, cap: number): Promise<number> {
  const row = await db(tx)
    .selectFrom(
      db(tx).selectFrom("jobgroups_members").select("citizen_id").where("group_id", "=", groupId).limit(cap).as("capped"),
    )
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** All that is stored of citizens who were removed for good. */
export async function removeCitizens(tx: Tx, citizenIds: readonly number[]): Promise<void> {
  const gone = some(citizenIds);
  for (const table of ["jobgroups_hand", "jobgroups_leaders", "jobgroups_exclusions", "jobgroups_members"] as const)
    await db(tx).deleteFrom(table).where("citizen_id", "in", gone).execute();
  for (const table of ["jobgroups_hand", "jobgroups_leaders", "jobgroups_exclusions"] as const)
    await db(tx).updateTable(table).set({ added_by: null }).where("added_by", "in", gone).execute();
  await db(tx).updateTable("jobgroups").set({ deleted_by: null }).where("deleted_by", "in", gone).execute();
}

export const removeEnded = pruneOlder(jobgroupsExclusions, "ends_at");
