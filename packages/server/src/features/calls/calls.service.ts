import type { Actor, Viewer } from "#core/actor.ts";
import type { InputOf } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { invalid } from "#core/invalid.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import { citizensPermissions } from "#features/citizens/citizens.contract.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { PostalsApi } from "#features/postals/postals.api.ts";
import { archiveAfterMs, type CallDetail, callsErrors } from "./calls.base.contract.ts";
import {
  attachToCall,
  cancelCall,
  checkCall,
  completeCall,
  editCall,
  expireCall,
  noteCall,
  reopenCall,
} from "./calls.contract.ts";
import { foldKey } from "./calls.fold.policy.ts";
import type { CallCommand } from "./calls.machine.ts";
import { dispatching, forgetCitizens as forgetHandOvers } from "./calls.handover.repo.ts";
import type { OpenedCalls } from "./calls.opened.service.ts";
import { refOf } from "./calls.ref.contract.ts";
import * as entries from "./calls.entries.repo.ts";
import * as repo from "./calls.repo.ts";
import type { ShownCalls } from "./calls.shown.service.ts";
import { forgetInStorms } from "./calls.storm.repo.ts";
import type { CallsStore } from "./calls.store.service.ts";
import * as types from "./calls.types.repo.ts";
import type { WorkOfCalls } from "./calls.work.service.ts";

export interface CallsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly postals: Pick<PostalsApi, "find">;
  readonly store: CallsStore;
  readonly opened: OpenedCalls;
  readonly shown: Pick<ShownCalls, "detail">;
  readonly work: Pick<WorkOfCalls, "changed" | "isWorked">;
}

interface Opened {
  readonly row: repo.CallRow;
  readonly viewer: Viewer;
}

interface Change {
  readonly action: string;
  readonly id: number;
  readonly command: CallCommand;
  /** That the person saw; left out where every state of the text will do. */
  readonly version?: number;
}

/** Ticks of a checklist. */
type Lines = { readonly v: 1; readonly lines: { readonly text: string; readonly done: boolean }[] };

/** So many calls are planned again in one transaction. */
const replanned = 100;

/** What writes a line that its writer could write without end. */
const writing: ReadonlySet<CallCommand> = new Set(["edit", "note", "attach", "reopen"]);

/** What people do to calls, and what time does. */
export class CallsService {
  readonly #deps: CallsDeps;

  constructor(deps: CallsDeps) {
    this.#deps = deps;
  }

  async edit(call: CallContext, id: number, body: InputOf<typeof editCall>["body"]): Promise<CallDetail> {
    const { store } = this.#deps;
    return await this.#change(call, { action: editCall.id, id, command: "edit", version: body.version }, async (tx, { row }) => {
      if (row.kind === "panic" && body.priority !== row.priority)
        throw new AppError(callsErrors.panicPriority, { params: { id: refOf(id) } });
      if (body.typeId !== row.type_id) await this.#requireType(tx, row.id, body.typeId);
      const message = body.message.trim() || row.message;
      const values = { type_id: body.typeId, message, priority: body.priority, ...this.#placeOf(row, body.postal) };
      const changed = Object.entries(values).filter(([name, value]) => row[name as keyof typeof values] !== value);
      if (changed.length === 0) return row;
      if (row.priority !== body.priority) {
        const text = `${row.priority} → ${body.priority}`;
        await store.write(tx, call.actor, id, { kind: "priority", text });
      }
      if (changed.some(([name]) => name !== "priority")) await store.write(tx, call.actor, id, { kind: "edited" });
      const pick = (from: Record<string, unknown>) =>
        Object.fromEntries(changed.filter(([name]) => name !== "message").map(([name]) => [name, from[name]]));
      await store.record(tx, call.actor, editCall.id, id, { before: pick({ ...row }), after: pick(values) });
      const fold =
        body.typeId === row.type_id || row.kind === "panic" ? {} : { fold_key: foldKey(body.typeId, await dispatching(tx, id)) };
      return await store.touch(tx, row, { ...values, ...fold, version: row.version + 1 });
    });
  }

  async note(call: CallContext, id: number, body: InputOf<typeof noteCall>["body"]): Promise<CallDetail> {
    const { store } = this.#deps;
    const text = body.text.trim();
    if (text === "") throw invalid("body.text", "must say something");
    return await this.#change(call, { action: noteCall.id, id, command: "note" }, async (tx, { row, viewer }) => {
      const job = body.ownJobOnly === true ? viewer.job : null;
      await store.write(tx, call.actor, id, { kind: "note", text, job });
      await store.record(tx, call.actor, noteCall.id, id);
      return await store.touch(tx, row, {});
    });
  }

  async attach(call: CallContext, id: number, body: InputOf<typeof attachToCall>["body"]): Promise<CallDetail> {
    const { store } = this.#deps;
    const [citizenId, plate] = [body.citizenId ?? null, body.plate?.trim().toUpperCase() || null];
    if ((citizenId === null) === (plate === null)) throw invalid("body", "must name a citizen or a number plate, and not both");
    return await this.#change(call, { action: attachToCall.id, id, command: "attach" }, async (tx, { row, viewer }) => {
      if (citizenId === null) await store.write(tx, call.actor, id, { kind: "vehicle", text: plate });
      else {
        const { list } = citizensPermissions;
        if (!viewer.rights.has(list.id)) throw new AppError(callsErrors.citizensHidden, { params: { permission: list.id } });
        if (!(await namesOfCitizens(tx, [citizenId])).has(citizenId))
          throw new AppError(callsErrors.citizenNotFound, { params: { id: citizenId } });
        await store.write(tx, call.actor, id, { kind: "citizen", citizenId });
      }
      await store.record(tx, call.actor, attachToCall.id, id, { after: citizenId === null ? { plate } : { citizenId } });
      return await store.touch(tx, row, {});
    });
  }

  async check(call: CallContext, id: number, body: InputOf<typeof checkCall>["body"]): Promise<CallDetail> {
    const { store } = this.#deps;
    return await this.#change(call, { action: checkCall.id, id, command: "note" }, async (tx, { row }) => {
      const { lines } = JSON.parse(row.checklist) as Lines;
      const line = lines[body.line - 1];
      if (line === undefined) throw invalid("body.line", `must be at most ${lines.length}`);
      if (line.done === body.done) return row;
      const next: Lines = { v: 1, lines: lines.map((one) => (one === line ? { ...one, done: body.done } : one)) };
      await store.write(tx, call.actor, id, { kind: body.done ? "checked" : "unchecked", text: line.text });
      await store.record(tx, call.actor, checkCall.id, id);
      return await store.touch(tx, row, { checklist: JSON.stringify(next) });
    });
  }

  async complete(call: CallContext, id: number, body: InputOf<typeof completeCall>["body"]): Promise<CallDetail> {
    const text = body.outcome?.trim() || null;
    return await this.#end(call, id, body.version, { command: "complete", state: "completed", text, action: completeCall.id });
  }

  async cancel(call: CallContext, id: number, body: InputOf<typeof cancelCall>["body"]): Promise<CallDetail> {
    const text = reasonOf(body.reason);
    return await this.#end(call, id, body.version, { command: "cancel", state: "cancelled", text, action: cancelCall.id });
  }

  async reopen(call: CallContext, id: number, body: InputOf<typeof reopenCall>["body"]): Promise<CallDetail> {
    const { store, clock } = this.#deps;
    const text = reasonOf(body.reason);
    return await this.#change(
      call,
      { action: reopenCall.id, id, command: "reopen", version: body.version },
      async (tx, { row }) => {
        await store.write(tx, call.actor, id, { kind: "reopened", text });
        await store.record(tx, call.actor, reopenCall.id, id, { before: { state: row.state }, after: { state: "open" } });
        const open = { state: "open", ended_at: null, ended_by: null, ended_by_id: null, ended_text: null, archived_at: null };
        return await store.touch(tx, row, { ...open, waiting_since: clock.now(), version: row.version + 1 });
      },
    );
  }

  /** Nothing happened in an open call until the instant of its timer. */
  async expire(tx: Tx, { id, at }: { readonly id: number; readonly at: number }): Promise<void> {
    const row = await repo.find(tx, id);
    if (row === null || row.state !== "open" || row.idle_at !== at) return;
    // Units that work it may have nothing to say for long.
    if (await this.#deps.work.isWorked(tx, id)) {
      await this.#deps.store.touch(tx, row, {});
      return;
    }
    const actor: Actor = { kind: "system", name: expireCall.id };
    await this.#deps.store.end(tx, actor, row, { state: "cancelled", text: null, action: expireCall.id });
  }

  /** An ended call leaves the list of present ones. */
  async archive(tx: Tx, { id, at }: { readonly id: number; readonly at: number }): Promise<void> {
    const row = await repo.find(tx, id);
    if (row === null || row.archived_at !== null || row.ended_at === null || row.ended_at + archiveAfterMs !== at) return;
    await repo.update(tx, id, { archived_at: at, version: row.version + 1 });
    await this.#deps.store.changed(tx, id);
  }

  /** Alerts came, which pages did not read one by one. */
  async touch(tx: Tx, id: number): Promise<void> {
    await this.#deps.store.touchById(tx, id);
  }

  /** Plans the ends of open calls again, by what the rules of their jobs say now. */
  async replan(tx: Tx, { job, after }: { readonly job: string; readonly after: number }): Promise<void> {
    const { store, clock } = this.#deps;
    const rows = await repo.openIn(tx, job, after, replanned);
    const last = await entries.lastEntries(
      tx,
      rows.map(({ id }) => id),
    );
    for (const row of rows) await store.planIdle(tx, row, last.get(row.id) ?? clock.now());
    if (rows.length === replanned) await store.replanMore(tx, { job, after: rows.at(-1)!.id });
  }

  async purgeCitizens(tx: Tx, citizenIds: readonly number[]): Promise<void> {
    await repo.forgetCitizens(tx, citizenIds);
    await forgetHandOvers(tx, citizenIds);
    await forgetInStorms(tx, citizenIds);
  }

  async #end(
    call: CallContext,
    id: number,
    version: number,
    { command, ...end }: { readonly command: CallCommand } & Parameters<CallsStore["end"]>[3],
  ): Promise<CallDetail> {
    return await this.#change(call, { action: end.action, id, command, version }, async (tx, { row }) => {
      return await this.#deps.store.end(tx, call.actor, row, end);
    });
  }

  /** The call as it is afterwards, for somebody who may do this to it. */
  async #change(
    call: CallContext,
    { action, id, command, version }: Change,
    work: (tx: Tx, opened: Opened) => Promise<repo.CallRow>,
  ): Promise<CallDetail> {
    const { db, opened, shown } = this.#deps;
    const viewer = call.viewer();
    return await db.write(action, async (tx) => {
      const one = await opened.of(tx, viewer, await repo.find(tx, id));
      const { row, as } = one;
      if (version !== undefined) await opened.requirePresent(tx, viewer, one, version);
      opened.requireAllowed(command, one);
      if (writing.has(command)) await opened.requireRoom(tx, id, as.roles);
      const changed = await work(tx, { row, viewer });
      await this.#deps.work.changed(tx, id);
      // Who ends it as a member of a crew sees it once more, as it was ended.
      return await shown.detail(tx, viewer, changed, as);
    });
  }

  async #requireType(tx: Tx, id: number, typeId: number | null): Promise<void> {
    if (typeId === null) return;
    const found = (await types.typesOf(tx, await this.#jobsOf(tx, id))).some(
      (one) => one.id === typeId && one.deleted_at === null,
    );
    if (!found) throw new AppError(callsErrors.typeNotFound);
  }

  async #jobsOf(tx: Tx, id: number): Promise<string[]> {
    return (await repo.jobsOfCall(tx, id)).map(({ job }) => job);
  }

  /** A postal code that stays leaves the exact place of the caller. */
  #placeOf(row: repo.CallRow, postal: string | null): Pick<repo.CallRow, "postal" | "x" | "y"> {
    const { postal: before, x, y } = row;
    if (postal === before) return { postal: before, x, y };
    if (postal === null) return { postal: null, x: null, y: null };
    return placeOfPostal(this.#deps.postals, postal);
  }
}

/** Throws for a code that the map does not have. */
export function placeOfPostal(postals: Pick<PostalsApi, "find">, postal: string): { postal: string; x: number; y: number } {
  const found = postals.find(postal);
  if (found === null) throw new AppError(callsErrors.postalUnknown, { params: { postal } });
  return { postal: found.code, x: found.x, y: found.y };
}

function reasonOf(sent: string): string {
  const text = sent.trim();
  if (text === "") throw invalid("body.reason", "must say why");
  return text;
}
