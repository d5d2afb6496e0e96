import { sql } from "kysely";
import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { correctedDays } from "./timeclock.contract.ts";
import type { LoadSlots, SlotPair } from "./timeclock.load.policy.ts";
import { type Seeing, seenEntries } from "./timeclock.repo.ts";
import type { TimeclockTables } from "./timeclock.schema.ts";

/** No entry is longer: corrections reach no further back, and nobody is in the game for so long. Milliseconds. */
const longestMs = (correctedDays + 1) * 86_400_000;

/**
 * Where the entry ends before which `most` others of the job end later, of those that may lie in the slots; null when there
 * are no more. A limit on the entries themselves would have MariaDB sort all of the job.
 */
export async function cutBehind(tx: Tx, job: string, { from, to }: LoadSlots, most: number): Promise<number | null> {
  const select = queries<TimeclockTables>(tx)
    .selectFrom("timeclock_entries")
    .select("to_at")
    .where("job", "=", job)
    .where("to_at", ">", from)
    .where("to_at", "<=", to + longestMs);
  return (await select.orderBy("to_at", "desc").limit(1).offset(most).executeTakeFirst())?.to_at ?? null;
}

/**
 * Counted entries that end after an instant, by the slots in which they begin and end: a row for each pair of slots,
 * however many people. Instants are those of whole seconds, as in every other sum.
 */
export async function pairsOf(tx: Tx, seeing: Seeing, { from, to, slotMs }: LoadSlots, after: number): Promise<SlotPair[]> {
  const entries = seenEntries(tx, seeing, { from: Math.max(from, after), until: to })
    .select([
      sql<number>`case when a.from_at < ${from} then ${from} else a.from_at - a.from_at % 1000 end`.as("begins"),
      sql<number>`case when a.to_at > ${to} then ${to} else a.to_at - a.to_at % 1000 end`.as("ends"),
    ])
    .where("a.to_at", "<=", to + longestMs)
    .where("a.state", "=", "counted")
    .as("e");
  const rows = await queries(tx)
    .selectFrom(entries)
    .select((e) => [
      sql<number>`begins - (begins - ${from}) % ${slotMs}`.as("start_slot"),
      sql<number>`ends - (ends - ${from}) % ${slotMs}`.as("end_slot"),
      e.fn.countAll<number>().as("entries"),
      sql<number>`sum((begins - ${from}) % ${slotMs})`.as("start_ms"),
      sql<number>`sum((ends - ${from}) % ${slotMs})`.as("end_ms"),
    ])
    .groupBy([sql`start_slot`, sql`end_slot`])
    .execute();
  return rows.map((row) => ({
    start: Number(row.start_slot),
    end: Number(row.end_slot),
    entries: Number(row.entries),
    startMs: Number(row.start_ms),
    endMs: Number(row.end_ms),
  }));
}

/** Where the first entry of all begins, of any job; null without one. */
export async function firstEntry(tx: Tx): Promise<number | null> {
  const select = queries<TimeclockTables>(tx).selectFrom("timeclock_entries").select("from_at");
  return (await select.orderBy("to_at").limit(1).executeTakeFirst())?.from_at ?? null;
}
