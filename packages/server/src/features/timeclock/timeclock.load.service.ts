import type { Viewer } from "#core/actor.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import { addDays, type Zone } from "#core/zone.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import { type LoadFilter, mostLoadEntries, type TeamLoad } from "./timeclock.load.contract.ts";
import { loadOf, loadSlots } from "./timeclock.load.policy.ts";
import * as repo from "./timeclock.load.repo.ts";
import { requireRange } from "./timeclock.policy.ts";
import type { Seeing } from "./timeclock.repo.ts";
import type { Whose } from "./timeclock.whose.service.ts";

export interface LoadDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly duty: Pick<DutyApi, "unknown">;
  readonly zone: Zone;
  readonly whose: Whose;
  /** Most entries that are counted. */
  readonly most?: number;
}

/** How many people worked in each hour of the week. */
export class LoadService {
  readonly #deps: LoadDeps;

  constructor(deps: LoadDeps) {
    this.#deps = deps;
  }

  async load(viewer: Viewer, filter: LoadFilter): Promise<TeamLoad> {
    requireRange(filter);
    return await this.#deps.db.read("timeclock.load", async (tx) => await this.read(tx, viewer, filter));
  }

  /** Throws for what nobody may ask for. */
  async require(tx: Tx, viewer: Viewer, { grade, group, ...range }: LoadFilter): Promise<Seeing> {
    requireRange(range);
    return await this.#deps.whose.seen(tx, viewer, { grade, group });
  }

  async read(tx: Tx, viewer: Viewer, filter: LoadFilter): Promise<TeamLoad> {
    const { clock, duty, zone, most = mostLoadEntries } = this.#deps;
    const seeing = await this.require(tx, viewer, filter);
    const slots = loadSlots(zone, filter, clock.now());
    const { from, to } = slots;
    const cut = await repo.cutBehind(tx, viewer.job, slots, most);
    const pairs = await repo.pairsOf(tx, seeing, slots, cut ?? from);
    const began = (await repo.firstEntry(tx)) ?? to;
    const silent = await duty.unknown(tx, viewer.job, { from, to });
    // Of the day on which the first of too many ended, some are missing.
    const firstDay = cut === null ? filter.firstDay : addDays(zone.dayOf(cut), 1);
    const cells = loadOf(pairs, [{ from, to: began }, ...silent], slots, cut === null ? from : zone.startOf(firstDay));
    return { zone: zone.name, cells, firstDay, complete: cut === null };
  }
}
