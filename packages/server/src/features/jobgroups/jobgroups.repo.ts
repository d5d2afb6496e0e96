import type { Insertable, Selectable, Updateable } from "kysely";
import { bulkInsert, dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { GroupRule } from "./jobgroups.base.contract.ts";
import type { GroupNode } from "./jobgroups.membership.policy.ts";
import { jobgroupsContained, type JobgroupTables, jobgroupsRules } from "./jobgroups.schema.ts";

export type GroupRow = Selectable<JobgroupTables["jobgroups"]>;

const db = (tx: Tx) => queries<JobgroupTables>(tx);

/** Of a job, in their order, also deleted ones; locked, with the turn of the job, when the unit of work can write. */
export async function groupsOf(tx: Tx, job: string): Promise<GroupRow[]> {
  const select = db(tx).selectFrom("jobgroups").selectAll().where("job", "=", job).orderBy("position").orderBy("id");
  if (!tx.writable) return await select.execute();
  await takeTurn(tx, job);
  return await dialectOf(tx).lock(select).execute();
}

/**
 * Locks of the groups alone do not suffice: who waits at a group that gets another name goes on behind its old place
 * in the index by name and misses it, and the first groups of a job leave nothing to wait at.
 */
async function takeTurn(tx: Tx, job: string): Promise<void> {
  await dialectOf(tx).ignoreConflicts(db(tx).insertInto("jobgroups_turns").values({ job })).execute();
  const select = db(tx).selectFrom("jobgroups_turns").select("job").where("job", "=", job);
  await dialectOf(tx).lock(select).execute();
}

/** Of these jobs, those with groups. */
export async function jobsWithGroups(tx: Tx, jobs: readonly string[]): Promise<string[]> {
  if (jobs.length === 0) return [];
  const rows = await db(tx)
    .selectFrom("jobgroups")
    .select("job")
    .distinct()
    .where("job", "in", [...jobs])
    .execute();
  return rows.map(({ job }) => job);
}

/** The live groups of these rows, as far as they decide who is in them. Two statements. */
export async function nodesOf(tx: Tx, job: string, rows: readonly GroupRow[]): Promise<GroupNode[]> {
  const rules = await db(tx).selectFrom("jobgroups_rules").selectAll().where("job", "=", job).orderBy("place").execute();
  const contained = await db(tx)
    .selectFrom("jobgroups_contained")
    .select(["group_id", "child_id"])
    .where("job", "=", job)
    .orderBy("child_id")
    .execute();
  const [byGroup, children] = [
    Map.groupBy(rules, ({ group_id }) => group_id),
    Map.groupBy(contained, ({ group_id }) => group_id),
  ];
  return rows
    .filter(({ deleted_at }) => deleted_at === null)
    .map(({ id, membership }) => ({
      id,
      membership,
      rules: (byGroup.get(id) ?? []).map(ruleOf),
      contains: (children.get(id) ?? []).map(({ child_id }) => child_id),
    }));
}

const ruleOf = (row: Selectable<JobgroupTables["jobgroups_rules"]>): GroupRule => ({
  kind: row.kind,
  id: row.ref_id,
  from: row.from_grade,
  to: row.to_grade,
});

export async function insert(tx: Tx, row: Insertable<JobgroupTables["jobgroups"]>): Promise<number> {
  const { insertId } = await db(tx).insertInto("jobgroups").values(row).executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function update(tx: Tx, id: number, values: Updateable<JobgroupTables["jobgroups"]>): Promise<void> {
  await db(tx).updateTable("jobgroups").set(values).where("id", "=", id).execute();
}

/** Replaces the rules of a group and the groups in it. */
export async function writeParts(
  tx: Tx,
  { id, job }: { readonly id: number; readonly job: string },
  { rules, contains }: { readonly rules: readonly GroupRule[]; readonly contains: readonly number[] },
): Promise<void> {
  await db(tx).deleteFrom("jobgroups_rules").where("group_id", "=", id).execute();
  await db(tx).deleteFrom("jobgroups_contained").where("group_id", "=", id).execute();
  await bulkInsert(
    tx,
    jobgroupsRules,
    rules.map((rule, place) => ({
      group_id: id,
      place,
      job,
      kind: rule.kind,
      ref_id: rule.id,
      from_grade: rule.from,
      to_grade: rule.to,
    })),
  );
  await bulkInsert(
    tx,
    jobgroupsContained,
    contains.map((child) => ({ group_id: id, child_id: child, job })),
  );
}

/** Names of live groups. */
export async function namesOf(tx: Tx, ids: readonly number[]): Promise<Map<number, { name: string; job: string }>> {
  if (ids.length === 0) return new Map();
  const rows = await db(tx)
    .selectFrom("jobgroups")
    .select(["id", "name", "job"])
    .where("id", "in", [...ids])
    .where("deleted_at", "is", null)
    .execute();
  return new Map(rows.map(({ id, name, job }) => [id, { name, job }]));
}

const parts = ["jobgroups_rules", "jobgroups_hand", "jobgroups_leaders", "jobgroups_exclusions", "jobgroups_members"] as const;

/** Groups that were deleted before an instant, with all that belongs to them. */
export async function removeDeleted(tx: Tx, before: number, limit: number): Promise<number> {
  const select = db(tx).selectFrom("jobgroups").select("id").where("deleted_at", "<", before).orderBy("deleted_at");
  const ids = (await dialectOf(tx).lock(select.limit(limit)).execute()).map(({ id }) => id);
  if (ids.length === 0) return 0;
  for (const table of parts) await db(tx).deleteFrom(table).where("group_id", "in", ids).execute();
  await db(tx)
    .deleteFrom("jobgroups_contained")
    .where((e) => e.or([e("group_id", "in", ids), e("child_id", "in", ids)]))
    .execute();
  await db(tx).deleteFrom("jobgroups").where("id", "in", ids).execute();
  return ids.length;
}
