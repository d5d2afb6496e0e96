import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { Clock, Tx } from "#core/ports/index.ts";
import type { Zone } from "#core/zone.ts";
import { type CallDetail, callsErrors, keptForDispatchers, mostEntries, writtenKinds } from "./calls.base.contract.ts";
import type { CallCommand } from "./calls.machine.ts";
import { type CallRole, requireAllowed, requireNotMerged } from "./calls.policy.ts";
import { refOf } from "./calls.ref.contract.ts";
import * as entries from "./calls.entries.repo.ts";
import * as repo from "./calls.repo.ts";
import type { ShownCalls, ShownStanding } from "./calls.shown.service.ts";

export interface OpenedDeps {
  readonly clock: Clock;
  readonly zone: Zone;
  readonly shown: Pick<ShownCalls, "detail" | "standingOf">;
}

/** A call that the viewer sees, and what the viewer is to it. */
export interface Opened {
  readonly row: repo.CallRow;
  readonly as: ShownStanding;
}

/** What every change of a call by people begins and ends with. */
export class OpenedCalls {
  readonly #deps: OpenedDeps;
  readonly #timeOf = (at: number) => this.#deps.zone.iso(at).slice(0, 16).replace("T", " ");

  constructor(deps: OpenedDeps) {
    this.#deps = deps;
  }

  /** Throws for a call that there is not, or that the viewer does not see. */
  async of(tx: Tx, viewer: Viewer, row: repo.CallRow | null | undefined): Promise<Opened> {
    const as = row == null ? null : await this.#deps.shown.standingOf(tx, viewer, row);
    if (row == null || as === null) throw new AppError(callsErrors.notFound);
    return { row, as };
  }

  /** The present state in the answer says who was faster. */
  async requirePresent(tx: Tx, viewer: Viewer, { row, as }: Opened, version: number): Promise<void> {
    if (row.version === version) return;
    throw new AppError(callsErrors.stale, { extra: { current: await this.#deps.shown.detail(tx, viewer, row, as) } });
  }

  /** `roles`: where they are other ones than those that the viewer has. */
  requireAllowed(command: CallCommand, { row, as }: Opened, roles: readonly CallRole[] = as.roles): void {
    const now = this.#deps.clock.now();
    requireAllowed(command, roles, { ...row, accepted: as.accepted }, { now, timeOf: this.#timeOf });
  }

  requireNotMerged(row: repo.CallRow): void {
    requireNotMerged(row, this.#timeOf);
  }

  /** Room in the timeline for what people write. What crews write leaves some to dispatchers. */
  async requireRoom(tx: Tx, id: number, roles: readonly CallRole[] = ["dispatcher"]): Promise<void> {
    const most = roles.includes("dispatcher") ? mostEntries : mostEntries - keptForDispatchers;
    if ((await entries.countEntries(tx, id, writtenKinds)) >= most)
      throw new AppError(callsErrors.timelineFull, { params: { id: refOf(id), most } });
  }

  /** As it is afterwards, for somebody who may see it in another way then. */
  async shown(tx: Tx, viewer: Viewer, row: repo.CallRow, before: ShownStanding): Promise<CallDetail> {
    const { shown } = this.#deps;
    return await shown.detail(tx, viewer, row, (await shown.standingOf(tx, viewer, row)) ?? before);
  }
}
