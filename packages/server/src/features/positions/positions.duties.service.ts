import type { Clock, Database, Log, StatePublisher } from "#core/ports/index.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import type { DutyPerson } from "#features/duty/duty.contract.ts";
import { positionsTopic } from "./positions.contract.ts";
import type { OnDuty } from "./positions.policy.ts";

/** After this time a failed read is tried again. Milliseconds. */
const retryMs = 1000;

export interface DutiesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly state: StatePublisher;
  readonly duty: DutyApi;
}

/**
 * Who is on duty, in the memory of this process: decides for each frame of places what viewers get. Of a person the
 * highest version counts, so that what is loaded and what is announced meanwhile may arrive in any order.
 */
export class Duties {
  readonly #deps: DutiesDeps;
  readonly #people = new Map<number, { readonly version: number; readonly person: OnDuty | null }>();

  constructor(deps: DutiesDeps) {
    this.#deps = deps;
  }

  of(id: number): OnDuty | null {
    return this.#people.get(id)?.person ?? null;
  }

  async start(): Promise<void> {
    const before = new Map(this.#people);
    const all = await this.#deps.db.read("positions.duties", async (tx) => await this.#deps.duty.everybody(tx));
    this.changed(all);
    const present = new Set(all.map(({ id }) => id));
    for (const [id, { version, person }] of before) {
      const gone = person !== null && !present.has(id) && this.#people.get(id)?.version === version;
      if (gone) this.#put(id, version, null);
    }
  }

  changed(items: readonly DutyPerson[]): void {
    for (const { id, version, deleted, name, job, state } of items) {
      if ((this.#people.get(id)?.version ?? -1) > version) continue;
      this.#put(id, version, deleted ? null : { name, job, state });
    }
  }

  /** Events of other processes may be missing: nobody counts as on duty until this is known again. */
  missed(): void {
    for (const [id, { version, person }] of this.#people) if (person !== null) this.#put(id, version - 1, null);
    this.#reload();
  }

  #reload(): void {
    this.start().catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, "who is on duty could not be read again; places are hidden until then");
      this.#deps.clock.setTimeout(() => this.#reload(), retryMs);
    });
  }

  #put(id: number, version: number, person: OnDuty | null): void {
    this.#people.set(id, { version, person });
    this.#deps.state.touch(positionsTopic, String(id));
  }
}
