import { CachedMap } from "#core/cached.ts";
import type { Clock, Database, Log, Tx } from "#core/ports/index.ts";
import { WriteBehind } from "#core/write-behind.ts";
import type { DutySign } from "./duty.api.ts";
import type { Duty } from "./duty.policy.ts";
import type { DutyMismatches } from "./duty.mismatches.service.ts";
import * as repo from "./duty.repo.ts";
import { applySign, changesDuty, mismatchOf } from "./duty.signs.policy.ts";
import { reporterOf } from "./duty.sources.policy.ts";
import type { DutySources } from "./duty.sources.service.ts";
import type { DutyStore } from "./duty.store.service.ts";

export interface DutySignsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Pick<Log, "warn">;
  readonly store: DutyStore;
  readonly sources: DutySources;
  readonly mismatches: DutyMismatches;
}

/** Signs of life are written together this often. Milliseconds. */
const flushMs = 15_000;
/** What is known of a person's duty is read again after this time. Milliseconds. */
const knownMs = 60_000;
const mostPeople = 10_000;

/** Positions as signs of life: they reach the database together, and at once only where they change somebody's duty. */
export class DutySigns {
  readonly #deps: DutySignsDeps;
  /** The duty of a person; null for none. */
  readonly #known: CachedMap<number, Duty | null>;
  /** When each person was last there. */
  readonly #waiting: WriteBehind<number, number>;

  constructor(deps: DutySignsDeps) {
    this.#deps = deps;
    this.#known = new CachedMap({ clock: deps.clock, ttlMs: knownMs, max: mostPeople });
    this.#waiting = new WriteBehind({
      clock: deps.clock,
      everyMs: flushMs,
      write: async (signs) => await deps.db.write("duty.signs", async (tx) => await repo.saveSigns(tx, signs)),
      failed: (error, people) =>
        deps.log.warn({ err: error, people }, "signs of life were not stored; they are stored with the next"),
    });
  }

  /** Outside of a unit of work. */
  async seen(source: string, boot: string | null, signs: readonly DutySign[], at: number | null = null): Promise<void> {
    const { sources, mismatches, clock } = this.#deps;
    const behindMs = at === null ? null : clock.now() - at;
    const caller = await sources.noteCallAlone({ name: source, boot, behindMs });
    const reporter = reporterOf(source, caller, boot);
    const duties = await this.#dutiesOf(signs.map(({ citizenId }) => citizenId));
    const now = this.#deps.clock.now();
    const deciding: DutySign[] = [];
    for (const sign of signs) {
      const duty = duties.get(sign.citizenId) ?? null;
      if (changesDuty(duty, sign, reporter, caller.sendsEvents)) deciding.push(sign);
      else if (duty !== null && !sign.remove) this.#waiting.put(sign.citizenId, now);
      mismatches.seen(source, sign.citizenId, mismatchOf(sign, duty, caller.sendsEvents));
    }
    if (deciding.length > 0) await this.#apply(source, boot, deciding, now);
  }

  /** People whose duty changed. */
  invalidate(ids: readonly number[]): void {
    for (const id of ids) this.#known.invalidate(id);
  }

  invalidateAll(): void {
    this.#known.invalidateAll();
  }

  /** Writes what waits; one statement. */
  async flush(): Promise<void> {
    await this.#waiting.flush();
  }

  async stop(): Promise<void> {
    await this.#waiting.stop();
  }

  async #dutiesOf(ids: readonly number[]): Promise<Map<number, Duty | null>> {
    return await this.#known.getAll(ids, async (missing) => {
      const stored = await this.#deps.db.read("duty.known", async (tx) => await repo.readPeople(tx, missing));
      const duties = new Map(stored.map(({ citizenId, duty }) => [citizenId, duty]));
      return new Map(missing.map((id) => [id, duties.get(id) ?? null]));
    });
  }

  async #apply(source: string, boot: string | null, signs: readonly DutySign[], now: number): Promise<void> {
    const { db, store, sources } = this.#deps;
    const sorted = signs.toSorted((a, b) => a.citizenId - b.citizenId);
    await db.write("duty.positions", async (tx: Tx) => {
      const keys = sorted.map(({ citizenId: id, licence }) => ({ id, licence }));
      const { source: caller, reporter, people } = await sources.noteCall(tx, { name: source, boot, people: keys });
      const changes = sorted.map((sign) => {
        const before = people.get(sign.citizenId)!;
        const { person, ended } = applySign(before, { ...sign, at: now }, reporter, caller.sendsEvents);
        return { before, after: { ...before, ...person }, ended: ended === null ? [] : [ended] };
      });
      await store.save(tx, changes, new Map([[source, caller]]));
    });
  }
}
