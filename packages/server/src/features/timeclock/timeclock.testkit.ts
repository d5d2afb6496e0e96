import { randomBytes } from "node:crypto";
import { bulkInsert, queries } from "#core/db/index.ts";
import { addDays, Zone } from "#core/zone.ts";
import { dutyEnded, dutyProposed } from "#features/duty/duty.contract.ts";
import { dutyPeriods, type DutyTables } from "#features/duty/duty.schema.ts";
import type { TimeclockTables } from "./timeclock.schema.ts";
import type { AppUnderTest } from "#testkit/suite.ts";
import type { VersionedOperation } from "#testkit/versions.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  cancelCorrection,
  closePeriod,
  type Entry,
  listEntries,
  listPeriods,
  type Period,
  putPayRules,
  putTargets,
  requestCorrection,
} from "./timeclock.contract.ts";

export const newJob = (name: string) => `${name}${randomBytes(4).toString("hex")}`;

const minute = 60_000;

export interface Worked {
  readonly citizenId: number;
  readonly job: string;
  readonly grade?: number;
  readonly from: number;
  readonly to: number;
  readonly ending?: "off" | "silence";
  /** The game reported it after it had ended. */
  readonly proposed?: boolean;
}

/** Stores a duty that has ended without its event, as one from before the timeclock; returns its id. */
export async function storePeriod({ app }: Pick<AppUnderTest, "app">, one: Worked): Promise<number> {
  const { citizenId, job, grade = 1, from, to, ending = "off", proposed = false } = one;
  return await app.process.container.db.write("test.period", async (tx) => {
    const row = { citizen_id: citizenId, job, grade, from_at: from, to_at: to, started_by: "game", ending };
    const flags = { estimated: ending === "silence" ? 1 : 0, proposed: proposed ? 1 : 0 } as const;
    await bulkInsert(tx, dutyPeriods, [{ ...row, ...flags, source: null }]);
    const last = queries<DutyTables>(tx).selectFrom("duty_periods").select("id").where("citizen_id", "=", citizenId);
    return (await last.orderBy("id", "desc").limit(1).executeTakeFirstOrThrow()).id;
  });
}

/** A duty that has ended, with the event that says so. */
export async function work(under: Pick<AppUnderTest, "app">, one: Worked): Promise<number> {
  const { container } = under.app.process;
  const id = await storePeriod(under, one);
  const { citizenId, job, grade = 1, from, to, ending = "off" } = one;
  await container.db.write("test.ended", async (tx) => {
    const version = container.ports.clock.now();
    if (one.proposed) await container.ports.outbox.emit(tx, dutyProposed, { key: "duty", version, payload: { periodIds: [id] } });
    else {
      const item = { periodId: id, citizenId, job, grade, from, to, ending, estimated: ending === "silence" };
      await container.ports.outbox.emit(tx, dutyEnded, { key: "duty", version, payload: { items: [item] } });
    }
  });
  return id;
}

/** Of the databases of tests. */
const zone = new Zone("Europe/Berlin");

/** From some days ago until today. */
export function lastDays(under: Pick<AppUnderTest, "app">, count: number) {
  const today = zone.dayOf(under.app.process.container.ports.clock.now());
  return { firstDay: addDays(today, -count), lastDay: today };
}

/** `YYYY-MM-DDTHH:mm:ss` in the zone of the database. */
export const local = (instant: number): string => zone.iso(instant).slice(0, 19);

/** The entries of the last days of an actor, once there are so many. */
export async function entriesOf(under: AppUnderTest, { token, characterId: citizenId }: TestActor): Promise<Entry[]> {
  const answer = await under.app.call(listEntries, { query: { ...lastDays(under, 40), citizenId } }, { token });
  if (answer.status !== 200) throw new Error(`no entries: ${answer.status} ${answer.text}`);
  return answer.output.items;
}

/** An entry of two hours that ended five minutes ago. */
export async function oneEntry(under: AppUnderTest, actor: TestActor, job: string): Promise<Entry> {
  const now = Math.floor(under.app.process.container.ports.clock.now() / 1000) * 1000;
  await work(under, { citizenId: actor.characterId, job, from: now - 125 * minute, to: now - 5 * minute });
  for (;;) {
    const [entry] = await entriesOf(under, actor);
    if (entry !== undefined) return entry;
    await new Promise((done) => setTimeout(done, 20));
  }
}

/** A correction that takes ten minutes from the end. */
export const shorter = ({ from, to }: Entry, reason = "I forgot to go off duty") => ({
  from: local(from),
  to: local(to - 10 * minute),
  reason,
});

/** A pay period of an actor's job that ended a second ago and began so many days before; the present one is moved. */
export async function endedPeriod({ app }: AppUnderTest, { token }: TestActor, length = 7): Promise<Period> {
  const { clock } = app.process.container.ports;
  const body = { version: 0, length: "week" } as const;
  const { status } = await app.call(putPayRules, { body }, { token });
  // Also when it was set before.
  if (status !== 200 && status !== 409) throw new Error(`no pay periods: ${status}`);
  const { output } = await app.call(listPeriods, { query: {} }, { token });
  const { id } = output.items[0]!;
  const today = zone.dayOf(clock.now());
  await app.process.container.db.write("test.ended", async (tx) => {
    const days = { first_day: addDays(today, -length), last_day: today };
    const at = { from_at: zone.startOf(days.first_day), until_at: clock.now() - 1000 };
    await queries<TimeclockTables>(tx)
      .updateTable("timeclock_periods")
      .set({ ...days, ...at })
      .where("id", "=", id)
      .execute();
  });
  return (await app.call(listPeriods, { query: {} }, { token })).output.items[0]!;
}

export const versioned: readonly VersionedOperation[] = [
  {
    operation: requestCorrection,
    async prepare(under) {
      const job = newJob("corrects");
      const actor = await under.world.actor({ job });
      const entry = await oneEntry(under, actor, job);
      return {
        as: { token: actor.token },
        version: entry.version,
        change: (turn) => ({ params: { id: entry.id }, body: shorter(entry, turn) }),
      };
    },
  },
  {
    operation: cancelCorrection,
    async prepare(under) {
      const job = newJob("cancels");
      const { token, ...actor } = await under.world.actor({ job });
      const entry = await oneEntry(under, { token, ...actor }, job);
      const body = { version: entry.version, ...shorter(entry) };
      const { output } = await under.app.call(requestCorrection, { params: { id: entry.id }, body }, { token });
      const { id, version } = output.corrections[0]!;
      return { as: { token }, version, change: () => ({ params: { id }, body: {} }) };
    },
  },
  {
    operation: putTargets,
    async prepare({ world }) {
      const job = newJob("targets");
      await world.job(job, [0, 1]);
      const { token } = await world.actor({ job, grade: 1, rights: { "timeclock.targets": true } });
      let hours = 1;
      return { as: { token }, version: 0, change: () => ({ body: { targets: [{ grade: 1, hours: (hours += 1) }] } }) };
    },
  },
  {
    operation: putPayRules,
    async prepare({ world }) {
      const { token } = await world.actor({ job: newJob("payrules"), rights: { "timeclock.close": true } });
      const lengths = ["week", "month", "twoWeeks"] as const;
      let n = 0;
      return { as: { token }, version: 0, change: () => ({ body: { length: lengths[(n += 1) % 3] } }) };
    },
  },
  {
    operation: closePeriod,
    async prepare(under) {
      const job = newJob("closes");
      await under.world.job(job, [1]);
      const actor = await under.world.actor({ job, rights: { "timeclock.close": true } });
      const { id, version } = await endedPeriod(under, actor);
      return { as: { token: actor.token }, version, change: () => ({ params: { id }, body: {} }) };
    },
  },
];
