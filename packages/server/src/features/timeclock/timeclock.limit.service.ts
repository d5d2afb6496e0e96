import { AppError } from "#core/errors.ts";
import type { Clock, Tx } from "#core/ports/index.ts";
import { addDays, type Zone } from "#core/zone.ts";
import { mostRequests, timeclockErrors } from "./timeclock.contract.ts";
import * as corrections from "./timeclock.corrections.repo.ts";

export interface LimitDeps {
  readonly clock: Clock;
  readonly zone: Zone;
}

/** Corrections and missing entries together: each request notifies superiors. */
export class RequestLimit {
  readonly #deps: LimitDeps;

  constructor(deps: LimitDeps) {
    this.#deps = deps;
  }

  /** Under the lock of the person. */
  async require(tx: Tx, citizenId: number): Promise<void> {
    const { clock, zone } = this.#deps;
    const today = zone.dayOf(clock.now());
    const asked = await corrections.countRequests(tx, citizenId, zone.startOf(today), mostRequests);
    if (asked < mostRequests) return;
    throw new AppError(timeclockErrors.tooMany, { params: { most: mostRequests, day: addDays(today, 1) } });
  }
}
