import type { Finding } from "#core/feature.ts";
import type { Clock, Database, Log } from "#core/ports/index.ts";
import { BoundedMap } from "#core/recent.ts";
import { WriteBehind } from "#core/write-behind.ts";
import * as repo from "./duty.repo.ts";
import type { Mismatch } from "./duty.signs.policy.ts";

export interface DutyMismatchesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
}

interface Standing extends Mismatch {
  readonly since: number;
  /** When it was last to be stored; null while it may only be on its way. */
  readonly storedAt: number | null;
}

/** Positions and events go different ways: only what both say for this long contradicts. Milliseconds. */
const lastsMs = 60_000;
/** What stands is stored again after this time. Milliseconds. */
const againMs = 1_800_000;
/** The doctor names what was stored within this time. Milliseconds. */
const shownMs = 3_600_000;
const writeEveryMs = 15_000;
const mostPeople = 10_000;
/** Of so many people at most the doctor says how many they are. */
const mostCounted = 5000;

/** Where the game says of jobs something else than of duty: kept for the doctor, one row a person. */
export class DutyMismatches {
  readonly #deps: DutyMismatchesDeps;
  readonly #standing = new BoundedMap<number, Standing>(mostPeople);
  readonly #waiting: WriteBehind<number, repo.StoredMismatch>;

  constructor(deps: DutyMismatchesDeps) {
    this.#deps = deps;
    this.#waiting = new WriteBehind({
      clock: deps.clock,
      everyMs: writeEveryMs,
      write: async (rows) =>
        await deps.db.write("duty.mismatches", async (tx) => await repo.saveMismatches(tx, [...rows.values()])),
      failed: (error, people) =>
        deps.log.warn({ err: error, people }, "jobs that contradict duty were not stored; they are stored with the next"),
    });
  }

  /** Of a position; null ends what stood. */
  seen(source: string, citizenId: number, mismatch: Mismatch | null): void {
    if (mismatch === null) return this.#standing.delete(citizenId);
    const now = this.#deps.clock.now();
    const before = this.#standing.get(citizenId);
    const known = before?.named === mismatch.named && before.duty === mismatch.duty ? before : null;
    const { since, storedAt } = known ?? { since: now, storedAt: null };
    const isDue = now - since >= lastsMs && (storedAt === null || now - storedAt >= againMs);
    this.#standing.set(citizenId, { ...mismatch, since, storedAt: isDue ? now : storedAt });
    if (isDue) this.#store(source, citizenId, mismatch, now);
  }

  /** Of an event that was refused for it: nothing about it is on its way. */
  refused(source: string, citizenId: number, named: string): void {
    const now = this.#deps.clock.now();
    const before = this.#standing.get(citizenId);
    if (before?.named === named && before.storedAt !== null && now - before.storedAt < againMs) return;
    this.#standing.set(citizenId, { named, duty: null, since: now, storedAt: now });
    this.#store(source, citizenId, { named, duty: null }, now);
  }

  #store(source: string, citizenId: number, mismatch: Mismatch, at: number): void {
    this.#waiting.put(citizenId, { citizenId, source, at, ...mismatch });
  }

  /** Writes what waits; one statement. */
  async flush(): Promise<void> {
    await this.#waiting.flush();
  }

  async stop(): Promise<void> {
    await this.#waiting.stop();
  }

  /** For the doctor: at most two of a source. */
  async findings(): Promise<Finding[]> {
    const { db, clock } = this.#deps;
    const since = clock.now() - shownMs;
    const rows = await db.read("duty.mismatches", async (tx) => await repo.mismatchesSince(tx, since, mostCounted));
    const groups = Map.groupBy(rows, ({ source, duty }) => JSON.stringify([source, duty === null]));
    return [...groups.values()].map((all): Finding => {
      const { source, named, duty } = all[0]!;
      const people = all.length;
      if (duty === null) return { id: "duty.jobNotHeld", state: "warning", params: { source, people, named } };
      return { id: "duty.otherJob", state: "warning", params: { source, people, named, duty } };
    });
  }
}
