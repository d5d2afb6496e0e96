import { dialectOf, queries } from "#core/db/index.ts";
import type { Clock, Database, HeldRetention, Tx } from "#core/ports/index.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";

const minute = 60_000;
const hour = 60 * minute;
/** Processes and database of one installation may be so far apart. */
const apartMs = 10 * minute;
/** An installation that was stopped for longer asks once before it deletes. */
const stoppedMs = 30 * 24 * hour;
const behindMs = hour;
/** How often the instant is written, so that a process that does nothing writes little. */
const notedMs = hour / 2;
const slot = 1;

/** `seenAt` is null before the first start. */
export function whyHeld(now: number, databaseNow: number, seenAt: number | null): HeldRetention | null {
  if (Math.abs(databaseNow - now) > apartMs) return { why: "database", now, other: databaseNow };
  if (seenAt === null) return null;
  if (now - seenAt > stoppedMs) return { why: "ahead", now, other: seenAt };
  return seenAt - now > behindMs ? { why: "behind", now, other: seenAt } : null;
}

async function seenAtOf(tx: Tx): Promise<number | null> {
  const row = await queries<InfrastructureTables>(tx).selectFrom("timekeeping").select("seen_at").executeTakeFirst();
  return row?.seen_at ?? null;
}

export interface HeldOptions {
  readonly db: Pick<Database, "now">;
  readonly clock: Pick<Clock, "now">;
}

export async function heldBy(tx: Tx, { db, clock }: HeldOptions): Promise<HeldRetention | null> {
  return whyHeld(clock.now(), await db.now(tx), await seenAtOf(tx));
}

/** From now on the clock is right when it shows this instant. */
export async function trustClock(tx: Tx, now: number): Promise<void> {
  const seenAt = await seenAtOf(tx);
  if (seenAt !== null && Math.abs(now - seenAt) < notedMs) return;
  const insert = queries<InfrastructureTables>(tx).insertInto("timekeeping").values({ slot, seen_at: now, zone: null });
  await dialectOf(tx).upsert(insert, ["slot"], ["seen_at"]).execute();
}

const shown = (at: number) => new Date(at).toISOString();

/** For the log and the record of a run. */
export function explainHeld({ why, now, other }: HeldRetention): string {
  const begin = `retention is held, nothing was deleted: the clock of this machine shows ${shown(now)}`;
  if (why === "database")
    return `${begin}, and that of the database ${shown(other)}. Set the clock that is wrong; the next run then goes on by itself`;
  return (
    `${begin}, and this installation last ran at ${shown(other)}. If the clock is wrong, set it right. ` +
    `If it is right, run one of the schedules that delete by hand (control panel, Schedules); the others then go on`
  );
}
