import type { Tx } from "#core/ports/index.ts";
import type { Zone } from "#core/zone.ts";
import { accountsPlaying } from "#features/accounts/accounts.reads.ts";
import type { EndedPeriod } from "#features/duty/duty.reads.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import { endEstimated } from "./timeclock.contract.ts";

export interface EstimatedDeps {
  readonly zone: Zone;
  readonly notifications: NotificationsApi;
}

/** Ends that nobody reported: only the person knows how long the shift really was, and has 30 days to say so. */
export class EstimatedEnds {
  readonly #deps: EstimatedDeps;

  constructor(deps: EstimatedDeps) {
    this.#deps = deps;
  }

  /** Of duties that were just counted. No statement where no end is estimated. */
  async notify(tx: Tx, counted: readonly EndedPeriod[]): Promise<void> {
    const { notifications, zone } = this.#deps;
    const estimated = counted.filter((one) => Number(one.estimated) === 1);
    if (estimated.length === 0) return;
    const people = [...new Set(estimated.map(({ citizen_id }) => citizen_id))];
    const accounts = Map.groupBy(await accountsPlaying(tx, people), ({ characterId }) => characterId);
    await notifications.notifyEach(
      tx,
      endEstimated,
      estimated.flatMap(({ id, citizen_id: citizenId, from_at: from, to_at: to }) =>
        (accounts.get(citizenId) ?? []).map((recipient) => ({
          ...recipient,
          params: { day: zone.dayOf(to), time: zone.iso(to).slice(11, 16) },
          link: `/jobs/timeclock?span=day&day=${zone.dayOf(from)}`,
          key: `estimated/${id}`,
        })),
      ),
    );
  }
}
