import type { Actor, Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Tasks, Tx } from "#core/ports/index.ts";
import type { AccessApi } from "#features/access/access.api.ts";
import { accountsPlaying } from "#features/accounts/accounts.reads.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { NotificationsApi } from "#features/notifications/notifications.api.ts";
import {
  answerHandOver,
  type CallDetail,
  callsErrors,
  callsPermissions,
  handOverAsked,
  handOverCall,
  handOverDeclined,
  handOverMs,
  handOverOpen,
  handOverUnanswered,
  withdrawHandOver,
} from "./calls.contract.ts";
import type { DeskOfCalls } from "./calls.desk.service.ts";
import * as handovers from "./calls.handover.repo.ts";
import type { CallCommand } from "./calls.machine.ts";
import type { NewCalls } from "./calls.new.service.ts";
import type { OpenedCalls } from "./calls.opened.service.ts";
import { isOver, levelOf } from "./calls.policy.ts";
import { refOf } from "./calls.ref.contract.ts";
import * as repo from "./calls.repo.ts";
import type { CallsStore } from "./calls.store.service.ts";
import type { TakeOver } from "./calls.takeover.service.ts";
import type { WorkOfCalls } from "./calls.work.service.ts";

export interface HandOverDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly tasks: Pick<Tasks, "enqueue">;
  readonly access: Pick<AccessApi, "rightsIn">;
  readonly jobs: Pick<JobsApi, "labels">;
  readonly duty: Pick<DutyApi, "in">;
  readonly notifications: Pick<NotificationsApi, "notify">;
  readonly desk: DeskOfCalls;
  readonly created: Pick<NewCalls, "callableJobs">;
  readonly store: CallsStore;
  readonly opened: OpenedCalls;
  readonly takeOver: TakeOver;
  readonly work: Pick<WorkOfCalls, "changed">;
}

interface Opened {
  readonly row: repo.CallRow;
  readonly viewer: Viewer;
  readonly asked: handovers.HandOverRow | null;
  readonly jobs: readonly repo.CallJobRow[];
}

interface Change {
  readonly action: string;
  readonly id: number;
  readonly version: number;
  readonly command: CallCommand;
}

/** One job hands a call over to another one. */
export class HandOverService {
  readonly #deps: HandOverDeps;

  constructor(deps: HandOverDeps) {
    this.#deps = deps;
  }

  async ask(call: CallContext, id: number, body: { readonly version: number; readonly job: string }): Promise<CallDetail> {
    const { store, created, clock, tasks } = this.#deps;
    const { job } = body;
    const change = { action: handOverCall.id, id, version: body.version, command: "handOver" as const };
    return await this.#change(call, change, async (tx, { row, viewer, asked, jobs }) => {
      const now = clock.now();
      const own = jobs.find((one) => one.job === job && !isOver(one, now));
      const labelOf = await this.#labels(tx);
      // A job that leaves may stay; who asks cannot be asked.
      const leaves = job !== viewer.job && (await handovers.leavingOf(tx, id)).some(({ from_job: one }) => one === job);
      if (own?.level === "dispatch" && !leaves)
        throw new AppError(callsErrors.handOverThere, { params: { id: refOf(id), job: labelOf(job) } });
      if (asked !== null)
        throw new AppError(callsErrors.handOverPending, { params: { id: refOf(id), job: labelOf(asked.to_job) } });
      if (own === undefined && !(await created.callableJobs(tx, viewer)).includes(job))
        throw new AppError(callsErrors.notCallable, { params: { job } });
      await this.#deps.opened.requireRoom(tx, id);
      const position = Math.max(0, ...jobs.map((one) => one.position)) + 1;
      // Who is asked sees what the call is about.
      if (own === undefined) await repo.putJob(tx, { call_id: id, job, level: "view", min_grade: 0, expires_at: null, position });
      const made = await handovers.insert(tx, {
        ...{ call_id: id, from_job: viewer.job, to_job: job, state: "asked", brought: own === undefined ? 1 : 0 },
        ...{ asked_at: now, asked_by: viewer.characterId, asked_name: viewer.characterName, unanswered: 0 },
      });
      const at = now + handOverMs;
      await tasks.enqueue(tx, handOverUnanswered, { payload: { id: made, at }, key: `handover/${made}`, dueAt: at });
      await store.write(tx, call.actor, id, { kind: "handOver", text: labelOf(job) });
      await store.record(tx, call.actor, handOverCall.id, id, { after: { toJob: job } });
      await this.#notify(tx, await this.#receivers(tx, id, job), handOverAsked, row, labelOf(viewer.job));
    });
  }

  async answer(call: CallContext, id: number, body: { readonly version: number; readonly accept: boolean }): Promise<CallDetail> {
    const { store, takeOver } = this.#deps;
    const change = { action: answerHandOver.id, id, version: body.version, command: "answerHandOver" as const };
    return await this.#change(call, change, async (tx, { row, asked }) => {
      const { from_job: from, to_job: to, asked_by: askedBy } = asked!;
      const label = (await this.#labels(tx))(to);
      if (body.accept) await takeOver.accept(tx, asked!, row);
      else {
        // Its pages read it a last time.
        await store.changed(tx, id);
        await handovers.drop(tx, asked!);
        await this.#notify(tx, askedBy === null ? [] : [askedBy], handOverDeclined, row, label);
      }
      await store.write(tx, call.actor, id, { kind: body.accept ? "handedOver" : "handOverDeclined", text: label });
      const info = { before: { fromJob: from }, after: body.accept ? { toJob: to } : {} };
      await store.record(tx, call.actor, answerHandOver.id, id, info);
    });
  }

  async withdraw(call: CallContext, id: number, { version }: { readonly version: number }): Promise<CallDetail> {
    const { store } = this.#deps;
    const change = { action: withdrawHandOver.id, id, version, command: "handOver" as const };
    return await this.#change(call, change, async (tx, { asked }) => {
      if (asked === null) throw new AppError(callsErrors.notHandedOver, { params: { id: refOf(id) } });
      await store.changed(tx, id);
      await handovers.drop(tx, asked);
      const label = (await this.#labels(tx))(asked.to_job);
      await store.write(tx, call.actor, id, { kind: "handOverKept", text: label });
      await store.record(tx, call.actor, withdrawHandOver.id, id, { before: { toJob: asked.to_job } });
    });
  }

  /** Nobody answered for a while: who asked learns it, and the question stays. */
  async unanswered(tx: Tx, { id }: { readonly id: number }): Promise<void> {
    const { store } = this.#deps;
    const callId = await handovers.callOf(tx, id);
    const row = callId === null ? null : await repo.find(tx, callId);
    if (row === null || row.state !== "open") return;
    const asked = (await handovers.askedOf(tx, [row.id])).get(row.id);
    if (asked?.id !== id || asked.unanswered === 1) return;
    const actor: Actor = { kind: "system", name: handOverUnanswered.id };
    const label = (await this.#labels(tx))(asked.to_job);
    await handovers.update(tx, id, { unanswered: 1 });
    await store.write(tx, actor, row.id, { kind: "handOverOpen", text: label });
    await store.touch(tx, row, {});
    const { desk } = this.#deps;
    const recipients = [...(await desk.signedOn(tx, asked.from_job)), ...(asked.asked_by === null ? [] : [asked.asked_by])];
    await this.#notify(tx, recipients, handOverOpen, row, label);
  }

  async #change(call: CallContext, change: Change, apply: (tx: Tx, opened: Opened) => Promise<void>): Promise<CallDetail> {
    const { db, opened, store, work } = this.#deps;
    const { id, command } = change;
    const viewer = call.viewer();
    return await db.write(change.action, async (tx) => {
      const one = await opened.of(tx, viewer, await repo.find(tx, id));
      const { row, as } = one;
      await opened.requirePresent(tx, viewer, one, change.version);
      const asked = (await handovers.askedOf(tx, [id])).get(id) ?? null;
      const isAnswer = command === "answerHandOver";
      if (isAnswer && row.state === "open" && asked === null)
        throw new AppError(callsErrors.notHandedOver, { params: { id: refOf(id) } });
      const roles = isAnswer && asked?.to_job === viewer.job ? as.roles : as.roles.filter((role) => role !== "receiver");
      if (isAnswer && row.state === "open" && !roles.includes("receiver"))
        throw new AppError(callsErrors.notReceiver, { params: { permission: callsPermissions.dispatch.id } });
      opened.requireAllowed(command, one, roles);
      await apply(tx, { row, viewer, asked, jobs: await repo.jobsOfCall(tx, id) });
      const next = await store.touch(tx, row, { version: row.version + 1 });
      await work.changed(tx, id);
      return await opened.shown(tx, viewer, next, as);
    });
  }

  /** Who may answer: dispatchers of the job who are signed on, or else everybody on duty there who sees the call. */
  async #receivers(tx: Tx, id: number, job: string): Promise<readonly number[]> {
    const { access, clock, desk, duty } = this.#deps;
    const signedOn = await desk.signedOn(tx, job);
    if (signedOn.length > 0) return signedOn;
    const rightsOf = await access.rightsIn(tx);
    const jobs = await repo.jobsOfCall(tx, id);
    return (await duty.in(tx, [job]))
      .filter(({ grade }) => {
        const rights = rightsOf({ job, grade, jobAdmin: false });
        return levelOf({ job, grade, rights }, jobs, clock.now()) !== null;
      })
      .map(({ citizenId }) => citizenId);
  }

  async #notify(
    tx: Tx,
    citizenIds: readonly number[],
    kind: typeof handOverAsked,
    { id }: Pick<repo.CallRow, "id">,
    job: string,
  ): Promise<void> {
    const recipients = await accountsPlaying(tx, [...new Set(citizenIds)]);
    if (recipients.length === 0) return;
    const to = { recipients, link: `/calls/${id}`, key: `call/${id}/handover` };
    await this.#deps.notifications.notify(tx, kind, { ...to, params: { id: refOf(id), job } });
  }

  async #labels(tx: Tx): Promise<(job: string) => string> {
    const labels = await this.#deps.jobs.labels(tx);
    return (job) => labels.label(job);
  }
}
