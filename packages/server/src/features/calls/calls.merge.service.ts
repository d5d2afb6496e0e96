import type { Actor } from "#core/actor.ts";
import type { InputOf } from "#core/contract/index.ts";
import { Overtaken } from "#core/db/errors.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { invalid } from "#core/invalid.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { type CallDetail, callsErrors, callsPermissions, mergeCalls, mostMerged, undoMerge } from "./calls.contract.ts";
import { foldKey } from "./calls.fold.policy.ts";
import * as handovers from "./calls.handover.repo.ts";
import { baseOf, changedJobs, olderFirst, restored, storedJobs, unitedJobs } from "./calls.merge.policy.ts";
import * as merges from "./calls.merge.repo.ts";
import type { Opened, OpenedCalls } from "./calls.opened.service.ts";
import { refOf } from "./calls.ref.contract.ts";
import * as repo from "./calls.repo.ts";
import type { ShownCalls } from "./calls.shown.service.ts";
import type { CallsStore } from "./calls.store.service.ts";
import type { WorkOfCalls } from "./calls.work.service.ts";

export interface MergeDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly jobs: Pick<JobsApi, "labels">;
  readonly store: CallsStore;
  readonly opened: OpenedCalls;
  readonly shown: Pick<ShownCalls, "standingOf">;
  readonly work: Pick<WorkOfCalls, "changed" | "merged" | "unmerged">;
}

type Command = "merge" | "undoMerge";

/** Two calls about the same become one, and two again. */
export class MergeService {
  readonly #deps: MergeDeps;

  constructor(deps: MergeDeps) {
    this.#deps = deps;
  }

  /** The call that stays, as it is afterwards. */
  async merge(call: CallContext, id: number, body: InputOf<typeof mergeCalls>["body"]): Promise<CallDetail> {
    const { other, uniteJobs = false } = body;
    if (other.id === id) throw invalid("body.other.id", "must be another call than the one that is merged");
    const viewer = call.viewer();
    return await this.#deps.db.write(mergeCalls.id, async (tx) => {
      const rows = await repo.findAll(tx, [id, other.id]);
      const both = [
        { version: body.version, ...(await this.#deps.opened.of(tx, viewer, rows.get(id))) },
        { version: other.version, ...(await this.#deps.opened.of(tx, viewer, rows.get(other.id))) },
      ];
      for (const one of both) await this.#deps.opened.requirePresent(tx, viewer, one, one.version);
      for (const one of both) await this.#requireAllowed(tx, "merge", one);
      const [into, from] = olderFirst(both[0]!.row, both[1]!.row);
      await this.#requireRoom(tx, into.id, from.id);
      const next = await this.#merge(tx, call.actor, { into, from, uniteJobs });
      const { as } = both.find(({ row }) => row.id === into.id)!;
      return await this.#deps.opened.shown(tx, viewer, next, as);
    });
  }

  /** The call that was a part of another one, as it is afterwards. */
  async undo(call: CallContext, id: number, { version }: InputOf<typeof undoMerge>["body"]): Promise<CallDetail> {
    const viewer = call.viewer();
    return await this.#deps.db.write(undoMerge.id, async (tx) => {
      const intoId = await merges.survivorOf(tx, id);
      const rows = await repo.findAll(tx, [id, ...(intoId === null ? [] : [intoId])]);
      const one = await this.#deps.opened.of(tx, viewer, rows.get(id));
      await this.#deps.opened.requirePresent(tx, viewer, one, version);
      // Somebody merged it, or undid that, before the rows were locked.
      if (one.row.merged_into !== intoId) throw new Overtaken();
      await this.#requireAllowed(tx, "undoMerge", one);
      const into = rows.get(intoId!);
      const as = into === undefined ? null : await this.#deps.shown.standingOf(tx, viewer, into);
      // What it is a part of, the answer does not say to somebody who does not see that.
      if (into === undefined || as === null)
        throw new AppError(callsErrors.notDispatcher, { params: { permission: callsPermissions.dispatch.id } });
      if (!as.roles.includes("dispatcherOfAll")) throw notAll(refOf(into.id), await this.#jobsText(tx, into.id));
      if (into.state !== "open") throw new AppError(callsErrors.survivorEnded, { params: { id: refOf(into.id) } });
      return await this.#deps.opened.shown(tx, viewer, await this.#undo(tx, call.actor, { into, from: one.row }), one.as);
    });
  }

  async #merge(
    tx: Tx,
    actor: Actor,
    { into, from, uniteJobs }: { readonly into: repo.CallRow; readonly from: repo.CallRow; readonly uniteJobs: boolean },
  ): Promise<repo.CallRow> {
    const { clock, store, work } = this.#deps;
    const own = await this.#jobsOf(tx, into.id);
    const united = uniteJobs ? unitedJobs(own, await this.#jobsOf(tx, from.id)) : { changed: [], jobs: [] };
    const earlier = await merges.mergesInto(tx, into.id);
    await merges.insertMerge(tx, {
      ...{ call_id: from.id, into_id: into.id, at: clock.now(), united: uniteJobs ? 1 : 0, jobs: storedJobs(united.changed) },
      base_priority: baseOf(into.priority, earlier.map(byPriority)),
      base_waiting: baseOf(into.waiting_since, earlier.map(byWaiting)),
    });
    const added = united.jobs.map((job, at) => ({ ...job, call_id: into.id, position: own.length + at }));
    for (const job of added) await repo.putJob(tx, job);
    await this.#keepJobs(tx, into.id, namesIn(added));
    await store.write(tx, actor, from.id, { kind: "merged", other: into.id });
    await store.write(tx, actor, into.id, { kind: "merged", other: from.id });
    await work.merged(tx, actor, { id: from.id, ref: refOf(from.id) }, { id: into.id, ref: refOf(into.id) });
    await store.close(tx, actor, from, { state: "merged", merged_into: into.id, ended_text: null });
    const next = await store.touch(tx, into, {
      priority: Math.min(into.priority, from.priority),
      waiting_since: Math.min(into.waiting_since, from.waiting_since),
      fold_key: foldKey(into.type_id, await handovers.dispatching(tx, into.id)),
      version: into.version + 1,
    });
    const info = { before: { state: "open" }, after: { state: "merged", mergedInto: into.id } };
    await store.record(tx, actor, mergeCalls.id, from.id, info);
    await store.record(tx, actor, mergeCalls.id, into.id, {
      before: { priority: into.priority },
      after: { priority: next.priority, merged: from.id, ...(added.length === 0 ? {} : { jobs: namesIn(added).join(", ") }) },
    });
    await work.changed(tx, into.id);
    return next;
  }

  async #undo(
    tx: Tx,
    actor: Actor,
    { into, from }: { readonly into: repo.CallRow; readonly from: repo.CallRow },
  ): Promise<repo.CallRow> {
    const { store, work } = this.#deps;
    const all = await merges.mergesInto(tx, into.id);
    const undone = all.find(({ call_id: id }) => id === from.id)!;
    const others = all.filter((one) => one !== undone);
    const areBack = await work.unmerged(tx, actor, from.id, into.id);
    // Pages of the jobs that this takes away read it a last time.
    await store.changed(tx, into.id);
    await this.#takeJobs(tx, into.id, undone, others);
    await merges.removeMerge(tx, from.id);
    await store.write(tx, actor, from.id, { kind: "unmerged", other: into.id });
    await store.write(tx, actor, into.id, { kind: "unmerged", other: from.id });
    // A unit that stays was sent while the call had been waiting since then.
    const waiting = areBack ? restored(into.waiting_since, byWaiting(undone), others.map(byWaiting)) : into.waiting_since;
    const priority = restored(into.priority, byPriority(undone), others.map(byPriority));
    const key = foldKey(into.type_id, await handovers.dispatching(tx, into.id));
    const values = { priority, waiting_since: waiting, fold_key: key, version: into.version + 1 };
    await store.touch(tx, into, values);
    const open = { state: "open", merged_into: null, ended_at: null, ended_by: null, ended_by_id: null, archived_at: null };
    const next = await store.touch(tx, from, { ...open, version: from.version + 1 });
    await store.record(tx, actor, undoMerge.id, from.id, {
      before: { state: "merged", mergedInto: into.id },
      after: { state: "open" },
    });
    await store.record(tx, actor, undoMerge.id, into.id, {
      before: { priority: into.priority, merged: from.id },
      after: { priority },
    });
    await work.changed(tx, from.id);
    await work.changed(tx, into.id);
    return next;
  }

  /** The jobs that a merge brought leave, unless another merged call has them, too. */
  async #takeJobs(tx: Tx, intoId: number, { jobs }: merges.MergeRow, others: readonly merges.MergeRow[]): Promise<void> {
    const united = others.filter((one) => one.united === 1);
    const ofParts = await repo.jobsOf(
      tx,
      united.map(({ call_id: id }) => id),
    );
    for (const one of changedJobs(jobs)) {
      const heir = united.find(({ call_id: id }) => ofParts.get(id)?.some(({ job }) => job === one.job));
      if (heir !== undefined) await merges.setMergeJobs(tx, heir.call_id, storedJobs([...changedJobs(heir.jobs), one]));
      else if (one.before === null) await this.#removeJob(tx, intoId, one.job);
      else await repo.setLevel(tx, intoId, one.job, one.before);
    }
  }

  /** Its jobs, without one that is only asked to take it over. */
  async #jobsOf(tx: Tx, id: number): Promise<repo.CallJobRow[]> {
    const asked = await handovers.broughtTo(tx, id);
    return (await repo.jobsOfCall(tx, id)).filter(({ job }) => job !== asked);
  }

  /** A job that is asked to take the call over, and gets it by uniting, keeps it whatever it answers. */
  async #keepJobs(tx: Tx, intoId: number, jobs: readonly string[]): Promise<void> {
    const asked = (await handovers.askedOf(tx, [intoId])).get(intoId);
    if (asked !== undefined && jobs.includes(asked.to_job)) await handovers.update(tx, asked.id, { brought: 0 });
  }

  async #removeJob(tx: Tx, intoId: number, job: string): Promise<void> {
    const asked = (await handovers.askedOf(tx, [intoId])).get(intoId);
    if (asked?.to_job !== job) return await repo.removeJob(tx, intoId, job);
    // It still has to see what it is asked about.
    await repo.setLevel(tx, intoId, job, "view");
    await handovers.update(tx, asked.id, { brought: 1 });
  }

  async #requireAllowed(tx: Tx, command: Command, one: Opened): Promise<void> {
    const { row, as } = one;
    // Who dispatches one of its jobs alone learns which ones are missing.
    const isPartly = as.roles.includes("dispatcher") && !as.roles.includes("dispatcherOfAll");
    const roles = isPartly ? [...as.roles, "dispatcherOfAll" as const] : as.roles;
    this.#deps.opened.requireAllowed(command, one, roles);
    if (isPartly) throw notAll(refOf(row.id), await this.#jobsText(tx, row.id));
  }

  async #requireRoom(tx: Tx, intoId: number, fromId: number): Promise<void> {
    const parts = await merges.partsOf(tx, [intoId, fromId]);
    const there = [...parts.values()].flat().length + 1;
    if (there > mostMerged) throw new AppError(callsErrors.mergedFull, { params: { most: mostMerged } });
    for (const id of [intoId, fromId]) await this.#deps.opened.requireRoom(tx, id);
  }

  async #jobsText(tx: Tx, id: number): Promise<string> {
    const labels = await this.#deps.jobs.labels(tx);
    return (await repo.jobsOfCall(tx, id)).map(({ job }) => labels.label(job)).join(", ");
  }
}

type Merge = Awaited<ReturnType<typeof merges.mergesInto>>[number];

const byPriority = ({ base_priority: base, priority: own }: Merge) => ({ base, own });
const byWaiting = ({ base_waiting: base, waiting_since: own }: Merge) => ({ base, own });
const namesIn = (jobs: readonly { readonly job: string }[]) => jobs.map(({ job }) => job);
const notAll = (id: string, jobs: string) => new AppError(callsErrors.notAllJobs, { params: { id, jobs } });
