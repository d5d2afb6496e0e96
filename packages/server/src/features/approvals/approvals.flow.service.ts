import { type Actor, actorName } from "#core/actor.ts";
import { type EventOf, nextState, type NotificationDefinition } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import {
  type ApprovalFact,
  type ApprovalHandler,
  ApprovalImpossible,
  type ApprovalOutcome,
  type ApprovalRequest,
  type Clock,
  type Decider,
  type DecidersNow,
  type Tasks,
  type Tx,
  type Verdict,
} from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import {
  approvalsErrors,
  decidedForYou,
  expireRequest,
  remindDeciders,
  requestApproved,
  requestExpired,
  requestRefused,
  requestReminder,
  requestWaiting,
} from "./approvals.contract.ts";
import type { ApprovalEvents } from "./approvals.live.service.ts";
import { requestMachine, type RequestState } from "./approvals.machine.ts";
import type { ApprovalPeople } from "./approvals.people.service.ts";
import { afterApproval, type Lent, lockTurns, nextReminder, type Standpoint } from "./approvals.policy.ts";
import * as repo from "./approvals.repo.ts";

export interface FlowDeps {
  readonly clock: Clock;
  readonly tasks: Tasks;
  readonly audit: AuditApi;
  readonly notifications: NotificationsApi;
  readonly people: ApprovalPeople;
  readonly live: ApprovalEvents;
  readonly handlers: () => readonly ApprovalHandler[];
}

const objectOf = (id: number) => ({ kind: "approvals.request", id }) as const;
/** At most one expiry of a request waits, and one reminder; a task that runs enqueues the next one under another key. */
const expiryKey = (id: number) => `approval/${id}`;
const reminderKey = ({ id, reminders }: { readonly id: number; readonly reminders: number }) => `approval/${id}/${reminders}`;

export const paramsOf = (row: repo.RequestRow) => (JSON.parse(row.params) as { params: Record<string, string | number> }).params;

export function requestOf(row: repo.RequestRow): ApprovalRequest {
  const { id, subject, about, claim, requester_account_id: accountId } = row;
  const requester = accountId === null ? null : { accountId, characterId: row.requester_character_id, name: row.requester_name };
  return { id, subject, about, claim, params: paramsOf(row), requester };
}

type EndEvent = Exclude<EventOf<typeof requestMachine>, "approveStep">;

/** For the audit log; the requester reads the reason. */
type EndInfo = Readonly<Record<string, unknown>>;

/** The notification of the requester about an end; none where the requester, or the feature, ended it. */
function newsOf(event: EndEvent): NotificationDefinition | null {
  const news: Partial<Record<EndEvent, NotificationDefinition>> = {
    approve: requestApproved,
    refuse: requestRefused,
    expire: requestExpired,
  };
  return news[event] ?? null;
}

/** What happens to a request from one state to the next, in the unit of work of its cause; rows are locked by the callers. */
export class ApprovalFlow {
  readonly #deps: FlowDeps;

  constructor(deps: FlowDeps) {
    this.#deps = deps;
  }

  /** Null for a kind of an earlier release, which no feature declares any more. */
  handlerOf(kind: string): ApprovalHandler | null {
    return this.#deps.handlers().find(({ approval }) => approval.id === kind) ?? null;
  }

  /** What these requests are about, before the requests themselves: their features take both locks in this order. */
  async lockSubjects(tx: Tx, rows: readonly repo.SubjectRow[]): Promise<void> {
    for (const { lock, subjects } of lockTurns(this.#deps.handlers(), rows)) await lock(tx, subjects);
  }

  /** Who decides these requests as things are now, by id, where that can differ from their chains. */
  async decidersNow(tx: Tx, rows: readonly repo.RequestRow[]): Promise<Map<number, DecidersNow>> {
    const found = new Map<number, DecidersNow>();
    const open = rows.filter(({ state }) => state === "open");
    for (const [kind, some] of Map.groupBy(open, (row) => row.kind)) {
      const now = await this.handlerOf(kind)?.decidersNow?.(tx, some.map(requestOf));
      for (const [id, one] of now ?? []) found.set(id, one);
    }
    return found;
  }

  async facts(tx: Tx, row: repo.RequestRow): Promise<ApprovalFact[]> {
    return [...((await this.handlerOf(row.kind)?.facts?.(tx, requestOf(row))) ?? [])];
  }

  /** A new request: its worker tasks, and the news for those who can decide it. */
  async begin(tx: Tx, row: repo.RequestRow, deciders: readonly Decider[], quiet: boolean): Promise<void> {
    const { tasks } = this.#deps;
    if (row.expires_at !== null)
      await tasks.enqueue(tx, expireRequest, { payload: { id: row.id }, key: expiryKey(row.id), dueAt: row.expires_at });
    await this.#remindLater(tx, row);
    await this.#deps.live.changed(tx, row);
    if (!quiet) await this.#notifyDeciders(tx, row, deciders, requestWaiting);
  }

  /** More people decide the present step; only they are notified. */
  async widened(tx: Tx, row: repo.RequestRow, deciders: readonly Decider[]): Promise<void> {
    const version = row.version + 1;
    await repo.update(tx, row.id, { version });
    await this.#deps.live.changed(tx, { ...row, version });
    await this.#notifyDeciders(tx, row, deciders, requestWaiting);
  }

  /** One verdict on the present step. */
  async settle(tx: Tx, actor: Actor, row: repo.RequestRow, verdict: Verdict, standpoint: Standpoint): Promise<void> {
    const { clock } = this.#deps;
    const from = standpoint.as === "lent" ? standpoint.from : null;
    await repo.insertDecision(tx, {
      request_id: row.id,
      step: row.step,
      approved: verdict.approve ? 1 : 0,
      reason: verdict.approve ? null : verdict.reason,
      account_id: "accountId" in actor ? actor.accountId : null,
      character_id: "characterId" in actor ? actor.characterId : null,
      name: ("characterName" in actor ? actor.characterName : actorName(actor)).slice(0, 100),
      on_behalf: from?.name ?? null,
      on_behalf_account_id: from?.standing.accountId ?? null,
      on_behalf_character_id: from?.standing.characterId ?? null,
      at: clock.now(),
    });
    if (from !== null) await this.#notifyGiver(tx, actor, row, from);
    const info = { step: row.step + 1, ...(from ? { onBehalf: from.name, delegation: from.delegationId } : {}) };
    if (!verdict.approve) return await this.end(tx, actor, row, "refuse", { ...info, reason: verdict.reason });
    if (afterApproval(row.step, row.steps) === "approved") return await this.end(tx, actor, row, "approve", info);
    await this.#advance(tx, actor, row, info);
  }

  /** Ends an open request and calls its handler, unless `own`: the feature itself caused it. */
  async end(tx: Tx, actor: Actor, row: repo.RequestRow, event: EndEvent, info: EndInfo = {}, own = false): Promise<void> {
    const { audit, clock, tasks } = this.#deps;
    const state = nextState(requestMachine, row.state as RequestState, event);
    if (state === null || state === "open") throw new Error(`a request that is ${row.state} cannot ${event}`);
    await repo.update(tx, row.id, { state, open_key: null, version: row.version + 1, decided_at: clock.now() });
    await this.#deps.live.changed(tx, { ...row, version: row.version + 1 });
    await tasks.cancel(tx, remindDeciders, reminderKey(row));
    // The expiry is the task that runs, and ends with this unit of work.
    if (event !== "expire") await tasks.cancel(tx, expireRequest, expiryKey(row.id));
    await audit.record(tx, actor, {
      action: `approvals.${event}`,
      object: objectOf(row.id),
      before: { state: row.state },
      after: { state },
      // Not everybody who reads the audit log may know why somebody was refused.
      info: { kind: row.kind, subject: row.subject, about: row.about, ...info, reason: undefined },
    });
    await this.#notifyRequester(tx, actor, row, event, info);
    const reason = typeof info["reason"] === "string" ? info["reason"] : null;
    if (!own) await this.#tell(tx, actor, row, state, reason);
  }

  async #tell(tx: Tx, actor: Actor, row: repo.RequestRow, outcome: ApprovalOutcome, reason: string | null): Promise<void> {
    try {
      await this.handlerOf(row.kind)?.decided(tx, actor, requestOf(row), outcome, reason);
    } catch (error) {
      if (!(error instanceof ApprovalImpossible)) throw error;
      throw new AppError(approvalsErrors.impossible, { params: { reason: error.reason } });
    }
  }

  /** Notifies those who can decide the present step once more, and plans the next reminder. */
  async remind(tx: Tx, row: repo.RequestRow): Promise<void> {
    const deciders = (await repo.decidersOf(tx, [row.id])).filter(({ step }) => step === row.step);
    await this.#notifyDeciders(
      tx,
      row,
      deciders.map(({ decider }) => decider),
      requestReminder,
    );
    const reminders = row.reminders + 1;
    await repo.update(tx, row.id, { reminders });
    await this.#remindLater(tx, { ...row, reminders });
  }

  async #advance(tx: Tx, actor: Actor, row: repo.RequestRow, info: EndInfo): Promise<void> {
    const { audit, tasks } = this.#deps;
    await tasks.cancel(tx, remindDeciders, reminderKey(row));
    const next = { ...row, step: row.step + 1, version: row.version + 1 };
    await repo.update(tx, row.id, { step: next.step, version: next.version });
    await this.#deps.live.changed(tx, next);
    await audit.record(tx, actor, {
      action: "approvals.approve",
      object: objectOf(row.id),
      before: { step: row.step + 1 },
      after: { step: next.step + 1 },
      info: { kind: row.kind, subject: row.subject, about: row.about, ...info },
    });
    await this.#remindLater(tx, next, true);
    const deciders = (await repo.decidersOf(tx, [row.id])).filter(({ step }) => step === next.step);
    await this.#notifyDeciders(
      tx,
      next,
      deciders.map(({ decider }) => decider),
      requestWaiting,
    );
  }

  async #remindLater(tx: Tx, row: repo.RequestRow, firstOfStep = row.reminders === 0): Promise<void> {
    const { clock, tasks } = this.#deps;
    const remindAfterMs = this.handlerOf(row.kind)?.approval.remindAfterMs;
    if (remindAfterMs === undefined) return;
    const dueAt = nextReminder(clock.now(), remindAfterMs, firstOfStep ? 0 : row.reminders);
    await tasks.enqueue(tx, remindDeciders, { payload: { id: row.id }, key: reminderKey(row), dueAt });
  }

  async #notifyDeciders(tx: Tx, row: repo.RequestRow, deciders: readonly Decider[], kind: NotificationDefinition): Promise<void> {
    const { notifications, people } = this.#deps;
    const request = { kind: row.kind, requesterAccountId: row.requester_account_id };
    const recipients = await people.recipientsOf(tx, request, deciders);
    const content = { params: { about: row.about }, link: `/approvals/${row.id}`, key: `approval/${row.id}` };
    await notifications.notify(tx, kind, { recipients, ...content });
  }

  /** Who handed their decisions over learns of each one. */
  async #notifyGiver(tx: Tx, actor: Actor, row: repo.RequestRow, { standing }: Lent) {
    const { accountId, characterId } = standing;
    const by = "characterName" in actor ? actor.characterName : actorName(actor);
    await this.#deps.notifications.notify(tx, decidedForYou, {
      recipients: [{ accountId, characterId }],
      params: { about: row.about, by },
      link: `/approvals/${row.id}`,
      key: `approval/${row.id}`,
    });
  }

  async #notifyRequester(tx: Tx, actor: Actor, row: repo.RequestRow, event: EndEvent, info: EndInfo) {
    const kind = newsOf(event);
    const { requester_account_id: accountId, requester_character_id: characterId } = row;
    if (kind === null || accountId === null || ("accountId" in actor && actor.accountId === accountId)) return;
    const recipient = characterId === null ? { accountId } : { accountId, characterId };
    const params: Record<string, string> = { about: row.about };
    if (typeof info["reason"] === "string") params["reason"] = info["reason"];
    await this.#deps.notifications.notify(tx, kind, {
      recipients: [recipient],
      params,
      link: `/approvals/${row.id}`,
      key: `approval/${row.id}`,
    });
  }
}
