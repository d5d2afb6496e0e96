import type { Actor } from "#core/actor.ts";
import type { Clock, Database, Outbox, Tasks, Tx } from "#core/ports/index.ts";
import { days } from "#core/contract/index.ts";
import { addDays, type Zone } from "#core/zone.ts";
import { type EndedPeriod, periodsAfterId, periodsByIds } from "#features/duty/duty.reads.ts";
import type { AskingService } from "./timeclock.asking.service.ts";
import { correctedDays, fillTimeclock, timeclockChanged } from "./timeclock.contract.ts";
import { openOf } from "./timeclock.corrections.repo.ts";
import type { EstimatedEnds } from "./timeclock.estimated.service.ts";
import type { EntryState } from "./timeclock.machine.ts";
import { dayParts, type Interval, intervalOf, overlap, secondsOf, stateOnArrival, within } from "./timeclock.policy.ts";
import type { LaterChanges } from "./timeclock.later.service.ts";
import { removeFromPeriods } from "./timeclock.periods.repo.ts";
import { anyBelowZero, changeDays, makeFormer, replaceDays } from "./timeclock.days.repo.ts";
import * as repo from "./timeclock.repo.ts";
import type { DayChange } from "./timeclock.sums.policy.ts";

export interface TimeclockDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly tasks: Pick<Tasks, "enqueue">;
  readonly asking: Pick<AskingService, "propose" | "withdraw">;
  readonly zone: Zone;
  readonly later: Pick<LaterChanges, "note">;
  readonly estimated: Pick<EstimatedEnds, "notify">;
  /** Duties that are counted at a time. */
  readonly chunk?: number;
}

const purge: Actor = { kind: "system", name: "timeclock.purgeCitizens" };

/** Counts duties that have ended: each once, and on its days in the same unit of work. */
export class TimeclockService {
  readonly #deps: TimeclockDeps;

  constructor(deps: TimeclockDeps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    const { db, tasks } = this.#deps;
    if (await db.read("timeclock.isFilled", async (tx) => await repo.isFilled(tx))) return;
    await db.write("timeclock.fill", async (tx) => await tasks.enqueue(tx, fillTimeclock, { payload: {}, key: "fill" }));
  }

  /** The next ones that had ended before, and a task for those behind them. */
  async fill(tx: Tx): Promise<void> {
    const { clock, tasks, chunk = 500 } = this.#deps;
    const after = await repo.lockFill(tx);
    if (after === null) return;
    const periods = await periodsAfterId(tx, after, chunk);
    const last = periods.at(-1)?.id ?? after;
    const isDone = periods.length < chunk;
    await this.count(tx, periods, null);
    await repo.saveFill(tx, last, isDone ? clock.now() : null);
    if (!isDone) await tasks.enqueue(tx, fillTimeclock, { payload: {}, key: `fill ${last}` });
  }

  /** Duties that have ended; `at`: when that was known. One that is counted already is left out. */
  async ended(tx: Tx, periodIds: readonly number[], at: number): Promise<void> {
    await this.count(tx, await periodsByIds(tx, periodIds), at);
  }

  /** Without `at` they had ended long ago, and only what duty called a proposal is one. */
  async count(tx: Tx, periods: readonly EndedPeriod[], at: number | null): Promise<void> {
    await repo.lockPeople(
      tx,
      periods.map(({ citizen_id }) => citizen_id),
    );
    const known = await repo.knownDuties(
      tx,
      periods.map(({ id }) => id),
    );
    const fresh = periods.filter((one) => !known.has(one.id) && secondsOf(intervalOf(one)) > 0);
    if (fresh.length === 0) return;
    const states = await this.#states(tx, fresh, at);
    const now = this.#deps.clock.now();
    await repo.insertEntries(
      tx,
      fresh.map((one) => ({
        period_id: one.id,
        citizen_id: one.citizen_id,
        job: one.job,
        grade: one.grade,
        from_at: one.from_at,
        to_at: one.to_at,
        started_by: one.started_by,
        ending: one.ending,
        estimated: one.estimated,
        state: states.get(one.id)!,
        version: 1,
        created_at: now,
      })),
    );
    const counted = fresh.filter(({ id }) => states.get(id) === "counted");
    const byEntry = counted.map((one) => ({ entryId: one.id, days: this.#days(one, intervalOf(one), 1) }));
    await changeDays(
      tx,
      byEntry.flatMap((one) => one.days),
    );
    // The entries have ids of their own, which are read only where a closed period is concerned.
    await this.#deps.later.note(tx, byEntry, "counted", async (ids) => await repo.entryIds(tx, ids));
    // What ended before this feature is no news.
    if (at !== null) await this.#deps.estimated.notify(tx, counted);
    await this.#deps.asking.propose(
      tx,
      fresh.filter(({ id }) => states.get(id) === "proposed"),
    );
    await this.changed(tx, [...new Set(fresh.map(({ job }) => job))]);
  }

  /** An entry has another time or another state: its days change with it. */
  async change(tx: Tx, row: repo.EntryRow, after: { readonly state: EntryState } & Interval): Promise<void> {
    await repo.updateEntry(tx, row.id, {
      state: after.state,
      from_at: after.from,
      to_at: after.to,
      // Somebody has said when it ended.
      estimated: after.to === row.to_at ? row.estimated : 0,
      version: row.version + 1,
    });
    const before = row.state === "counted" ? this.#days(row, { from: row.from_at, to: row.to_at }, -1) : [];
    const next = after.state === "counted" ? this.#days(row, after, 1) : [];
    await changeDays(tx, [...before, ...next]);
    await this.#countAgain(tx, row, [...before, ...next]);
    await this.#deps.later.note(tx, [{ entryId: row.id, days: [...before, ...next] }], "corrected");
    await this.changed(tx, [row.job]);
  }

  async changed(tx: Tx, jobs: readonly string[]): Promise<void> {
    const { outbox, clock } = this.#deps;
    await outbox.emit(tx, timeclockChanged, { key: "timeclock", version: clock.now(), payload: { jobs: [...jobs] } });
  }

  /** People came into a job where nothing of theirs rested any more: their earlier hours there are its history. */
  async began(tx: Tx, items: readonly { readonly citizenId: number; readonly job: string }[], at: number): Promise<void> {
    const { zone } = this.#deps;
    const day = zone.dayOf(at);
    const before = { day, at: zone.startOf(day) };
    for (const [job, people] of Map.groupBy(items, (one) => one.job)) {
      const ids = people.map(({ citizenId }) => citizenId);
      if ((await makeFormer(tx, job, ids, before)) > 0) await this.changed(tx, [job]);
    }
  }

  async purgeCitizens(tx: Tx, citizenIds: readonly number[]): Promise<void> {
    await repo.lockPeople(tx, citizenIds);
    // Nobody could decide them any more: what they are about is removed.
    const open = await openOf(tx, citizenIds);
    await this.#deps.asking.withdraw(
      tx,
      purge,
      open.map(({ id }) => id),
    );
    await removeFromPeriods(tx, citizenIds);
    await repo.removeCitizens(tx, citizenIds);
  }

  /** By the ids of the duties. What overlaps a counted entry waits for somebody: no time counts twice. */
  async #states(tx: Tx, fresh: readonly EndedPeriod[], at: number | null): Promise<Map<number, EntryState>> {
    const people = [...new Set(fresh.map(({ citizen_id }) => citizen_id))];
    const rows = await repo.lockCounted(tx, people, Math.min(...fresh.map(({ from_at }) => from_at)));
    const counted = Map.groupBy(
      rows.map((row) => ({ who: row.citizen_id, ...intervalOf(row) })),
      ({ who }) => who,
    );
    const oldest = this.#deps.clock.now() - days(correctedDays);
    const states = new Map<number, EntryState>();
    for (const one of fresh) {
      const others = counted.get(one.citizen_id) ?? [];
      const interval = intervalOf(one);
      const isFree = !others.some((other) => overlap(other, interval));
      const proposed = Number(one.proposed) === 1 || !isFree;
      const state = stateOnArrival({ proposed, ending: one.ending, to: one.to_at }, at ?? one.to_at);
      // Nobody decides about what is too old to be corrected.
      states.set(one.id, state === "proposed" && one.from_at < oldest ? "rejected" : state);
      if (state === "counted") counted.set(one.citizen_id, [...others, { who: one.citizen_id, ...interval }]);
    }
    return states;
  }

  /** Where the zone of days was changed since the entry was counted, it was not on the days from which it is taken. */
  async #countAgain(tx: Tx, { citizen_id: citizenId, job }: repo.EntryRow, changes: readonly DayChange[]): Promise<void> {
    const touched = changes.map(({ day }) => day).toSorted();
    const [first, last] = [touched[0], touched.at(-1)];
    if (first === undefined || last === undefined || !(await anyBelowZero(tx, citizenId, job, touched))) return;
    const { zone } = this.#deps;
    const range = { firstDay: addDays(first, -1), lastDay: addDays(last, 1) };
    const span = { from: zone.startOf(range.firstDay), to: zone.endOf(range.lastDay) };
    const counted = await repo.lockCounted(tx, [citizenId], span.from);
    const entries = counted.filter((entry) => entry.job === job && entry.from_at < span.to);
    const days = entries.flatMap((entry) => this.#days(entry, within(intervalOf(entry), span), 1));
    await replaceDays(tx, { citizenId, job, ...range }, days);
  }

  #days(
    { citizen_id: citizenId, job }: Pick<repo.EntryRow, "citizen_id" | "job">,
    interval: Interval,
    sign: 1 | -1,
  ): DayChange[] {
    return dayParts(this.#deps.zone, interval).map((part) => ({ ...part, citizenId, job, seconds: sign * part.seconds }));
  }
}
