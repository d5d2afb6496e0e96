import type { Clock, Tx } from "#core/ports/index.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import type { EntryState } from "./timeclock.machine.ts";
import { type Interval, intervalOf, overlap } from "./timeclock.policy.ts";
import * as repo from "./timeclock.repo.ts";

export interface FreeDeps {
  readonly clock: Clock;
  readonly duty: Pick<DutyApi, "of">;
}

/** What is in the way; of other jobs nothing but that. */
export type Taken = { readonly by: "overlaps"; readonly id: number } | { readonly by: "overlapsElsewhere" | "running" };

/** Whether a person has worked at a time already, in any job: nobody works in two at once. */
export class FreeTimes {
  readonly #deps: FreeDeps;

  constructor(deps: FreeDeps) {
    this.#deps = deps;
  }

  /** Besides the entry itself, by entries in these states. The caller has locked the person. */
  async taken(
    tx: Tx,
    entry: Pick<repo.EntryRow, "id" | "citizen_id" | "job">,
    wanted: Interval,
    states: readonly EntryState[] = ["counted"],
  ): Promise<Taken | null> {
    const { clock, duty } = this.#deps;
    const { citizen_id: citizenId, job } = entry;
    const counted = await repo.lockCounted(tx, [citizenId], wanted.from, states);
    const others = counted.filter((one) => one.id !== entry.id && overlap(intervalOf(one), wanted));
    const own = others.find((one) => one.job === job);
    if (own !== undefined) return { by: "overlaps", id: own.id };
    if (others.length > 0) return { by: "overlapsElsewhere" };
    const running = (await duty.of(tx, [citizenId])).get(citizenId);
    if (running === undefined) return null;
    const until = Math.max(clock.now(), running.since + 1);
    if (!overlap({ from: running.since, to: until }, wanted)) return null;
    return { by: running.job === job ? "running" : "overlapsElsewhere" };
  }
}
