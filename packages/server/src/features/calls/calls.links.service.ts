import type { Viewer } from "#core/actor.ts";
import type { InputOf, OutputOf } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { invalid } from "#core/invalid.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import { type CallDetail, callsErrors, linkCalls, mostLinks, splitCall, unlinkCalls } from "./calls.contract.ts";
import * as handovers from "./calls.handover.repo.ts";
import * as links from "./calls.links.repo.ts";
import type { Opened, OpenedCalls } from "./calls.opened.service.ts";
import { refOf } from "./calls.ref.contract.ts";
import * as entries from "./calls.entries.repo.ts";
import * as repo from "./calls.repo.ts";
import type { ShownCalls } from "./calls.shown.service.ts";
import type { CallsStore } from "./calls.store.service.ts";
import type { WorkOfCalls } from "./calls.work.service.ts";

export interface LinksDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly store: CallsStore;
  readonly opened: OpenedCalls;
  readonly shown: Pick<ShownCalls, "detail">;
  readonly work: Pick<WorkOfCalls, "changed" | "split">;
}

/** Two calls, of which the viewer dispatches the first one. */
interface Pair {
  readonly link: links.LinkRow | undefined;
  /** Those of both that the viewer dispatches. */
  readonly dispatched: readonly number[];
  readonly other: repo.CallRow;
}

/** Lines of a timeline that may be copied into another call. */
const copied: ReadonlySet<string> = new Set(["note", "citizen", "vehicle"]);
const nothingAsked = JSON.stringify({ v: 1, lines: [] });

/** Calls that have to do with one another: split off from one, or linked by a dispatcher. */
export class LinksService {
  readonly #deps: LinksDeps;

  constructor(deps: LinksDeps) {
    this.#deps = deps;
  }

  async split(call: CallContext, id: number, body: InputOf<typeof splitCall>["body"]): Promise<OutputOf<typeof splitCall>> {
    const { db, store, work, opened } = this.#deps;
    const viewer = call.viewer();
    const message = body.message.trim();
    if (message === "") throw invalid("body.message", "must say what the new call is about");
    return await db.write(splitCall.id, async (tx) => {
      const one = await opened.of(tx, viewer, await repo.find(tx, id));
      const { row, as } = one;
      await opened.requirePresent(tx, viewer, one, body.version);
      opened.requireAllowed("split", one);
      await opened.requireRoom(tx, id);
      const made = await this.#copy(tx, row, message);
      await store.write(tx, call.actor, made, { kind: "created" });
      await this.#copyNotes(tx, viewer, one, made, body.noteIds);
      if (!(await work.split(tx, id, made, body.unitIds)))
        throw new AppError(callsErrors.unitNotThere, { params: { id: refOf(id) } });
      for (const callId of [id, made]) await store.leave(tx, callId);
      await this.#requireLinks(tx, [id]);
      await links.putLink(tx, id, made, { onlyId: null, at: this.#deps.clock.now() });
      await store.write(tx, call.actor, id, { kind: "split", other: made });
      await store.write(tx, call.actor, made, { kind: "linked", other: id });
      const left = await store.touch(tx, row, { version: row.version + 1 });
      await store.touch(tx, (await repo.find(tx, made))!, {});
      const counts = { units: body.unitIds.length, notes: body.noteIds.length };
      await store.record(tx, call.actor, splitCall.id, id, { after: { call: made, ...counts } });
      await store.record(tx, call.actor, splitCall.id, made, { before: { call: id }, after: counts });
      await work.changed(tx, id);
      return { ...(await opened.shown(tx, viewer, left, as)), made };
    });
  }

  async link(call: CallContext, id: number, otherId: number): Promise<CallDetail> {
    const { clock, store, opened } = this.#deps;
    if (otherId === id) throw invalid("body.otherId", "must be another call");
    return await this.#change(call, { action: linkCalls.id, id, otherId }, async (tx, { link, dispatched, other }) => {
      opened.requireNotMerged(other);
      const saying = dispatched.filter((one) => link === undefined || !links.isSaidBy(link, one));
      if (saying.length === 0) return;
      for (const one of saying) await opened.requireRoom(tx, one);
      await this.#requireLinks(tx, saying);
      const onlyId = link === undefined && dispatched.length === 1 ? id : null;
      await links.putLink(tx, id, otherId, { onlyId, at: clock.now() });
      for (const one of saying) await store.write(tx, call.actor, one, { kind: "linked", other: one === id ? otherId : id });
      await store.record(tx, call.actor, linkCalls.id, id, { after: { call: otherId } });
      await store.record(tx, call.actor, linkCalls.id, otherId, { after: { call: id } });
    });
  }

  async unlink(call: CallContext, id: number, otherId: number): Promise<CallDetail> {
    const { store } = this.#deps;
    return await this.#change(call, { action: unlinkCalls.id, id, otherId }, async (tx, { link }) => {
      if (link === undefined) return;
      await links.removeLink(tx, id, otherId);
      for (const one of [id, otherId].filter((said) => links.isSaidBy(link, said)))
        await store.write(tx, call.actor, one, { kind: "unlinked", other: one === id ? otherId : id });
      await store.record(tx, call.actor, unlinkCalls.id, id, { before: { call: otherId } });
      await store.record(tx, call.actor, unlinkCalls.id, otherId, { before: { call: id } });
    });
  }

  /** Who dispatches one of two calls and sees the other one. */
  async #change(
    call: CallContext,
    { action, id, otherId }: { readonly action: string; readonly id: number; readonly otherId: number },
    work: (tx: Tx, pair: Pair) => Promise<void>,
  ): Promise<CallDetail> {
    const { db, store, opened } = this.#deps;
    const viewer = call.viewer();
    return await db.write(action, async (tx) => {
      const rows = await repo.findAll(tx, [id, otherId]);
      const one = await opened.of(tx, viewer, rows.get(id));
      const other = await opened.of(tx, viewer, rows.get(otherId));
      // Somebody who called for it sees of it only what was said.
      if (other.as.level === null) throw new AppError(callsErrors.notFound);
      opened.requireAllowed("link", one);
      const isBoth = other.as.roles.includes("dispatcher");
      const link = (await links.linksOf(tx, id)).find((found) => found.other === otherId);
      await work(tx, { link, dispatched: isBoth ? [id, otherId] : [id], other: other.row });
      // What others link keeps no call of a job from ending by itself.
      if (isBoth) await store.touch(tx, other.row, {});
      else await store.changed(tx, otherId);
      return await opened.shown(tx, viewer, await store.touch(tx, one.row, {}), one.as);
    });
  }

  async #requireLinks(tx: Tx, ids: readonly number[]): Promise<void> {
    for (const id of ids)
      if ((await links.linksOf(tx, id)).filter((one) => links.isSaidBy(one, id)).length >= mostLinks)
        throw new AppError(callsErrors.linksFull, { params: { id: refOf(id), most: mostLinks } });
  }

  /** An open call about a part of another one, which has been waiting for as long. */
  async #copy(tx: Tx, row: repo.CallRow, message: string): Promise<number> {
    const now = this.#deps.clock.now();
    const { id: from, ...copy } = row;
    const made = await repo.insert(tx, {
      ...{ ...copy, version: 1, message, source: null, answers: nothingAsked, created_at: now, idle_at: now },
      // Nobody called for it, so that no alert is added to it.
      ...{ alerts: 1, last_alert_at: 0 },
    });
    const asked = await handovers.broughtTo(tx, from);
    const jobs = (await repo.jobsOfCall(tx, from)).filter(({ job }) => job !== asked);
    await repo.insertJobs(
      tx,
      jobs.map((job) => ({ ...job, call_id: made })),
    );
    await handovers.copyLeaving(tx, from, made);
    return made;
  }

  /** With their authors and times; a note for one job stays one for that job. */
  async #copyNotes(tx: Tx, viewer: Viewer, { row, as }: Opened, made: number, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const read = new Set((await this.#deps.shown.detail(tx, viewer, row, as)).timeline.map(({ id }) => id));
    const found = (await entries.entriesByIds(tx, ids)).filter(({ id, kind }) => copied.has(kind) && read.has(id));
    if (found.length < ids.length) throw new AppError(callsErrors.noteNotFound);
    for (const { id: _id, ...entry } of found) await entries.insertEntry(tx, { ...entry, call_id: made });
  }
}
