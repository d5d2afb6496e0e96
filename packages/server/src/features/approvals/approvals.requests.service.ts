import type { Actor } from "#core/actor.ts";
import type { ApprovalDefinition } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { Approvals, Clock, Decider, NewApproval, Requester, Tx, Verdict } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { approvalsErrors } from "./approvals.contract.ts";
import type { ApprovalFlow } from "./approvals.flow.service.ts";
import type { ApprovalPeople } from "./approvals.people.service.ts";
import { checkSteps, isAbout, type Standpoint, accountsIn, standpointOf, stateAt } from "./approvals.policy.ts";
import * as delegations from "./approvals.delegations.repo.ts";
import * as repo from "./approvals.repo.ts";

export interface RequestsDeps {
  readonly clock: Clock;
  readonly audit: AuditApi;
  readonly flow: ApprovalFlow;
  readonly people: ApprovalPeople;
}

/** A person is the requester of what it does; the program and the game server are none. */
function requesterOf(actor: Actor): Requester | null {
  if (actor.kind === "character")
    return { accountId: actor.accountId, characterId: actor.characterId, name: actor.characterName };
  return actor.kind === "account" ? { accountId: actor.accountId, characterId: null, name: actor.username } : null;
}

/** Requests as features create and end them, each in the unit of work of its cause; and what time does to them. */
export class ApprovalRequests implements Approvals {
  /** What removes the rows of each retention step. */
  readonly prune = { requests: repo.removeDecided, delegations: delegations.pruneEnded };
  readonly #deps: RequestsDeps;

  constructor(deps: RequestsDeps) {
    this.#deps = deps;
  }

  async request(tx: Tx, actor: Actor, approval: ApprovalDefinition, wanted: NewApproval): Promise<number | null> {
    const { audit, flow } = this.#deps;
    const { subject, claim = null, again = false, quiet = false } = wanted;
    const handler = flow.handlerOf(approval.id);
    if (!handler) throw new Error(`no feature handles the approval ${approval.id}`);
    const open = await this.#open(tx, approval, subject);
    if (open && claim !== null && open.claim === claim) return open.id;
    if (open) await flow.end(tx, actor, open, "replace", {}, true);
    // Also one that other claims came after, or alternating would bring it back.
    if (claim !== null && !again && (await repo.wasRefused(tx, approval.id, subject, claim))) return null;
    const steps = await handler.steps(tx, wanted);
    checkSteps(approval.id, steps);
    const row = await this.#insert(tx, approval, wanted, {
      steps: steps.length,
      requester: wanted.requester ?? requesterOf(actor),
    });
    await repo.insertDeciders(tx, row.id, steps);
    await audit.record(tx, actor, {
      action: "approvals.request",
      object: { kind: "approvals.request", id: row.id },
      after: { kind: row.kind, subject, about: row.about, steps },
    });
    await flow.begin(tx, row, steps[0] ?? [], quiet);
    return row.id;
  }

  async withdraw(tx: Tx, actor: Actor, approval: ApprovalDefinition, subject: string): Promise<boolean> {
    const open = await this.#open(tx, approval, subject);
    if (!open) return false;
    await this.#deps.flow.end(tx, actor, open, "withdraw", {}, true);
    return true;
  }

  async decide(tx: Tx, actor: Actor, approval: ApprovalDefinition, subject: string, verdict: Verdict): Promise<void> {
    const open = await this.#open(tx, approval, subject);
    if (!open) throw new AppError(approvalsErrors.notFound);
    await this.#deps.flow.settle(tx, actor, open, verdict, await this.#standpoint(tx, actor, open));
  }

  async widen(
    tx: Tx,
    actor: Actor,
    approval: ApprovalDefinition,
    subject: string,
    deciders: readonly Decider[],
  ): Promise<boolean> {
    const { audit, flow } = this.#deps;
    const open = await this.#open(tx, approval, subject);
    if (!open) return false;
    await repo.addDeciders(tx, open, deciders);
    await audit.record(tx, actor, {
      action: "approvals.widen",
      object: { kind: "approvals.request", id: open.id },
      info: { kind: open.kind, subject, about: open.about, deciders },
    });
    await flow.widened(tx, open, deciders);
    return true;
  }

  async waitingFor(tx: Tx, actor: Actor, approval: ApprovalDefinition, limit: number): Promise<string[]> {
    const { clock, people } = this.#deps;
    const caller = await people.callerOf(tx, actor);
    if (!caller) return [];
    const filter = { list: "waiting", caller, now: clock.now(), kind: approval.id } as const;
    const rows = await repo.page(tx, filter, { after: null, oldest: true, limit });
    const now = await this.#deps.flow.decidersNow(tx, rows);
    const deciders = Map.groupBy(await repo.decidersOf(tx, [...now.keys()]), ({ requestId }) => requestId);
    const isFor = (row: repo.RequestRow): boolean => {
      const [chain, one] = [deciders.get(row.id) ?? [], now.get(row.id)];
      if (one === undefined) return true;
      const step = chain.filter(({ step }) => step === row.step).map(({ decider }) => decider);
      const { kind, requester_account_id: requesterAccountId } = row;
      return standpointOf(caller, { kind, requesterAccountId, before: [], deciders: step, now: one }) !== null;
    };
    return rows.filter(isFor).map(({ subject }) => subject);
  }

  /** A request that ended in the meantime is none of this task's business. */
  async remind(tx: Tx, id: number): Promise<void> {
    const row = await repo.find(tx, id);
    if (row && stateAt(row, this.#deps.clock.now()) === "open") await this.#deps.flow.remind(tx, row);
  }

  async expire(tx: Tx, id: number): Promise<void> {
    await this.#deps.flow.lockSubjects(tx, await repo.subjectOf(tx, id));
    const row = await repo.find(tx, id);
    if (row?.state === "open") await this.#deps.flow.end(tx, { kind: "system", name: "approvals.expire" }, row, "expire");
  }

  /** Ends what they have open first, so that their features learn it. */
  async purgeAccounts(tx: Tx, accountIds: readonly number[]): Promise<void> {
    const actor = { kind: "system", name: "approvals.purgeAccounts" } as const;
    await this.#deps.flow.lockSubjects(tx, await repo.subjectsOf(tx, "requester_account_id", accountIds));
    for (const row of await repo.lockOpenOf(tx, accountIds)) await this.#deps.flow.end(tx, actor, row, "withdraw");
    await repo.removeOfAccounts(tx, accountIds);
    await delegations.removeOfAccounts(tx, accountIds);
  }

  /** Of a purged citizen no request is left, which nobody could end; they hand nothing over, and decide nothing for others. */
  async purgeCitizens(tx: Tx, citizenIds: readonly number[]): Promise<void> {
    const actor = { kind: "system", name: "approvals.purgeCitizens" } as const;
    await this.#deps.flow.lockSubjects(tx, await repo.subjectsOf(tx, "requester_character_id", citizenIds));
    for (const row of await repo.lockOpenOfCitizens(tx, citizenIds)) await this.#deps.flow.end(tx, actor, row, "withdraw");
    await repo.removeOfCitizens(tx, citizenIds);
    await delegations.removeOfCitizens(tx, citizenIds);
  }

  /** The open request of a subject, locked; one past its time is ended first. */
  async #open(tx: Tx, approval: ApprovalDefinition, subject: string): Promise<repo.RequestRow | null> {
    const { clock, flow } = this.#deps;
    const row = await repo.lockOpen(tx, approval.id, subject);
    if (!row || stateAt(row, clock.now()) === "open") return row;
    await flow.end(tx, { kind: "system", name: "approvals.expire" }, row, "expire");
    return null;
  }

  /** The command line and the program decide in their own right; people as `standpointOf` says. */
  async #standpoint(tx: Tx, actor: Actor, row: repo.RequestRow): Promise<Standpoint> {
    if (actor.kind === "cli" || actor.kind === "system") return { as: "own" };
    const caller = await this.#deps.people.callerOf(tx, actor);
    if (!caller) throw new AppError(approvalsErrors.notDecider);
    const { kind, requester_account_id: requesterAccountId } = row;
    const stored = (await repo.decidersOf(tx, [row.id])).filter(({ step }) => step === row.step);
    const deciders = stored.map(({ decider }) => decider);
    const before = accountsIn(await repo.decisionsOf(tx, [row.id]));
    const now = (await this.#deps.flow.decidersNow(tx, [row])).get(row.id) ?? null;
    const standpoint = standpointOf(caller, { kind, requesterAccountId, before, deciders, now });
    if (standpoint) return standpoint;
    const isOwn = isAbout(caller.own.accountId, { requesterAccountId, now });
    throw new AppError(isOwn ? approvalsErrors.ownRequest : approvalsErrors.notDecider);
  }

  async #insert(
    tx: Tx,
    { id: kind, expiresAfterMs }: ApprovalDefinition,
    { subject, claim, about, params, link }: NewApproval,
    { steps, requester }: { readonly steps: number; readonly requester: Requester | null },
  ): Promise<repo.RequestRow> {
    const now = this.#deps.clock.now();
    const values = {
      kind,
      subject,
      open_key: repo.openKey(kind, subject),
      claim: claim ?? null,
      about: about.slice(0, 100),
      params: JSON.stringify({ v: 1, params }),
      link: link ?? null,
      state: "open",
      step: 0,
      steps,
      version: 1,
      requester_account_id: requester?.accountId ?? null,
      requester_character_id: requester?.characterId ?? null,
      requester_name: (requester?.name ?? "").slice(0, 100),
      created_at: now,
      expires_at: expiresAfterMs === undefined ? null : now + expiresAfterMs,
      reminders: 0,
      decided_at: null,
    };
    return { id: await repo.insert(tx, values), ...values };
  }
}
