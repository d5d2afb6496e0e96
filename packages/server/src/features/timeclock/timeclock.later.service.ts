import type { Clock, Tx } from "#core/ports/index.ts";
import { accountsPlaying } from "#features/accounts/accounts.reads.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import { periodTouched } from "./timeclock.contract.ts";
import { isFrozen } from "./timeclock.periods.policy.ts";
import * as periods from "./timeclock.periods.repo.ts";
import type { DayChange } from "./timeclock.sums.policy.ts";

export interface LaterDeps {
  readonly clock: Clock;
  readonly notifications: NotificationsApi;
}

/** Days of an entry that changed. */
export interface EntryChange {
  readonly entryId: number;
  readonly days: readonly DayChange[];
}

/** A period that ends while an entry is written can be closed before that is committed. */
const marginMs = 10 * 60_000;

/** What changes in a closed pay period is stored beside it: its sums stay what was paid. */
export class LaterChanges {
  readonly #deps: LaterDeps;

  constructor(deps: LaterDeps) {
    this.#deps = deps;
  }

  /** In the unit of work that changes the days; `idsOf` finds the entries where others ids stand for them. One statement where no period that has ended is concerned. */
  async note(
    tx: Tx,
    changes: readonly EntryChange[],
    why: "corrected" | "counted",
    idsOf?: (ids: readonly number[]) => Promise<ReadonlyMap<number, number>>,
  ): Promise<void> {
    const { clock, notifications } = this.#deps;
    const all = changes.flatMap(({ days }) => days);
    if (all.length === 0) return;
    const now = clock.now();
    const jobs = [...new Set(all.map(({ job }) => job))];
    const ended = await periods.lockEnded(tx, jobs, Math.min(...all.map(({ dayAt }) => dayAt)), now + marginMs);
    const touched = changes.flatMap(({ entryId, days }) =>
      ended.flatMap((period) => {
        const own = days.filter((one) => isIn(period, one) && isFrozen(period, one.citizenId));
        const seconds = own.reduce((sum, one) => sum + one.seconds, 0);
        return seconds === 0 ? [] : [{ period, entryId, citizenId: own[0]!.citizenId, seconds }];
      }),
    );
    if (touched.length === 0) return;
    const ids = await idsOf?.(touched.map(({ entryId }) => entryId));
    await periods.insertLater(
      tx,
      touched.map(({ period, entryId, citizenId, seconds }) => ({
        ...{ period_id: period.id, carried_id: null, entry_id: ids?.get(entryId) ?? entryId, citizen_id: citizenId },
        ...{ job: period.job, seconds, why, created_at: now },
      })),
    );
    if (why !== "corrected") return;
    const people = [...new Set(touched.map(({ citizenId }) => citizenId))];
    const accounts = Map.groupBy(await accountsPlaying(tx, people), ({ characterId }) => characterId);
    await notifications.notifyEach(
      tx,
      periodTouched,
      touched.flatMap(({ period, citizenId }) =>
        (accounts.get(citizenId) ?? []).map((recipient) => ({
          ...recipient,
          params: { first: period.first_day, last: period.last_day },
          link: "/jobs/timeclock",
          key: `period/${period.id}`,
        })),
      ),
    );
  }
}

const isIn = ({ job, first_day, last_day }: periods.PeriodRow, one: DayChange): boolean =>
  one.job === job && one.day >= first_day && one.day <= last_day;
