import type { Actor, Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { Zone } from "#core/zone.ts";
import { gradeAt } from "#features/colleagues/colleagues.reads.ts";
import { type AskingService, correctionOf } from "./timeclock.asking.service.ts";
import {
  cancelCorrection,
  type CorrectionRequest,
  type Entry,
  requestCorrection,
  timeclockErrors,
} from "./timeclock.contract.ts";
import * as corrections from "./timeclock.corrections.repo.ts";
import type { FreeTimes } from "./timeclock.free.service.ts";
import type { RequestLimit } from "./timeclock.limit.service.ts";
import { correctedInterval, type Interval, intervalOf, isMissing } from "./timeclock.policy.ts";
import type { EntryRecord } from "./timeclock.record.service.ts";
import * as repo from "./timeclock.repo.ts";
import type { TimeclockService } from "./timeclock.service.ts";
import type { ShownEntries } from "./timeclock.shown.service.ts";

export interface CorrectionsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly record: EntryRecord;
  readonly free: FreeTimes;
  readonly asking: Pick<AskingService, "ask" | "withdraw">;
  readonly limit: RequestLimit;
  readonly zone: Zone;
  readonly service: TimeclockService;
  readonly shown: ShownEntries;
}

/** Other beginnings and ends of entries, as the person asks for them. */
export class CorrectionsService {
  readonly #deps: CorrectionsDeps;

  constructor(deps: CorrectionsDeps) {
    this.#deps = deps;
  }

  async request(call: CallContext, id: number, { version, reason, ...times }: CorrectionRequest): Promise<Entry> {
    const { db, clock, limit, zone, shown } = this.#deps;
    const viewer = call.viewer();
    return await db.write(requestCorrection.id, async (tx) => {
      await repo.lockPeople(tx, [viewer.characterId]);
      const row = await repo.find(tx, id);
      if (row === null || !isOwn(viewer, row)) throw new AppError(timeclockErrors.notFound);
      if (row.version !== version) throw await this.#stale(tx, viewer, row);
      if (row.state !== "counted") throw new AppError(timeclockErrors.notCounted);
      const open = (await corrections.correctionsOf(tx, [id])).some(({ state }) => state === "requested");
      if (open) throw new AppError(timeclockErrors.pending);
      const wanted = correctedInterval(zone, times, intervalOf(row), clock.now());
      await this.#requireFree(tx, row, wanted);
      if (wanted.from < row.from_at && (await gradeAt(tx, row.job, row.citizen_id, wanted.from)) === "left")
        throw new AppError(timeclockErrors.notEmployedThen);
      await limit.require(tx, viewer.characterId);
      const { characterId: requestedBy, characterName: name } = viewer;
      await this.store(tx, call.actor, row, { wanted, reason: reason.trim() || "–", requestedBy, name });
      return await shown.one(tx, viewer, row);
    });
  }

  /** What was checked before: those who decide are asked. */
  async store(
    tx: Tx,
    actor: Actor,
    row: repo.EntryRow,
    one: { readonly wanted: Interval; readonly reason: string; readonly requestedBy: number; readonly name: string },
  ): Promise<void> {
    const { asking, clock, service } = this.#deps;
    const { wanted, reason, requestedBy, name } = one;
    const old = intervalOf(row);
    const correction = correctionOf(row, wanted, clock.now());
    const id = await corrections.insertCorrection(tx, { ...correction, reason, requested_by: requestedBy });
    await repo.updateEntry(tx, row.id, { version: row.version + 1 });
    await this.#deps.record.write(tx, actor, requestCorrection.id, row, { before: old, after: wanted });
    await asking.ask(tx, actor, { id, citizenId: row.citizen_id, name, old, new: wanted, reason });
    await service.changed(tx, [row.job]);
  }

  async cancel(call: CallContext, id: number, version: number): Promise<Entry> {
    const { db, asking, service, shown } = this.#deps;
    const viewer = call.viewer();
    return await db.write(cancelCorrection.id, async (tx) => {
      await repo.lockPeople(tx, [viewer.characterId]);
      const correction = await corrections.findCorrection(tx, id);
      const row = correction === null ? null : await repo.find(tx, correction.entry_id);
      if (correction === null || row === null || correction.requested_by !== viewer.characterId)
        throw new AppError(timeclockErrors.notFound);
      if (correction.version !== version) throw await this.#stale(tx, viewer, row);
      if (correction.state !== "requested") throw new AppError(timeclockErrors.decided);
      await asking.withdraw(tx, call.actor, [id]);
      await corrections.updateCorrection(tx, id, { state: "cancelled", version: correction.version + 1 });
      await this.#deps.record.write(tx, call.actor, cancelCorrection.id, row, {
        before: { state: correction.state },
        after: { state: "cancelled" },
      });
      if (isMissing(row, id)) await service.change(tx, row, { state: "rejected", ...intervalOf(row) });
      else await service.changed(tx, [row.job]);
      return await shown.one(tx, viewer, row);
    });
  }

  async #requireFree(tx: Tx, row: repo.EntryRow, wanted: Interval): Promise<void> {
    const taken = await this.#deps.free.taken(tx, row, wanted);
    if (taken === null) return;
    throw new AppError(timeclockErrors[taken.by], taken.by === "overlaps" ? { params: { id: taken.id } } : {});
  }

  async #stale(tx: Tx, viewer: Viewer, row: repo.EntryRow): Promise<AppError> {
    return new AppError(timeclockErrors.stale, { extra: { current: await this.#deps.shown.one(tx, viewer, row) } });
  }
}

const isOwn = ({ characterId, job }: Viewer, row: repo.EntryRow) => row.citizen_id === characterId && row.job === job;
