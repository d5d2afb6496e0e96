import type { Actor } from "#core/actor.ts";
import { type EventOf, nextState } from "#core/contract/index.ts";
import {
  type ApprovalFact,
  type ApprovalHandler,
  ApprovalImpossible,
  type ApprovalOutcome,
  type ApprovalRequest,
  type ApprovalSteps,
  type Clock,
  type DecidersNow,
  type Tx,
} from "#core/ports/index.ts";
import type { Zone } from "#core/zone.ts";
import { superiorsNow, superiorsOf } from "#features/approvals/approvals.reads.ts";
import { charactersWithJobsById } from "#features/citizens/citizens.reads.ts";
import { gradeAt } from "#features/colleagues/colleagues.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { timesText } from "./timeclock.asking.service.ts";
import { cancelCorrection, correctionApproval, missingApproval, timeclockPermissions } from "./timeclock.contract.ts";
import * as corrections from "./timeclock.corrections.repo.ts";
import type { FreeTimes } from "./timeclock.free.service.ts";
import { correctionMachine, type CorrectionState, type EntryState } from "./timeclock.machine.ts";
import { type Interval, intervalOf } from "./timeclock.policy.ts";
import type { EntryRecord } from "./timeclock.record.service.ts";
import * as repo from "./timeclock.repo.ts";
import type { TimeclockService } from "./timeclock.service.ts";

export interface DecisionsDeps {
  readonly clock: Clock;
  readonly jobs: Pick<JobsApi, "job" | "labels">;
  readonly zone: Zone;
  readonly service: TimeclockService;
  readonly free: FreeTimes;
  readonly record: EntryRecord;
}

const eventOf: Readonly<Record<ApprovalOutcome, EventOf<typeof correctionMachine>>> = {
  approved: "approve",
  refused: "decline",
  withdrawn: "cancel",
  expired: "cancel",
};

/** Of a day, what those who decide are shown. */
const mostOfDay = 50;
const texts = "timeclock.approvals.correction";

/** Who decides about corrections and missing entries, by what they see, and what a decision does. */
export class DecisionsService {
  /** One function for both kinds, so that the people of both are locked in one turn. */
  readonly #lockSubjects = async (tx: Tx, subjects: readonly string[]) => await this.#lock(tx, subjects.map(Number));
  readonly handlers: readonly ApprovalHandler[] = [correctionApproval, missingApproval].map((approval) => ({
    approval,
    steps: async (tx, { subject }) => await this.#steps(tx, Number(subject)),
    lock: this.#lockSubjects,
    decidersNow: async (tx, requests) => await this.#decidersNow(tx, requests),
    facts: async (tx, { subject }) => await this.#facts(tx, Number(subject)),
    decided: async (tx, actor, { subject }, outcome, reason) => await this.decide(tx, actor, Number(subject), outcome, reason),
  }));
  readonly #deps: DecisionsDeps;

  constructor(deps: DecisionsDeps) {
    this.#deps = deps;
  }

  /** What the outcome of the request about a correction does to the entry. */
  async decide(tx: Tx, actor: Actor, id: number, outcome: ApprovalOutcome, reason: string | null): Promise<void> {
    const { clock, service, record } = this.#deps;
    const [known] = await corrections.correctionsByIds(tx, [id]);
    if (known === undefined) return;
    await repo.lockPeople(tx, [known.citizen_id]);
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
    if (row === null && outcome === "approved") throw new ApprovalImpossible(`${texts}.refusals.entryGone`);
    if (row === null) return;
    const after = afterDecision(row, correction, state);
    if (after === null) await service.changed(tx, [row.job]);
    else {
      if (after.state === "counted") await this.#requireFree(tx, row, after);
      await service.change(tx, row, after);
    }
    const action = isDecided ? "timeclock.decide" : cancelCorrection.id;
    const { from, to } = intervalOf(row);
    await record.write(tx, actor, action, row, {
      before: { state: row.state, from, to },
      after: { state: after?.state ?? row.state, from: after?.from ?? from, to: after?.to ?? to },
    });
  }

  /** Those whose entries a decision writes, as everybody else who writes them does first; whose a correction is never changes. */
  async #lock(tx: Tx, ids: readonly number[]): Promise<void> {
    const people = (await corrections.correctionsByIds(tx, ids)).map(({ citizen_id }) => citizen_id);
    await repo.lockPeople(tx, people);
  }

  /** By the grade that the person has now. */
  async #steps(tx: Tx, id: number): Promise<ApprovalSteps> {
    const [row] = await corrections.correctionsByIds(tx, [id]);
    if (row === undefined) throw new Error(`there is no correction ${id}`);
    const { job, citizen_id: citizenId } = row;
    const held = (await charactersWithJobsById(tx, [citizenId])).get(citizenId)?.jobs.find((one) => one.job === job);
    const grades = ((await this.#deps.jobs.job(tx, job))?.grades ?? []).map(({ grade }) => grade);
    return [superiorsOf(timeclockPermissions.approve.id, job, held?.grade ?? -1, Math.max(0, ...grades))];
  }

  /** Those above the person now. */
  async #decidersNow(tx: Tx, requests: readonly ApprovalRequest[]): Promise<Map<number, DecidersNow>> {
    const rows = await corrections.correctionsByIds(
      tx,
      requests.map(({ subject }) => Number(subject)),
    );
    const bySubject = new Map(rows.map((row) => [String(row.id), row]));
    const about = requests.flatMap(({ id, subject }) => {
      const row = bySubject.get(subject);
      return row === undefined ? [] : [{ id, citizenId: row.citizen_id, job: row.job }];
    });
    return await superiorsNow(tx, timeclockPermissions.approve.id, about);
  }

  /** Who decides need not see hours otherwise: the old and the new times, and the day in this job. */
  async #facts(tx: Tx, id: number): Promise<ApprovalFact[]> {
    const { zone } = this.#deps;
    const [row] = await corrections.correctionsByIds(tx, [id]);
    if (row === undefined) return [];
    const old = { from: row.old_from, to: row.old_to };
    const wanted = { from: row.new_from, to: row.new_to };
    const between = {
      from: zone.startOf(zone.dayOf(Math.min(old.from, wanted.from))),
      until: zone.endOf(zone.dayOf(Math.max(old.to, wanted.to) - 1)),
    };
    const entries = await repo.entriesOf(tx, row.job, row.citizen_id, between, { after: null, limit: mostOfDay });
    const isMissing = (await repo.missingAmong(tx, [id])).has(id);
    const counted = entries.filter(({ state }) => state === "counted").toReversed();
    const said = (one: Interval) => timesText(zone, one);
    return [
      // What the game reported late, or what is missing, has no other times before.
      ...(row.reason === null || isMissing ? [] : [{ label: `${texts}.facts.old`, values: [said(old)] }]),
      { label: `${texts}.facts.new`, values: [said(wanted)] },
      ...(isMissing ? [await this.#gradeFact(tx, row)] : []),
      { label: `${texts}.facts.day`, values: counted.map((one) => said(intervalOf(one))) },
    ];
  }

  /** Of a missing entry; it counts with the grade of now where nobody knows that of then. */
  async #gradeFact(
    tx: Tx,
    { entry_id: id, job, citizen_id: citizenId, new_from: from }: corrections.CorrectionRow,
  ): Promise<ApprovalFact> {
    const then = await gradeAt(tx, job, citizenId, from);
    const known = then === "left" ? null : then;
    const grade = (await repo.find(tx, id))?.grade ?? known;
    const labels = await this.#deps.jobs.labels(tx);
    const values = grade === null ? [] : [labels.badge(job, grade).gradeLabel];
    return { label: `${texts}.facts.${known === null ? "gradeOfNow" : "grade"}`, values };
  }

  async #requireFree(tx: Tx, row: repo.EntryRow, wanted: Interval): Promise<void> {
    const taken = await this.#deps.free.taken(tx, row, wanted);
    if (taken !== null) throw new ApprovalImpossible(`${texts}.refusals.${taken.by}`);
  }
}

/** The entry as a decision makes it; null where it stays as it is. */
function afterDecision(
  row: repo.EntryRow,
  { new_from: from, new_to: to }: corrections.CorrectionRow,
  state: CorrectionState,
): ({ readonly state: EntryState } & Interval) | null {
  if (state === "approved") return { state: "counted", from, to };
  return row.state === "proposed" ? { state: "rejected", ...intervalOf(row) } : null;
}
