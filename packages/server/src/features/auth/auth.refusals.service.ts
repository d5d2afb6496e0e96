import { days as daysLong } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { Clock, Database } from "#core/ports/index.ts";
import { Zone } from "#core/zone.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { authErrors, refusalReasons, refusedActions } from "./auth.contract.ts";
import { daysUpTo, tablesOf } from "./auth.refusals.policy.ts";

export interface RefusalFiguresDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
}

/** Figures of refused sign-ins, from the audit log. */
export class RefusalFigures {
  readonly #deps: RefusalFiguresDeps;

  constructor(deps: RefusalFiguresDeps) {
    this.#deps = deps;
  }

  /** Throws `auth.zoneUnknown`. */
  async figures({ days: length = 30, zone: name }: { days?: number; zone: string }) {
    const { audit, clock, db } = this.#deps;
    const zone = this.#zone(name);
    const to = clock.now();
    const days = daysUpTo(zone.dayOf(to), length);
    // One day more than asked for: the first one may begin earlier in this zone, and have 25 hours.
    const from = Math.max(0, to - daysLong(length + 1));
    const question = { actions: refusedActions, result: "denied", reasons: refusalReasons, from, to } as const;
    const { counts, since } = await db.read("auth.refusals", async (tx) => await audit.countByReason(tx, question));
    return { reasons: [...refusalReasons], ...tablesOf(counts, days, refusalReasons, (at) => zone.wallTime(at)), since };
  }

  #zone(zone: string): Zone {
    try {
      return new Zone(zone);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new AppError(authErrors.zoneUnknown, { params: { zone }, cause: error });
    }
  }
}
