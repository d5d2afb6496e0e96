import { type Actor, actorName, type Viewer } from "#core/actor.ts";
import { type EventOf, nextState, type NotificationDefinition } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { ApprovalHandler, ApprovalOutcome, Approvals, Clock, Database, Outbox, Tasks, Tx } from "#core/ports/index.ts";
import { accountsPlaying, lockAccounts } from "#features/accounts/accounts.reads.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { charactersWithJobsById, namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import type { Approvers } from "./absences.approvers.service.ts";
import { type Absence, absencesErrors, absencesPermissions, shippedKind } from "./absences.base.contract.ts";
import {
  absenceApproval,
  type AbsenceRequest,
  absencesChanged,
  cancelAbsence,
  decideAbsence,
  escalateAbsence,
  escalateAfterMs,
  requestAbsence,
  substituteFree,
  substituteNamed,
} from "./absences.contract.ts";
import { kindsOf } from "./absences.kinds.repo.ts";
import { contentOf } from "./absences.kinds.service.ts";
import { absenceMachine, type AbsenceState } from "./absences.machine.ts";
import { endedFrom, invalid, type KindLimits, requireAllowed, requireSpan, type Span } from "./absences.policy.ts";
import * as repo from "./absences.repo.ts";
import type { ShownAbsences } from "./absences.shown.service.ts";

export interface AbsencesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly tasks: Pick<Tasks, "enqueue">;
  readonly audit: AuditApi;
  readonly jobs: Pick<JobsApi, "meanings">;
  readonly notifications: Pick<NotificationsApi, "notify">;
  readonly approvals: () => Approvals;
  readonly approvers: Approvers;
  readonly shown: ShownAbsences;
}

/** The kind that somebody chose. */
interface Chosen {
  readonly id: number | null;
  readonly name: string;
  readonly needsApproval: boolean;
}

/** An absence that nothing speaks against. */
export interface NewAbsence {
  readonly person: { readonly id: number; readonly name: string; readonly job: string };
  readonly kind: Chosen;
  readonly span: Span;
  readonly reason: string | null;
  readonly substituteId: number | null;
}

const eventOf: Readonly<Record<ApprovalOutcome, EventOf<typeof absenceMachine>>> = {
  approved: "approve",
  refused: "decline",
  withdrawn: "cancel",
  expired: "cancel",
};

const stateOf = (row: repo.AbsenceRow) => row.state as AbsenceState;

/** Asks for absences, decides and ends them, for the browser and everything else that offers this. */
export class AbsencesService {
  readonly handler: ApprovalHandler = {
    approval: absenceApproval,
    steps: async (tx, { subject }) => {
      const row = await repo.find(tx, Number(subject));
      if (row === null) throw new Error(`there is no absence ${subject}`);
      const { deciders } = await this.#firstApprovers(tx, row);
      return [deciders];
    },
    decided: async (tx, actor, { subject }, outcome, reason) => await this.#decided(tx, actor, Number(subject), outcome, reason),
  };
  readonly #deps: AbsencesDeps;

  constructor(deps: AbsencesDeps) {
    this.#deps = deps;
  }

  async request(call: CallContext, { kindId, substituteId = null, reason = null, ...span }: AbsenceRequest): Promise<Absence> {
    const { db, jobs, shown } = this.#deps;
    const viewer = call.viewer();
    requireSpan(span, "body");
    return await db.write(requestAbsence.id, async (tx) => {
      // Two requests of one person take turns, so that neither misses the days of the other.
      await lockAccounts(tx, [viewer.accountId]);
      if (!(await jobs.meanings(tx)).isWork(viewer.job)) throw new AppError(absencesErrors.noJob);
      const kind = await this.#kind(tx, viewer.job, kindId);
      requireAllowed(span, kind, shown.today());
      await this.#requireFree(tx, viewer, shown.between(span));
      if (substituteId !== null) await this.#requireSubstitute(tx, viewer, substituteId);
      const { characterId, characterName: name, job } = viewer;
      const row = await this.store(tx, call.actor, {
        person: { id: characterId, name, job },
        kind,
        span,
        reason: reason?.trim() || null,
        substituteId,
      });
      return await this.#shown(tx, viewer, row);
    });
  }

  /** What was checked before: it counts at once, or those who decide are asked. */
  async store(tx: Tx, actor: Actor, { person, kind, span, reason, substituteId }: NewAbsence): Promise<repo.AbsenceRow> {
    const { clock, shown } = this.#deps;
    const between = shown.between(span);
    const id = await repo.insert(tx, {
      job: person.job,
      citizen_id: person.id,
      kind_id: kind.id,
      from_at: between.from,
      until_at: between.until,
      first_day: span.firstDay,
      last_day: span.lastDay,
      reason,
      substitute_id: substituteId,
      state: kind.needsApproval ? "requested" : "approved",
      requested_by: person.id,
      decided_by: null,
      decided_at: null,
      decision_reason: null,
      version: 1,
      created_at: clock.now(),
    });
    const row = (await repo.find(tx, id))!;
    await this.#record(tx, actor, requestAbsence.id, row, { after: daysOf(row) });
    if (kind.needsApproval) await this.#ask(tx, actor, row, kind.name, person.name);
    else await this.#notifySubstitute(tx, row, substituteNamed);
    await this.#changed(tx, row);
    return row;
  }

  async cancel(call: CallContext, id: number, version: number): Promise<Absence> {
    const { db, shown } = this.#deps;
    const viewer = call.viewer();
    return await db.write(cancelAbsence.id, async (tx) => {
      const row = await repo.find(tx, id);
      if (row === null || row.citizen_id !== viewer.characterId) throw new AppError(absencesErrors.notFound);
      if (row.version !== version) throw await this.#stale(tx, viewer, row);
      const ended = endedFrom({ firstDay: row.first_day, lastDay: row.last_day, state: stateOf(row) }, shown.today());
      if (ended === null) throw new AppError(absencesErrors.over);
      await this.#end(tx, call.actor, row, ended, cancelAbsence.id);
      return await this.#shown(tx, viewer, row);
    });
  }

  async decide(
    call: CallContext,
    id: number,
    { version, approve, reason }: { version: number; approve: boolean; reason?: string | null },
  ): Promise<Absence> {
    const { db, approvals } = this.#deps;
    const viewer = call.viewer();
    const why = reason?.trim() ?? "";
    if (!approve && why === "") throw invalid("body.reason", "must say why it is declined");
    return await db.write(decideAbsence.id, async (tx) => {
      const row = await repo.find(tx, id);
      if (row === null || !(await this.#sees(tx, viewer, row))) throw new AppError(absencesErrors.notFound);
      if (row.version !== version) throw await this.#stale(tx, viewer, row);
      if (stateOf(row) !== "requested") throw new AppError(absencesErrors.decided);
      const verdict = approve ? ({ approve } as const) : ({ approve: false, reason: why } as const);
      await approvals().decide(tx, call.actor, absenceApproval, String(id), verdict);
      return await this.#shown(tx, viewer, row);
    });
  }

  /** Those of the next grade are asked too. */
  async escalate(tx: Tx, id: number, grade: number): Promise<void> {
    const { approvals, approvers } = this.#deps;
    const row = await repo.find(tx, id);
    if (row === null || stateOf(row) !== "requested") return;
    const next = await approvers.next(tx, row.job, grade, row.citizen_id);
    const actor = { kind: "system", name: escalateAbsence.id } as const;
    await approvals().widen(tx, actor, absenceApproval, String(id), next.deciders);
    await this.#escalateLater(tx, id, next.grade);
  }

  /** Ends the absences of citizens in jobs that they do not have any more. */
  async leftJobs(tx: Tx, citizenIds: readonly number[]): Promise<void> {
    const { clock, shown } = this.#deps;
    const rows = await repo.lockLive(tx, citizenIds, clock.now());
    if (rows.length === 0) return;
    const people = await charactersWithJobsById(tx, [...new Set(rows.map(({ citizen_id }) => citizen_id))]);
    const today = shown.today();
    for (const row of rows) {
      if (people.get(row.citizen_id)?.jobs.some(({ job }) => job === row.job)) continue;
      const ended = endedFrom({ firstDay: row.first_day, lastDay: row.last_day, state: stateOf(row) }, today);
      if (ended !== null) await this.#end(tx, { kind: "system", name: "absences.left" }, row, ended, "absences.left");
    }
  }

  async purgeCitizens(tx: Tx, citizenIds: readonly number[]): Promise<void> {
    await repo.removeCitizens(tx, citizenIds);
  }

  async #kind(tx: Tx, job: string, id: number | null): Promise<Chosen & KindLimits> {
    const live = (await kindsOf(tx, job)).filter(({ deleted_at }) => deleted_at === null);
    if (id === null && live.length === 0) return { id: null, name: "", ...shippedKind };
    const row = live.find((one) => one.id === id);
    if (row === undefined) throw new AppError(absencesErrors.kindNotFound);
    return { ...contentOf(row), id: row.id };
  }

  async #requireFree(tx: Tx, { job, characterId }: Viewer, between: repo.Between): Promise<void> {
    const other = await repo.overlapping(tx, { job, citizenId: characterId }, between);
    if (other === null) return;
    const params = { id: other.id, first: other.first_day, last: other.last_day };
    throw new AppError(absencesErrors.overlaps, { params });
  }

  async #requireSubstitute(tx: Tx, { job, characterId }: Viewer, id: number): Promise<void> {
    const found = id === characterId ? undefined : (await charactersWithJobsById(tx, [id])).get(id);
    if (!found?.jobs.some((one) => one.job === job)) throw new AppError(absencesErrors.substituteUnknown);
  }

  /** By the grade that the person has, not by one that a mode gives. */
  async #firstApprovers(tx: Tx, { citizen_id: id, job }: repo.AbsenceRow) {
    const held = (await charactersWithJobsById(tx, [id])).get(id)?.jobs.find((one) => one.job === job);
    return await this.#deps.approvers.next(tx, job, held?.grade ?? 0, id);
  }

  async #ask(tx: Tx, actor: Actor, row: repo.AbsenceRow, kind: string, name: string): Promise<void> {
    const { first_day: first, last_day: last, reason } = row;
    await this.#deps.approvals().request(tx, actor, absenceApproval, {
      subject: String(row.id),
      about: name,
      params: { name, kind, first, last, reason: reason ?? "–" },
      link: "/absences",
    });
    await this.#escalateLater(tx, row.id, (await this.#firstApprovers(tx, row)).grade);
  }

  async #escalateLater(tx: Tx, id: number, grade: number | null): Promise<void> {
    const { clock, tasks } = this.#deps;
    if (grade === null) return;
    const task = { payload: { id, grade }, key: `absence/${id}/${grade}`, dueAt: clock.now() + escalateAfterMs };
    await tasks.enqueue(tx, escalateAbsence, task);
  }

  async #decided(tx: Tx, actor: Actor, id: number, outcome: ApprovalOutcome, reason: string | null): Promise<void> {
    const row = await repo.find(tx, id);
    const state = row === null ? null : nextState(absenceMachine, stateOf(row), eventOf[outcome]);
    if (row === null || state === null || stateOf(row) !== "requested") return;
    const isDecided = outcome === "approved" || outcome === "refused";
    await repo.update(tx, id, {
      state,
      decided_by: isDecided && actor.kind === "character" ? actor.characterId : null,
      decided_at: this.#deps.clock.now(),
      decision_reason: reason,
      version: row.version + 1,
    });
    const action = isDecided ? decideAbsence.id : cancelAbsence.id;
    await this.#record(tx, actor, action, row, { before: { state: row.state }, after: { state } });
    if (state === "approved") await this.#notifySubstitute(tx, row, substituteNamed);
    await this.#changed(tx, row);
  }

  async #end(
    tx: Tx,
    actor: Actor,
    row: repo.AbsenceRow,
    { state, lastDay }: { state: AbsenceState; lastDay: string },
    action: string,
  ): Promise<void> {
    const { approvals, shown } = this.#deps;
    if (stateOf(row) === "requested") await approvals().withdraw(tx, actor, absenceApproval, String(row.id));
    const until = lastDay === row.last_day ? row.until_at : shown.between({ firstDay: lastDay, lastDay }).until;
    await repo.update(tx, row.id, { state, last_day: lastDay, until_at: until, version: row.version + 1 });
    await this.#record(tx, actor, action, row, {
      before: { state: row.state, lastDay: row.last_day },
      after: { state, lastDay },
    });
    if (stateOf(row) === "approved") await this.#notifySubstitute(tx, row, substituteFree);
    await this.#changed(tx, row);
  }

  async #sees(tx: Tx, viewer: Viewer, row: repo.AbsenceRow): Promise<boolean> {
    const [found] = await repo.byIds(tx, await this.#deps.shown.seeing(tx, viewer), [row.id]);
    const isListed = row.job === viewer.job && stateOf(row) === "approved" && viewer.rights.has(absencesPermissions.list.id);
    return Number(found?.seen) === 1 || isListed;
  }

  async #stale(tx: Tx, viewer: Viewer, row: repo.AbsenceRow): Promise<AppError> {
    return new AppError(absencesErrors.stale, { extra: { current: await this.#shown(tx, viewer, row) } });
  }

  async #shown(tx: Tx, viewer: Viewer, { id }: repo.AbsenceRow): Promise<Absence> {
    const { shown } = this.#deps;
    const seeing = await shown.seeing(tx, viewer);
    const [absence] = await shown.shown(tx, seeing, await repo.byIds(tx, seeing, [id]));
    return absence!;
  }

  async #changed(tx: Tx, { job }: repo.AbsenceRow): Promise<void> {
    const { outbox, clock } = this.#deps;
    await outbox.emit(tx, absencesChanged, { key: "absences", version: clock.now(), payload: { jobs: [job] } });
  }

  /** Without kind and reason: not everybody who reads the audit log may know them. */
  async #record(
    tx: Tx,
    actor: Actor,
    action: string,
    { id, job, citizen_id: citizenId }: repo.AbsenceRow,
    change: { readonly before?: Record<string, unknown>; readonly after: Record<string, unknown> },
  ): Promise<void> {
    const name = (await namesOfCitizens(tx, [citizenId])).get(citizenId) ?? actorName(actor);
    await this.#deps.audit.record(tx, actor, {
      action,
      object: { kind: "absences.absence", id, name },
      info: { job },
      ...change,
    });
  }

  async #notifySubstitute(tx: Tx, row: repo.AbsenceRow, kind: NotificationDefinition): Promise<void> {
    if (row.substitute_id === null) return;
    const recipients = await accountsPlaying(tx, [row.substitute_id]);
    const name = (await namesOfCitizens(tx, [row.citizen_id])).get(row.citizen_id) ?? "";
    const params = { name, first: row.first_day, last: row.last_day };
    await this.#deps.notifications.notify(tx, kind, { recipients, params, link: "/absences", key: `absence/${row.id}` });
  }
}

const daysOf = ({ first_day: firstDay, last_day: lastDay, state }: repo.AbsenceRow) => ({ firstDay, lastDay, state });
