import { CachedMap } from "#core/cached.ts";
import type { Clock, Database, Log, Tx } from "#core/ports/index.ts";
import { BoundedMap } from "#core/recent.ts";
import type { DutySign } from "./duty.api.ts";
import { applySign, type Duty, type Reporter, reporterOf, type Source } from "./duty.policy.ts";
import * as repo from "./duty.repo.ts";
import type { DutySources } from "./duty.sources.service.ts";
import type { DutyStore } from "./duty.store.service.ts";

export interface DutySignsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly store: DutyStore;
  readonly sources: DutySources;
}

/** Signs of life are written together this often. Milliseconds. */
export const flushMs = 15_000;
/** What is known of a person's duty is read again after this time. Milliseconds. */
const knownMs = 60_000;
const mostPeople = 10_000;
/** A position that names another job is reported this often for a person. Milliseconds. */
const findingMs = 3_600_000;

/** Positions as signs of life: they reach the database together, and at once only where they change somebody's duty. */
export class DutySigns {
  readonly #deps: DutySignsDeps;
  /** The duty of a person; null for none. */
  readonly #known: CachedMap<number, Duty | null>;
  readonly #waiting = new Map<number, number>();
  readonly #reported = new BoundedMap<number, number>(mostPeople);
  #timer: { cancel(): void } | null = null;
  #flushing: Promise<void> = Promise.resolve();

  constructor(deps: DutySignsDeps) {
    this.#deps = deps;
    this.#known = new CachedMap({ clock: deps.clock, ttlMs: knownMs, max: mostPeople });
  }

  /** Outside of a unit of work. */
  async seen(source: string, boot: string | null, signs: readonly DutySign[]): Promise<void> {
    const { sources } = this.#deps;
    const caller = await sources.noteCallAlone(source, boot);
    const reporter = reporterOf(source, caller, boot);
    const duties = await this.#dutiesOf(signs.map(({ citizenId }) => citizenId));
    const now = this.#deps.clock.now();
    const deciding: DutySign[] = [];
    for (const sign of signs) {
      const duty = duties.get(sign.citizenId) ?? null;
      if (decides(sign, duty, caller, reporter)) deciding.push(sign);
      else if (duty !== null && !sign.remove) this.#waiting.set(sign.citizenId, now);
      if (duty !== null) this.#compare(sign, duty, now);
    }
    if (this.#waiting.size > 0) this.#timer ??= this.#deps.clock.setTimeout(() => void this.flush(), flushMs);
    if (deciding.length > 0) await this.#apply(source, boot, deciding, now);
  }

  /** People whose duty changed. */
  forget(ids: readonly number[]): void {
    for (const id of ids) this.#known.invalidate(id);
  }

  forgetAll(): void {
    this.#known.invalidateAll();
  }

  /** Writes what waits; one statement. Kept for the next time when the database does not answer. */
  async flush(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = null;
    const signs = new Map(this.#waiting);
    this.#waiting.clear();
    if (signs.size === 0) return await this.#flushing;
    this.#flushing = this.#flushing.then(async () => {
      try {
        await this.#deps.db.write("duty.signs", async (tx) => await repo.saveSigns(tx, signs));
      } catch (error) {
        this.#deps.log.warn({ err: error, people: signs.size }, "signs of life were not stored; they are stored with the next");
        for (const [id, at] of signs) if ((this.#waiting.get(id) ?? 0) < at) this.#waiting.set(id, at);
        this.#timer ??= this.#deps.clock.setTimeout(() => void this.flush(), flushMs);
      }
    });
    await this.#flushing;
  }

  async stop(): Promise<void> {
    await this.flush();
    this.#timer?.cancel();
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
      const { source: caller, people } = await sources.noteCall(tx, { name: source, boot, people: keys });
      const reporter = reporterOf(source, caller, boot);
      const changes = sorted.map((sign) => {
        const before = people.get(sign.citizenId)!;
        const { person, ended } = applySign(before, { ...sign, at: now }, reporter, caller.sendsEvents);
        return { before, after: { ...before, ...person }, ended: ended === null ? [] : [ended] };
      });
      await store.save(tx, changes, new Map([[source, caller]]));
    });
  }

  #compare({ citizenId, job }: DutySign, duty: Duty, now: number): void {
    if (job === null || job === duty.job || now - (this.#reported.get(citizenId) ?? Number.NEGATIVE_INFINITY) < findingMs) return;
    this.#reported.set(citizenId, now);
    this.#deps.log.warn({ citizenId, position: job, duty: duty.job }, "a position names another job than the duty");
  }
}

/** Whether it changes more than the last sign of life. */
function decides(sign: DutySign, duty: Duty | null, source: Source, { source: name, bootCount, saysBoot }: Reporter): boolean {
  if (sign.remove) return !source.sendsEvents && duty !== null && duty.by === "game" && duty.source === name;
  if (duty === null) return !source.sendsEvents && sign.job !== null;
  return duty.missingAt !== null || (saysBoot && duty.source === name && duty.bootCount !== bootCount);
}
