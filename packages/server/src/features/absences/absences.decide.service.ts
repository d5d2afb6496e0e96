import type { Actor, Viewer } from "#core/actor.ts";
import { type EventOf, nextState } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { invalid } from "#core/invalid.ts";
import type {
  ApprovalHandler,
  ApprovalOutcome,
  ApprovalRequest,
  Approvals,
  Clock,
  Database,
  DecidersNow,
  Tasks,
  Tx,
} from "#core/ports/index.ts";
import { superiorsNow } from "#features/approvals/approvals.reads.ts";
import { charactersWithJobsById } from "#features/citizens/citizens.reads.ts";
import type { Approvers } from "./absences.approvers.service.ts";
import { type Absence, absencesErrors, absencesPermissions } from "./absences.base.contract.ts";
import type { AbsenceChanges } from "./absences.changes.service.ts";
import {
  absenceApproval,
  cancelAbsence,
  decideAbsence,
  escalateAbsence,
  escalateAfterMs,
  substituteNamed,
} from "./absences.contract.ts";
import { absenceMachine } from "./absences.machine.ts";
import * as repo from "./absences.repo.ts";
import { type ShownAbsences, stateOf } from "./absences.shown.service.ts";

export interface DecisionsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly tasks: Pick<Tasks, "enqueue">;
  readonly approvals: () => Approvals;
  readonly approvers: Approvers;
  readonly shown: ShownAbsences;
  readonly changes: AbsenceChanges;
}

const eventOf: Readonly<Record<ApprovalOutcome, EventOf<typeof absenceMachine>>> = {
  approved: "approve",
  refused: "decline",
  withdrawn: "cancel",
  expired: "cancel",
};

/** Asks those who decide about an absence, and does what they decided. */
export class AbsenceDecisions {
  readonly handler: ApprovalHandler = {
    approval: absenceApproval,
    steps: async (tx, { subject }) => {
      const row = await repo.find(tx, Number(subject));
      if (row === null) throw new Error(`there is no absence ${subject}`);
      const { deciders } = await this.#firstApprovers(tx, row);
      return [deciders];
    },
    lock: async (tx, subjects) => await repo.lockAll(tx, subjects.map(Number)),
    decidersNow: async (tx, requests) => await this.#decidersNow(tx, requests),
    decided: async (tx, actor, { subject }, outcome, reason) => await this.#decided(tx, actor, Number(subject), outcome, reason),
  };
  readonly #deps: DecisionsDeps;

  constructor(deps: DecisionsDeps) {
    this.#deps = deps;
  }

  async decide(
    call: CallContext,
    id: number,
    { version, approve, reason }: { version: number; approve: boolean; reason?: string | null },
  ): Promise<Absence> {
    const { db, approvals, changes } = this.#deps;
    const viewer = call.viewer();
    const why = reason?.trim() ?? "";
    if (!approve && why === "") throw invalid("body.reason", "must say why it is declined");
    return await db.write(decideAbsence.id, async (tx) => {
      const row = await repo.find(tx, id);
      if (row === null || !(await this.#sees(tx, viewer, row))) throw new AppError(absencesErrors.notFound);
      if (row.version !== version) throw await changes.stale(tx, viewer, row);
      if (stateOf(row) !== "requested") throw new AppError(absencesErrors.decided);
      const verdict = approve ? ({ approve } as const) : ({ approve: false, reason: why } as const);
      await approvals().decide(tx, call.actor, absenceApproval, String(id), verdict);
      return await changes.shown(tx, viewer, row);
    });
  }

  async ask(tx: Tx, actor: Actor, row: repo.AbsenceRow, { kind, name }: { kind: string; name: string }): Promise<void> {
    const { first_day: first, last_day: last, reason } = row;
    await this.#deps.approvals().request(tx, actor, absenceApproval, {
      subject: String(row.id),
      about: name,
      params: { name, kind, first, last, reason: reason ?? "–" },
      link: "/absences",
    });
    await this.#escalateLater(tx, row.id, (await this.#firstApprovers(tx, row)).grade);
  }

  /** Those of the next grade are asked too. */
  async escalate(tx: Tx, id: number, grade: number): Promise<void> {
    const { approvals, approvers, changes } = this.#deps;
    const row = await repo.find(tx, id);
    if (row === null || stateOf(row) !== "requested") return;
    const next = await approvers.next(tx, row.job, grade, row.citizen_id);
    const actor = { kind: "system", name: escalateAbsence.id } as const;
    const isWidened = await approvals().widen(tx, actor, absenceApproval, String(id), next.deciders);
    if (isWidened) await changes.changed(tx, row);
    await this.#escalateLater(tx, id, next.grade);
  }

  /** By the grade that the person has, not by one that a mode gives. */
  async #firstApprovers(tx: Tx, { citizen_id: id, job }: repo.AbsenceRow) {
    const held = (await charactersWithJobsById(tx, [id])).get(id)?.jobs.find((one) => one.job === job);
    return await this.#deps.approvers.next(tx, job, held?.grade ?? 0, id);
  }

  /** Those above the person now. */
  async #decidersNow(tx: Tx, requests: readonly ApprovalRequest[]): Promise<Map<number, DecidersNow>> {
    const rows = await repo.all(
      tx,
      requests.map(({ subject }) => Number(subject)),
    );
    const bySubject = new Map(rows.map((row) => [String(row.id), row]));
    const about = requests.flatMap(({ id, subject }) => {
      const row = bySubject.get(subject);
      return row === undefined ? [] : [{ id, citizenId: row.citizen_id, job: row.job }];
    });
    return await superiorsNow(tx, absencesPermissions.approve.id, about);
  }

  async #escalateLater(tx: Tx, id: number, grade: number | null): Promise<void> {
    const { clock, tasks } = this.#deps;
    if (grade === null) return;
    const task = { payload: { id, grade }, key: `absence/${id}/${grade}`, dueAt: clock.now() + escalateAfterMs };
    await tasks.enqueue(tx, escalateAbsence, task);
  }

  async #decided(tx: Tx, actor: Actor, id: number, outcome: ApprovalOutcome, reason: string | null): Promise<void> {
    const { changes, clock } = this.#deps;
    const row = await repo.find(tx, id);
    const state = row === null ? null : nextState(absenceMachine, stateOf(row), eventOf[outcome]);
    if (row === null || state === null || stateOf(row) !== "requested") return;
    const isDecided = outcome === "approved" || outcome === "refused";
    const decider = isDecided && actor.kind === "character" ? actor.characterId : null;
    const version = row.version + 1;
    const decision = { decided_by: decider, decided_at: clock.now(), decision_reason: reason };
    await repo.update(tx, id, { state, ...decision, version });
    const action = isDecided ? decideAbsence.id : cancelAbsence.id;
    await changes.record(tx, actor, action, row, { before: { state: row.state }, after: { state } });
    if (state === "approved") {
      await changes.notifySubstitute(tx, row, substituteNamed);
      await changes.happened(tx, { ...row, version }, "entered", row.citizen_id);
    }
    await changes.changed(tx, row);
  }

  async #sees(tx: Tx, viewer: Viewer, row: repo.AbsenceRow): Promise<boolean> {
    const [found] = await repo.byIds(tx, await this.#deps.shown.seeing(tx, viewer), [row.id]);
    const isListed = row.job === viewer.job && stateOf(row) === "approved" && viewer.rights.has(absencesPermissions.list.id);
    return Number(found?.seen) === 1 || isListed;
  }
}
