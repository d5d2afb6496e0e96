import { type Insertable, type Selectable, sql } from "kysely";
import { bulkInsert, pruneOlder, queries, reached } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { ActivityKind } from "./colleagues.base.contract.ts";
import type { Reader } from "./colleagues.repo.ts";
import { colleaguesActivities, type ColleagueTables } from "./colleagues.schema.ts";

export type ActivityRow = Selectable<ColleagueTables["colleagues_activities"]>;
export type NewActivity = Insertable<ColleagueTables["colleagues_activities"]>;

export interface ActivitiesWanted {
  readonly job: string;
  readonly kinds: readonly ActivityKind[];
  readonly citizenId?: number;
  readonly by: Reader;
  /** Who left before this instant has no grade any more. */
  readonly leftSince: number;
}

export async function insert(tx: Tx, rows: readonly NewActivity[]): Promise<void> {
  await bulkInsert(tx, colleaguesActivities, rows);
}

/**
 * The grade of now decides; for those who left, the last one as long as what was written of them rests. Later only
 * those see them whom no grade limits.
 */
function wanted(tx: Tx, { job, kinds, citizenId, by, leftSince }: ActivitiesWanted) {
  const [grade, leftAt] = [sql.ref("c.grade"), sql.ref("c.left_at")];
  const ranked = sql<number>`case when ${leftAt} is null or ${leftAt} >= ${leftSince} then ${grade} end`;
  const query = queries<ColleagueTables>(tx)
    .selectFrom("colleagues_activities as a")
    .leftJoin("colleagues as c", (join) => join.onRef("c.citizen_id", "=", "a.citizen_id").onRef("c.job", "=", "a.job"))
    .where("a.job", "=", job)
    .where("a.kind", "in", kinds.length === 0 ? [""] : [...kinds])
    .where(reached(by, sql.ref("a.citizen_id"), ranked));
  return citizenId === undefined ? query : query.where("a.citizen_id", "=", citizenId);
}

/** The newest first, below an id. */
export async function newest(tx: Tx, activities: ActivitiesWanted, below: number | null, limit: number): Promise<ActivityRow[]> {
  const query = wanted(tx, activities).selectAll("a").orderBy("a.id", "desc").limit(limit);
  return await (below === null ? query : query.where("a.id", "<", below)).execute();
}

export async function count(tx: Tx, activities: ActivitiesWanted, cap: number): Promise<number> {
  const row = await queries<ColleagueTables>(tx)
    .selectFrom(wanted(tx, activities).select("a.id").limit(cap).as("capped"))
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

export const removeOlder = pruneOlder(colleaguesActivities, "at");
