import type { Actor, Viewer } from "#core/actor.ts";
import { type EventOf, nextState } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type {
  ApprovalHandler,
  ApprovalOutcome,
  ApprovalSteps,
  Approvals,
  Clock,
  Database,
  Decider,
  Tx,
} from "#core/ports/index.ts";
import type { Zone } from "#core/zone.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { charactersWithJobsById, namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import {
  cancelCorrection,
  correctionApproval,
  type CorrectionRequest,
  type Entry,
  requestCorrection,
  timeclockErrors,
  timeclockPermissions,
} from "./timeclock.contract.ts";
import * as corrections from "./timeclock.corrections.repo.ts";
import { correctionMachine, type CorrectionState, type EntryState } from "./timeclock.machine.ts";
import { correctedInterval, type Interval, overlap } from "./timeclock.policy.ts";
import * as repo from "./timeclock.repo.ts";
import { correctionOf, intervalOf, type TimeclockService } from "./timeclock.service.ts";
import type { ShownEntries } from "./timeclock.shown.service.ts";

export interface CorrectionsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly jobs: Pick<JobsApi, "job">;
  readonly duty: Pick<DutyApi, "of">;
  readonly approvals: () => Approvals;
  readonly zone: Zone;
  readonly service: TimeclockService;
  readonly shown: ShownEntries;
}

const eventOf: Readonly<Record<ApprovalOutcome, EventOf<typeof correctionMachine>>> = {
  approved: "approve",
  refused: "decline",
  withdrawn: "cancel",
  expired: "cancel",
};

/** Other beginnings and ends of entries: asked for by the person, decided by somebody of a higher grade. */
export class CorrectionsService {
  readonly handler: ApprovalHandler = {
    approval: correctionApproval,
    steps: async (tx, { subject }) => await this.#steps(tx, Number(subject)),
    decided: async (tx, actor, { subject }, outcome, reason) => await this.#decided(tx, actor, Number(subject), outcome, reason),
  };
  readonly #deps: CorrectionsDeps;

  constructor(deps: CorrectionsDeps) {
    this.#deps = deps;
  }

  async request(call: CallContext, id: number, { version, reason, ...times }: CorrectionRequest): Promise<Entry> {
    const { db, clock, zone, shown } = this.#deps;
    const viewer = call.viewer();
    return await db.write(requestCorrection.id, async (tx) => {
      const row = await repo.find(tx, id);
      if (row === null || !isOwn(viewer, row)) throw new AppError(timeclockErrors.notFound);
      if (row.version !== version) throw await this.#stale(tx, viewer, row);
      if (row.state !== "counted") throw new AppError(timeclockErrors.notCounted);
      const open = (await corrections.correctionsOf(tx, [id])).some(({ state }) => state === "requested");
      if (open) throw new AppError(timeclockErrors.pending);
      const wanted = correctedInterval(zone, times, intervalOf(row), clock.now());
      await this.#requireFree(tx, row, wanted);
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
    const { clock, service } = this.#deps;
    const { wanted, reason, requestedBy, name } = one;
    const old = intervalOf(row);
    const correction = correctionOf(row, wanted, clock.now());
    const id = await corrections.insertCorrection(tx, { ...correction, reason, requested_by: requestedBy });
    await repo.updateEntry(tx, row.id, { version: row.version + 1 });
    await this.#record(tx, actor, requestCorrection.id, row, { before: old, after: wanted });
    await service.ask(tx, actor, { id, name, old, new: wanted, reason });
    await service.changed(tx, [row.job]);
  }

  async cancel(call: CallContext, id: number, version: number): Promise<Entry> {
    const { db, approvals, service, shown } = this.#deps;
    const viewer = call.viewer();
    return await db.write(cancelCorrection.id, async (tx) => {
      const correction = await corrections.findCorrection(tx, id);
      const row = correction === null ? null : await repo.find(tx, correction.entry_id);
      if (correction === null || row === null || correction.requested_by !== viewer.characterId)
        throw new AppError(timeclockErrors.notFound);
      if (correction.version !== version) throw await this.#stale(tx, viewer, row);
      if (correction.state !== "requested") throw new AppError(timeclockErrors.decided);
      await approvals().withdraw(tx, call.actor, correctionApproval, String(id));
      await corrections.updateCorrection(tx, id, { state: "cancelled", version: correction.version + 1 });
      await this.#record(tx, call.actor, cancelCorrection.id, row, {
        before: { state: correction.state },
        after: { state: "cancelled" },
      });
      await service.changed(tx, [row.job]);
      return await shown.one(tx, viewer, row);
    });
  }

  /** By the grade that the person has now. */
  async #steps(tx: Tx, id: number): Promise<ApprovalSteps> {
    const row = await corrections.findCorrection(tx, id);
    if (row === null) throw new Error(`there is no correction ${id}`);
    const { job, citizen_id: citizenId } = row;
    const held = (await charactersWithJobsById(tx, [citizenId])).get(citizenId)?.jobs.find((one) => one.job === job);
    const grades = ((await this.#deps.jobs.job(tx, job))?.grades ?? []).map(({ grade }) => grade);
    const above = { from: (held?.grade ?? -1) + 1, to: Math.max(0, ...grades) };
    const permission = timeclockPermissions.approve.id;
    const superiors: Decider[] = above.from > above.to ? [] : [{ by: "right", permission, job, grades: above }];
    return [[...superiors, { by: "jobAdmins", job }]];
  }

  async #decided(tx: Tx, actor: Actor, id: number, outcome: ApprovalOutcome, reason: string | null): Promise<void> {
    const { clock, service } = this.#deps;
    const correction = await corrections.findCorrection(tx, id);
    const state = correction && nextState(correctionMachine, correction.state as CorrectionState, eventOf[outcome]);
    if (correction === null || state === null) return;
    const isDecided = outcome === "approved" || outcome === "refused";
    await corrections.updateCorrection(tx, id, {
      state,
      decided_by: isDecided && actor.kind === "character" ? actor.characterId : null,
      decided_at: clock.now(),
      decision_reason: reason,
      version: correction.version + 1,
    });
    const row = await repo.find(tx, correction.entry_id);
    if (row === null) return;
    const after = afterDecision(row, correction, state);
    if (after === null) await service.changed(tx, [row.job]);
    else {
      if (after.state === "counted") await this.#requireFree(tx, row, after);
      await service.change(tx, row, after);
    }
    const action = isDecided ? "timeclock.decide" : cancelCorrection.id;
    const { from, to } = intervalOf(row);
    await this.#record(tx, actor, action, row, {
      before: { state: row.state, from, to },
      after: { state: after?.state ?? row.state, from: after?.from ?? from, to: after?.to ?? to },
    });
  }

  /** Of all jobs: a person works in one at a time. */
  async #requireFree(tx: Tx, row: repo.EntryRow, wanted: Interval): Promise<void> {
    const { clock, duty } = this.#deps;
    const counted = await repo.lockCounted(tx, [row.citizen_id], wanted.from);
    const other = counted.find((one) => one.id !== row.id && overlap(intervalOf(one), wanted));
    if (other !== undefined) throw new AppError(timeclockErrors.overlaps, { params: { id: other.id } });
    const running = (await duty.of(tx, [row.citizen_id])).get(row.citizen_id);
    if (running !== undefined && overlap({ from: running.since, to: Math.max(clock.now(), running.since + 1) }, wanted))
      throw new AppError(timeclockErrors.running);
  }

  async #stale(tx: Tx, viewer: Viewer, row: repo.EntryRow): Promise<AppError> {
    return new AppError(timeclockErrors.stale, { extra: { current: await this.#deps.shown.one(tx, viewer, row) } });
  }

  async #record(
    tx: Tx,
    actor: Actor,
    action: string,
    { id, job, citizen_id: citizenId }: repo.EntryRow,
    change: { readonly before: object; readonly after: object },
  ): Promise<void> {
    const name = (await namesOfCitizens(tx, [citizenId])).get(citizenId) ?? `CIT-${citizenId}`;
    const object = { kind: "timeclock.entry", id, name };
    await this.#deps.audit.record(tx, actor, { action, object, info: { job }, ...change });
  }
}

const isOwn = ({ characterId, job }: Viewer, row: repo.EntryRow) => row.citizen_id === characterId && row.job === job;

/** The entry as a decision makes it; null where it stays as it is. */
function afterDecision(
  row: repo.EntryRow,
  { new_from: from, new_to: to }: corrections.CorrectionRow,
  state: CorrectionState,
): ({ readonly state: EntryState } & Interval) | null {
  if (state === "approved") return { state: "counted", from, to };
  return row.state === "proposed" ? { state: "rejected", ...intervalOf(row) } : null;
}
