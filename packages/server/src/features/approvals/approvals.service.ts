import type { Viewer } from "#core/actor.ts";
import { type InputOf, mostCounted, type Page } from "#core/contract/index.ts";
import { readCursor } from "#core/cursor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { idCursor, keysetPage } from "#core/paging.ts";
import type { Clock, Database, Decider, DecidersNow, Tx, Verdict } from "#core/ports/index.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { JobLabels, JobsApi } from "#features/jobs/jobs.api.ts";
import { type Approval, type ApprovalDetail, approvalsErrors, type listApprovals } from "./approvals.contract.ts";
import { type ApprovalFlow, paramsOf } from "./approvals.flow.service.ts";
import type { ApprovalPeople } from "./approvals.people.service.ts";
import {
  type Caller,
  isAbout,
  isStillIn,
  mayStill,
  standingsFor,
  requireOpen,
  type Standpoint,
  accountsIn,
  standpointOf,
  stateAt,
} from "./approvals.policy.ts";
import * as repo from "./approvals.repo.ts";

export interface ApprovalsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly jobs: JobsApi;
  readonly flow: ApprovalFlow;
  readonly people: ApprovalPeople;
}

interface Opened {
  readonly row: repo.RequestRow;
  readonly deciders: readonly repo.StoredDecider[];
  readonly decisions: readonly repo.DecisionRow[];
  readonly caller: Caller;
  /** By the id of the request. */
  readonly now: ReadonlyMap<number, DecidersNow>;
  /** False for those who would decide it by its chain, but not as things are now: deciding then answers so. */
  readonly mayRead: boolean;
}

const ofStep = (row: repo.RequestRow, deciders: readonly repo.StoredDecider[]): Decider[] =>
  deciders.filter(({ requestId, step }) => requestId === row.id && step === row.step).map(({ decider }) => decider);

/** The lowest grade that decides; where a right of one grade does, that one. */
function gradeOf(decider: Decider, labels: JobLabels): string | null {
  if (decider.by === "grade") return labels.badge(decider.job, decider.minGrade).gradeLabel;
  return "grades" in decider ? labels.badge(decider.job, decider.grades.from).gradeLabel : null;
}

/** Requests as people see and decide them. */
export class ApprovalsService {
  readonly #deps: ApprovalsDeps;

  constructor(deps: ApprovalsDeps) {
    this.#deps = deps;
  }

  async list(call: CallContext, query: InputOf<typeof listApprovals>["query"]): Promise<Page<Approval>> {
    const { clock, db } = this.#deps;
    const limit = query.limit ?? 50;
    const after = query.cursor === undefined ? null : readCursor(query.cursor).id;
    const oldest = query.first === "oldest";
    return await db.read("approvals.list", async (tx) => {
      const caller = await this.#callerOf(tx, call.viewer());
      const filter = { list: query.list ?? "waiting", caller, now: clock.now() };
      const rows = await repo.page(tx, filter, { after, oldest, limit: limit + 1 });
      const count = await repo.count(tx, filter, mostCounted + 1);
      const ids = rows.map(({ id }) => id);
      const deciders = await repo.decidersOf(tx, ids);
      const decisions = Map.groupBy(await repo.decisionsOf(tx, ids), ({ request_id }) => request_id);
      const { items, ...page } = keysetPage({ rows, limit, count, cursorOf: idCursor });
      const now = await this.#deps.flow.decidersNow(tx, items);
      const itemOf = (row: repo.RequestRow) => {
        const standpoint = this.#standpoint({ caller, row, deciders, decisions: decisions.get(row.id) ?? [], now });
        return this.#approvalOf(row, standpoint, caller);
      };
      // Somebody may have another grade since: who decided about them then reads it no more.
      const shown = items.filter((row) => filter.list !== "waiting" || this.#mayDecide({ row, deciders, caller, now }));
      return { ...page, items: shown.map(itemOf) };
    });
  }

  async get(call: CallContext, id: number): Promise<ApprovalDetail> {
    return await this.#deps.db.read("approvals.get", async (tx) => {
      const opened = await this.#open(tx, call.viewer(), id);
      if (!opened.mayRead) throw new AppError(approvalsErrors.notFound);
      return await this.#detailOf(tx, opened);
    });
  }

  /** Whether `get` would show it to this viewer. */
  async mayRead(viewer: Viewer, id: number): Promise<boolean> {
    return await this.#deps.db.read("approvals.mayRead", async (tx) => (await this.#find(tx, viewer, id))?.mayRead === true);
  }

  /** One of several who decide at once wins; the others get the state that it left. */
  async decide(
    call: CallContext,
    id: number,
    { version, verdict }: { version: number; verdict: Verdict },
  ): Promise<ApprovalDetail> {
    const { clock, db, flow } = this.#deps;
    return await db.write("approvals.decide", async (tx) => {
      const opened = await this.#open(tx, call.viewer(), id);
      const { row, caller } = opened;
      if (row.version !== version && opened.mayRead)
        throw new AppError(approvalsErrors.stale, { extra: { current: await this.#detailOf(tx, opened) } });
      requireOpen(stateAt(row, clock.now()));
      const standpoint = this.#standpoint(opened);
      if (!standpoint) {
        const about = { requesterAccountId: row.requester_account_id, now: opened.now.get(row.id) ?? null };
        throw new AppError(isAbout(caller.own.accountId, about) ? approvalsErrors.ownRequest : approvalsErrors.notDecider);
      }
      await flow.settle(tx, call.actor, row, verdict, standpoint);
      return await this.#detailOf(tx, await this.#reload(tx, opened));
    });
  }

  async withdraw(call: CallContext, id: number): Promise<ApprovalDetail> {
    const { clock, db, flow } = this.#deps;
    return await db.write("approvals.withdraw", async (tx) => {
      const opened = await this.#open(tx, call.viewer(), id);
      const { row } = opened;
      if (!this.#mayWithdraw(row, opened.caller)) throw new AppError(approvalsErrors.notRequester);
      requireOpen(stateAt(row, clock.now()));
      await flow.end(tx, call.actor, row, "withdraw");
      return await this.#detailOf(tx, await this.#reload(tx, opened));
    });
  }

  /** Throws `approvals.notFound` unless it is the caller's own, they may decide one of its steps so far, or decided one and are still in that job. */
  async #open(tx: Tx, viewer: Viewer, id: number): Promise<Opened> {
    const found = await this.#find(tx, viewer, id);
    if (!found) throw new AppError(approvalsErrors.notFound);
    return found;
  }

  async #find(tx: Tx, viewer: Viewer, id: number): Promise<Opened | null> {
    if (tx.writable) await this.#deps.flow.lockSubjects(tx, await repo.subjectOf(tx, id));
    const row = await repo.find(tx, id);
    if (!row) return null;
    const caller = await this.#callerOf(tx, viewer);
    const deciders = await repo.decidersOf(tx, [id]);
    const decisions = await repo.decisionsOf(tx, [id]);
    const { accountId } = viewer;
    const decided = decisions.some(
      ({ step, ...by }) =>
        (by.account_id === accountId || by.on_behalf_account_id === accountId) &&
        isStillIn(
          deciders.filter((one) => one.step === step).map(({ decider }) => decider),
          standingsFor(caller, row.kind),
        ),
    );
    const found = { row, deciders, decisions, caller, now: await this.#deps.flow.decidersNow(tx, [row]) };
    const isAsker = row.requester_account_id === accountId;
    if (!isAsker && !decided && !this.#mayDecide({ ...found, now: new Map() })) return null;
    return { ...found, mayRead: isAsker || decided || this.#mayDecide(found) };
  }

  /** By what deciding needs now, also where another step or the end has come. */
  #mayDecide({ row, deciders, caller, now }: Omit<Opened, "decisions" | "mayRead">): boolean {
    const reached = deciders.filter(({ requestId, step }) => requestId === row.id && step <= row.step);
    return mayStill(
      reached.map(({ decider }) => decider),
      standingsFor(caller, row.kind),
      now.get(row.id) ?? null,
    );
  }

  async #reload(tx: Tx, opened: Opened): Promise<Opened> {
    const { id } = opened.row;
    return { ...opened, row: (await repo.find(tx, id)) ?? opened.row, decisions: await repo.decisionsOf(tx, [id]) };
  }

  async #callerOf(tx: Tx, viewer: Viewer): Promise<Caller> {
    const caller = await this.#deps.people.callerOf(tx, { kind: "character", ...viewer });
    if (!caller) throw new Error("a character is a person");
    return caller;
  }

  #standpoint({ caller, row, deciders, decisions, now }: Omit<Opened, "mayRead">): Standpoint | null {
    if (stateAt(row, this.#deps.clock.now()) !== "open") return null;
    const { kind, requester_account_id: requesterAccountId } = row;
    return standpointOf(caller, {
      kind,
      requesterAccountId,
      before: accountsIn(decisions),
      deciders: ofStep(row, deciders),
      now: now.get(row.id) ?? null,
    });
  }

  #mayWithdraw(row: repo.RequestRow, { own }: Caller): boolean {
    const approval = this.#deps.flow.handlerOf(row.kind)?.approval;
    return row.requester_account_id === own.accountId && approval?.withdrawable !== false;
  }

  #approvalOf(row: repo.RequestRow, standpoint: Standpoint | null, caller: Caller): Approval {
    const state = stateAt(row, this.#deps.clock.now());
    return {
      id: row.id,
      version: row.version,
      kind: row.kind,
      params: paramsOf(row),
      link: row.link,
      state,
      step: row.step + 1,
      steps: row.steps,
      requester: row.requester_name === "" ? null : row.requester_name,
      requesterId: row.requester_character_id,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      decidedAt: row.decided_at,
      mayDecide: standpoint !== null,
      mayWithdraw: state === "open" && this.#mayWithdraw(row, caller),
      onBehalf: standpoint?.as === "lent" ? standpoint.from.name : null,
    };
  }

  async #detailOf(tx: Tx, opened: Opened): Promise<ApprovalDetail> {
    const { row, deciders, decisions, caller } = opened;
    const standpoint = this.#standpoint(opened);
    // Only who may decide now: others who may read the request need not be allowed to read these.
    const facts = standpoint === null ? [] : await this.#deps.flow.facts(tx, row);
    const labels = await this.#deps.jobs.labels(tx);
    const named = deciders.flatMap(({ decider }) => (decider.by === "citizen" ? [decider.id] : []));
    const names = await namesOfCitizens(tx, named);
    const deciderOf = (decider: Decider) => {
      const job = "job" in decider ? (decider.job ?? null) : null;
      return {
        by: decider.by,
        permission: decider.by === "right" ? decider.permission : null,
        job: job === null ? null : labels.label(job),
        grade: gradeOf(decider, labels),
        citizen: decider.by === "citizen" ? (names.get(decider.id) ?? `CIT-${decider.id}`) : null,
      };
    };
    const decisionOf = (step: number) => {
      const made = decisions.find((one) => one.step === step);
      if (!made) return null;
      const { reason, name, at, on_behalf: onBehalf } = made;
      // Rows of people who were removed for good stay, without their names.
      const known = (text: string) => (text === "" ? null : text);
      return {
        approved: made.approved === 1,
        reason,
        name: known(name),
        onBehalf: onBehalf === null ? null : { name: known(onBehalf) },
        at,
      };
    };
    return {
      ...this.#approvalOf(row, standpoint, caller),
      facts: facts.map(({ label, values }) => ({ label, values: [...values] })),
      chain: Array.from({ length: row.steps }, (_none, step) => ({
        deciders: deciders.filter((one) => one.step === step).map(({ decider }) => deciderOf(decider)),
        decision: decisionOf(step),
      })),
    };
  }
}
