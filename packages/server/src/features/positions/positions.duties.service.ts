import type { Clock, Database, Log, StatePublisher } from "#core/ports/index.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import type { DutyPerson } from "#features/duty/duty.contract.ts";
import { positionsTopic } from "./positions.contract.ts";
import type { CurrentDuty } from "./positions.policy.ts";

/** An event that is older than the end of a duty may arrive for this long after it. Milliseconds. */
const goneMs = 15 * 60_000;
/** After this time a failed read is tried again. Milliseconds. */
const retryMs = 1000;

export interface DutiesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly state: StatePublisher;
  readonly duty: DutyApi;
}

interface Kept {
  readonly version: number;
  readonly person: CurrentDuty;
}

interface Gone {
  readonly version: number;
  readonly at: number;
}

/**
 * Who is on duty, in the memory of this process: decides for each frame of places what viewers get. Of a person the
 * highest version counts, so that what is loaded and what is announced meanwhile may arrive in any order.
 */
export class Duties {
  readonly #deps: DutiesDeps;
  readonly #people = new Map<number, Kept>();
  /** Who went off duty lately, the first of them first: an older event may still be on its way. */
  readonly #gone = new Map<number, Gone>();

  constructor(deps: DutiesDeps) {
    this.#deps = deps;
  }

  of(id: number): CurrentDuty | null {
    return this.#people.get(id)?.person ?? null;
  }

  /** Of how many people something is kept. */
  get size(): number {
    return this.#people.size + this.#gone.size;
  }

  async start(): Promise<void> {
    const before = new Map(this.#people);
    const all = await this.#deps.db.read("positions.duties", async (tx) => await this.#deps.duty.everybody(tx));
    this.changed(all);
    const present = new Set(all.map(({ id }) => id));
    for (const [id, { version }] of before)
      if (!present.has(id) && this.#people.get(id)?.version === version) this.#put(id, version, null);
  }

  changed(items: readonly DutyPerson[]): void {
    for (const { id, version, deleted, name, job, state } of items) {
      const known = this.#people.get(id) ?? this.#gone.get(id);
      if ((known?.version ?? -1) > version) continue;
      this.#put(id, version, deleted ? null : { name, job, state });
    }
  }

  /** Events of other processes may be missing: nobody counts as on duty until this is known again. */
  missed(): void {
    for (const [id, { version }] of [...this.#people]) this.#put(id, version - 1, null);
    this.#reload();
  }

  #reload(): void {
    this.start().catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, "who is on duty could not be read again; places are hidden until then");
      this.#deps.clock.setTimeout(() => this.#reload(), retryMs);
    });
  }

  #put(id: number, version: number, person: CurrentDuty | null): void {
    const before = this.of(id);
    this.#gone.delete(id);
    if (person === null) {
      this.#people.delete(id);
      this.#gone.set(id, { version, at: this.#deps.clock.now() });
    } else this.#people.set(id, { version, person });
    this.#forgetGone();
    if (isSame(before, person)) return;
    // In which job people are on duty decides what they get of others; their name, grade and state do not.
    this.#deps.state.touch(positionsTopic, String(id), before?.job.name !== person?.job.name);
  }

  #forgetGone(): void {
    const before = this.#deps.clock.now() - goneMs;
    for (const [id, { at }] of this.#gone) {
      if (at > before) return;
      this.#gone.delete(id);
    }
  }
}

function isSame(one: CurrentDuty | null, other: CurrentDuty | null): boolean {
  if (one === null || other === null) return one === other;
  const { name, job, state } = other;
  return one.name === name && one.state === state && JSON.stringify(one.job) === JSON.stringify(job);
}
