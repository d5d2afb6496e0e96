import { bulkInsert, pruneOlder, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { Range } from "./timeclock.policy.ts";
import { timeclockDays, type TimeclockTables } from "./timeclock.schema.ts";
import type { DayChange } from "./timeclock.sums.policy.ts";
import { addToSums, rebuildSums } from "./timeclock.sums.repo.ts";

const db = (tx: Tx) => queries<TimeclockTables>(tx);
const some = (ids: readonly number[]) => (ids.length === 0 ? [0] : [...ids]);

/** A person's days in a job. */
interface OwnDays extends Range {
  readonly citizenId: number;
  readonly job: string;
}

/** Three statements, however many days. */
export async function changeDays(tx: Tx, changes: readonly DayChange[]): Promise<void> {
  const changed = await addToDays(tx, changes);
  await addToSums(tx, changed);
}

async function addToDays(tx: Tx, changes: readonly DayChange[]): Promise<readonly DayChange[]> {
  const sums = new Map<string, DayChange>();
  for (const one of changes) {
    const key = JSON.stringify([one.citizenId, one.job, one.day]);
    sums.set(key, { ...one, seconds: (sums.get(key)?.seconds ?? 0) + one.seconds });
  }
  const changed = [...sums]
    .filter(([, { seconds }]) => seconds !== 0)
    .toSorted(([a, one], [b, other]) => one.citizenId - other.citizenId || (a < b ? -1 : 1))
    .map(([, one]) => one);
  const rows = changed.map(({ citizenId: citizen_id, job, day, dayAt: day_at, seconds }) => ({
    ...{ citizen_id, job, day, day_at, seconds },
  }));
  await bulkInsert(tx, timeclockDays, rows, { onConflict: { keys: ["citizen_id", "job", "day"], add: ["seconds"] } });
  return changed;
}

/** Whether one of these days of a person has less than nothing. */
export async function anyBelowZero(tx: Tx, citizenId: number, job: string, wanted: readonly string[]): Promise<boolean> {
  const select = db(tx).selectFrom("timeclock_days").select("day").where("citizen_id", "=", citizenId).where("job", "=", job);
  return (
    (await select
      .where("day", "in", [...wanted])
      .where("seconds", "<", 0)
      .limit(1)
      .executeTakeFirst()) !== undefined
  );
}

/** In place of what was counted on days of a range. */
export async function replaceDays(
  tx: Tx,
  { citizenId, job, firstDay, lastDay }: OwnDays,
  counted: readonly DayChange[],
): Promise<void> {
  await db(tx)
    .updateTable("timeclock_days")
    .set({ seconds: 0 })
    .where("citizen_id", "=", citizenId)
    .where("job", "=", job)
    .where("day", ">=", firstDay)
    .where("day", "<=", lastDay)
    .execute();
  await addToDays(tx, counted);
  await rebuildSums(tx, job, [citizenId]);
}

/** Days of these people in a job, by day. */
export async function daysOf(tx: Tx, job: string, citizenIds: readonly number[], { firstDay, lastDay }: Range) {
  return await db(tx)
    .selectFrom("timeclock_days")
    .select(["citizen_id", "day", "seconds"])
    .where("citizen_id", "in", some(citizenIds))
    .where("job", "=", job)
    .where("day", ">=", firstDay)
    .where("day", "<=", lastDay)
    .where("seconds", ">", 0)
    .where("former", "=", 0)
    .orderBy("day")
    .execute();
}

/** Of these people in a job, what was before a day is history of the job. Returns how many days that are. */
export async function makeFormer(
  tx: Tx,
  job: string,
  citizenIds: readonly number[],
  { day, at }: { readonly day: string; readonly at: number },
): Promise<number> {
  await db(tx)
    .updateTable("timeclock_entries")
    .set({ former: 1 })
    .where("citizen_id", "in", some(citizenIds))
    .where("job", "=", job)
    .where("from_at", "<", at)
    .where("to_at", "<=", at)
    .where("former", "=", 0)
    .execute();
  const { numUpdatedRows } = await db(tx)
    .updateTable("timeclock_days")
    .set({ former: 1 })
    .where("citizen_id", "in", some(citizenIds))
    .where("job", "=", job)
    .where("day", "<", day)
    .where("former", "=", 0)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) await rebuildSums(tx, job, citizenIds);
  return Number(numUpdatedRows);
}

export const removeDays = pruneOlder(timeclockDays, "day_at");
