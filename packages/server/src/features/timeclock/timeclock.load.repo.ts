import { sql } from "kysely";
import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { correctedDays } from "./timeclock.contract.ts";
import type { LoadSlots, SlotPair } from "./timeclock.load.policy.ts";
import { type Seeing, seenEntries } from "./timeclock.repo.ts";
import type { TimeclockTables } from "./timeclock.schema.ts";

/** No entry is longer: corrections reach no further back, and nobody is in the game for so long. Milliseconds. */
const longestMs = (correctedDays + 1) * 86_400_000;

export interface Pairs {
  readonly pairs: readonly SlotPair[];
  readonly entries: number;
  /** Where the first of these entries ends; null without any. */
  readonly firstEnd: number | null;
}

/**
 * Counted entries by the slots in which they begin and end, of the latest `most`: a row for each pair of slots, however
 * many people. Instants are those of whole seconds, as in every other sum.
 */
export async function pairsOf(tx: Tx, seeing: Seeing, { from, to, slotMs }: LoadSlots, most: number): Promise<Pairs> {
  const latest = seenEntries(tx, seeing, { from, until: to })
    .select([
      "a.to_at",
      sql<number>`case when a.from_at < ${from} then ${from} else a.from_at - a.from_at % 1000 end`.as("begins"),
      sql<number>`case when a.to_at > ${to} then ${to} else a.to_at - a.to_at % 1000 end`.as("ends"),
    ])
    .where("a.to_at", "<=", to + longestMs)
    .where("a.state", "=", "counted")
    .orderBy("a.to_at", "desc")
    .limit(most)
    .as("latest");
  const rows = await queries(tx)
    .selectFrom(latest)
    .select((e) => [
      sql<number>`begins - (begins - ${from}) % ${slotMs}`.as("start_slot"),
      sql<number>`ends - (ends - ${from}) % ${slotMs}`.as("end_slot"),
      e.fn.countAll<number>().as("entries"),
      sql<number>`sum((begins - ${from}) % ${slotMs})`.as("start_ms"),
      sql<number>`sum((ends - ${from}) % ${slotMs})`.as("end_ms"),
      sql<number>`min(to_at)`.as("first_end"),
    ])
    .groupBy([sql`start_slot`, sql`end_slot`])
    .execute();
  const pairs = rows.map((row) => ({
    start: Number(row.start_slot),
    end: Number(row.end_slot),
    entries: Number(row.entries),
    startMs: Number(row.start_ms),
    endMs: Number(row.end_ms),
  }));
  return {
    pairs,
    entries: pairs.reduce((sum, { entries }) => sum + entries, 0),
    firstEnd: rows.reduce<number | null>((least, row) => Math.min(least ?? Infinity, Number(row.first_end)), null),
  };
}

/** Where the first entry of all begins, of any job; null without one. */
export async function firstEntry(tx: Tx): Promise<number | null> {
  const select = queries<TimeclockTables>(tx).selectFrom("timeclock_entries").select("from_at");
  return (await select.orderBy("to_at").limit(1).executeTakeFirst())?.from_at ?? null;
}
