import { type Actor, actorName } from "#core/actor.ts";
import type { Clock, Outbox, Search, Tasks, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { PostalsApi } from "#features/postals/postals.api.ts";
import type { NewEntry } from "./calls.api.ts";
import { archiveAfterMs, type Call, type CallKind, type TypeContent } from "./calls.base.contract.ts";
import { archiveCall, callsChanged, expireCall, replanIdle, touchCall } from "./calls.contract.ts";
import { foldKey, panicFoldKey, shownAlone } from "./calls.fold.policy.ts";
import { callsSearchKind, idleAt, newCallOf } from "./calls.policy.ts";
import * as handovers from "./calls.handover.repo.ts";
import { refOf } from "./calls.ref.contract.ts";
import * as entries from "./calls.entries.repo.ts";
import * as repo from "./calls.repo.ts";
import { rulesOfRow, typeOf } from "./calls.types.policy.ts";
import * as types from "./calls.types.repo.ts";
import type { WorkOfCalls } from "./calls.work.service.ts";

export interface StoreDeps {
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly search: Search;
  readonly tasks: Pick<Tasks, "enqueue">;
  readonly audit: AuditApi;
  readonly jobs: Pick<JobsApi, "labels">;
  readonly postals: Pick<PostalsApi, "nearest">;
  readonly work: Pick<WorkOfCalls, "ended" | "jobsAt">;
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** A call that nothing speaks against. */
export interface NewCallRow {
  /** Left out, `call`. */
  readonly kind?: CallKind;
  readonly jobs: readonly string[];
  readonly type: (Pick<TypeContent, "checklist"> & { readonly id: number }) | null;
  readonly message: string;
  readonly priority: number;
  readonly place: Place | null;
  /** Of the place; left out, the nearest one. */
  readonly postal?: string;
  readonly answers: readonly { readonly question: string; readonly answer: string }[];
  readonly source: string | null;
  readonly caller: {
    readonly citizenId: number | null;
    readonly name: string | null;
    readonly anonymous: boolean;
    readonly phone: string | null;
  } | null;
}

/** Who stands in the timeline. */
interface Writer {
  readonly id: number | null;
  readonly name: string | null;
}

/** As timelines and refusals call somebody; null for the server itself. */
export function writerOf(actor: Actor): Writer {
  if (actor.kind === "character") return { id: actor.characterId, name: actor.characterName };
  return { id: null, name: actor.kind === "system" || actor.kind === "sync" ? null : actorName(actor) };
}

/** How the end of a call by this actor is signed; null is the time that ran out. */
const enderOf = (actor: Actor) => (actor.kind === "sync" ? "Sync-API" : writerOf(actor).name);

const shortestIdleMs = 60_000;

/** Who called anonymously stands in the audit log no more than in the call. */
const unnamed: Actor = { kind: "system", name: "calls.anonymous" };

/** Writes calls with what every change of one has: its timeline, timers, search index, audit entry and event. */
export class CallsStore {
  readonly #deps: StoreDeps;

  constructor(deps: StoreDeps) {
    this.#deps = deps;
  }

  async create(tx: Tx, actor: Actor, action: string, call: NewCallRow): Promise<repo.CallRow> {
    const { clock, postals, audit } = this.#deps;
    const { kind = "call", jobs, type, message, priority, place, answers, source, caller } = call;
    const now = clock.now();
    const postal = call.postal ?? (place === null ? null : (postals.nearest(place.x, place.y)?.code ?? null));
    const id = await repo.insert(tx, {
      version: 1,
      state: "open",
      kind,
      type_id: type?.id ?? null,
      message,
      priority,
      x: place?.x ?? null,
      y: place?.y ?? null,
      postal,
      checklist: JSON.stringify({ v: 1, lines: (type?.checklist ?? []).map((text) => ({ text, done: false })) }),
      answers: JSON.stringify({ v: 1, lines: answers.map(({ question, answer }) => ({ question, answer })) }),
      source,
      merged_into: null,
      created_at: now,
      waiting_since: now,
      idle_at: now,
      ended_at: null,
      ended_by: null,
      ended_by_id: null,
      ended_text: null,
      archived_at: null,
      alerts: 1,
      last_alert_at: now,
      fold_key: kind === "panic" ? panicFoldKey : foldKey(type?.id ?? null, jobs),
    });
    const offer = { call_id: id, level: "dispatch", min_grade: 0, expires_at: null };
    await repo.insertJobs(
      tx,
      jobs.map((job, position) => ({ ...offer, job, position })),
    );
    const callerId = caller === null ? null : await this.#caller(tx, id, caller, now);
    await repo.insertAlert(tx, { call_id: id, caller_id: callerId, at: now, message, x: place?.x ?? null, y: place?.y ?? null });
    const isAnonymous = caller?.anonymous === true;
    const by = isAnonymous ? { id: null, name: null } : { id: caller?.citizenId ?? null, name: caller?.name ?? null };
    await this.#entry(tx, id, by, { kind: "created" });
    const row = await this.touch(tx, (await repo.find(tx, id))!, {}, true);
    await audit.record(tx, isAnonymous ? unnamed : actor, {
      action,
      object: { kind: "calls.call", id, name: refOf(id) },
      info: { jobs: jobs.join(", ") },
      after: { priority },
    });
    return row;
  }

  /** Somebody or something calls for what a call is about already. */
  async fold(tx: Tx, actor: Actor, action: string, id: number, alert: NewCallRow): Promise<repo.CallRow> {
    const { clock, tasks } = this.#deps;
    const { caller, message, place } = alert;
    const row = (await repo.find(tx, id))!;
    const now = clock.now();
    const callerId = caller === null ? null : await this.#callerAgain(tx, id, caller, now);
    await repo.insertAlert(tx, { call_id: id, caller_id: callerId, at: now, message, x: place?.x ?? null, y: place?.y ?? null });
    const values = { alerts: row.alerts + 1, last_alert_at: now };
    await this.record(tx, caller?.anonymous === true ? unnamed : actor, action, id, { after: { alerts: values.alerts } });
    if (values.alerts <= shownAlone) return await this.touch(tx, row, values);
    // Pages would do nothing but read a call that a thousand people report.
    await repo.update(tx, id, values);
    await tasks.enqueue(tx, touchCall, { payload: { id, at: now }, key: `alerts/${id}`, dueAt: now + 1000 });
    return { ...row, ...values };
  }

  async #callerAgain(tx: Tx, callId: number, caller: NonNullable<NewCallRow["caller"]>, now: number): Promise<number> {
    const { citizenId, anonymous } = caller;
    const known = citizenId === null ? null : await repo.callerIn(tx, callId, citizenId, anonymous ? 1 : 0);
    return known ?? (await this.#caller(tx, callId, caller, now));
  }

  async #caller(tx: Tx, callId: number, caller: NonNullable<NewCallRow["caller"]>, now: number): Promise<number> {
    const { citizenId, anonymous, phone } = caller;
    // Nothing needs the number of somebody who does not want to be known.
    const kept = anonymous ? null : phone;
    const row = { call_id: callId, citizen_id: citizenId, anonymous: anonymous ? 1 : 0, phone: kept, created_at: now } as const;
    return await repo.insertCaller(tx, row);
  }

  /** Writes these values; nothing happening from now on for the time of its jobs cancels an open call. */
  async touch(tx: Tx, row: repo.CallRow, values: Parameters<typeof repo.update>[2], isNew = false): Promise<repo.CallRow> {
    const jobs = await this.#jobs(tx, row.id);
    const at = await this.#idleAt(tx, jobs, this.#deps.clock.now());
    const next: repo.CallRow = { ...row, ...values, idle_at: at };
    await repo.update(tx, row.id, { ...values, idle_at: at });
    if (next.state === "open" && next.kind !== "panic") await this.#expireAt(tx, row.id, at);
    const type = next.type_id === null ? null : ((await types.typesById(tx, [next.type_id])).get(next.type_id) ?? null);
    await this.#index(tx, next, type);
    const created = isNew ? newCallOf(next, { jobs, type, labels: await this.#deps.jobs.labels(tx) }) : undefined;
    await this.changed(tx, row.id, jobs, created);
    return next;
  }

  /** Something happened in a call, if it is still there. */
  async touchById(tx: Tx, id: number): Promise<void> {
    const row = await repo.find(tx, id);
    if (row === null) return;
    await this.leave(tx, id);
    await this.touch(tx, row, {});
  }

  /** A job that has handed the call over keeps seeing it once its units have ended. */
  async leave(tx: Tx, id: number): Promise<void> {
    const leaving = await handovers.leavingOf(tx, id);
    const there = leaving.length === 0 ? [] : await this.#deps.work.jobsAt(tx, id);
    for (const one of leaving.filter(({ from_job: job }) => !there.includes(job))) {
      await handovers.remove(tx, one.id);
      await repo.setLevel(tx, id, one.from_job, "view");
    }
  }

  /** After the rules of a job changed; who shortens the time leaves a minute to those that are over it by now. */
  async planIdle(tx: Tx, { id, kind, idle_at: before }: repo.CallRow, last: number): Promise<void> {
    if (kind === "panic") return;
    const due = await this.#idleAt(tx, await this.#jobs(tx, id), last);
    const at = Math.max(due, this.#deps.clock.now() + shortestIdleMs);
    if (at === before) return;
    await repo.update(tx, id, { idle_at: at });
    await this.#expireAt(tx, id, at);
  }

  async replanMore(tx: Tx, payload: { readonly job: string; readonly after: number }): Promise<void> {
    const { clock, tasks } = this.#deps;
    await tasks.enqueue(tx, replanIdle, { payload, key: `idle-rule/${payload.job}`, dueAt: clock.now() });
  }

  async #idleAt(tx: Tx, jobs: readonly string[], from: number): Promise<number> {
    const rules = await types.rulesOf(tx, jobs);
    return idleAt(
      from,
      jobs.map((job) => rulesOfRow(rules.get(job)).idleMinutes),
    );
  }

  async #expireAt(tx: Tx, id: number, at: number): Promise<void> {
    await this.#deps.tasks.enqueue(tx, expireCall, { payload: { id, at }, key: `idle/${id}`, dueAt: at });
  }

  /** The call ends; its timer of idleness then finds it ended. */
  async end(
    tx: Tx,
    actor: Actor,
    row: repo.CallRow,
    { state, text, action }: { readonly state: "completed" | "cancelled"; readonly text: string | null; readonly action: string },
  ): Promise<repo.CallRow> {
    await this.write(tx, actor, row.id, { kind: state, text });
    await this.#deps.work.ended(tx, actor, row.id, state);
    const next = await this.close(tx, actor, row, { state, ended_text: text });
    await this.record(tx, actor, action, row.id, { before: { state: row.state }, after: { state } });
    return next;
  }

  /** An open call is no longer open, and leaves the list of present ones after a while. */
  async close(
    tx: Tx,
    actor: Actor,
    row: repo.CallRow,
    values: Pick<repo.CallRow, "state" | "ended_text"> & Partial<repo.CallRow>,
  ): Promise<repo.CallRow> {
    const { clock, tasks } = this.#deps;
    const now = clock.now();
    const by = { ended_by: enderOf(actor), ended_by_id: actor.kind === "character" ? actor.characterId : null };
    await this.leave(tx, row.id);
    const next = await this.touch(tx, row, { ended_at: now, ...by, ...values, version: row.version + 1 });
    // A job that was asked to take it over has read its end.
    const asked = (await handovers.askedOf(tx, [row.id])).get(row.id);
    if (asked !== undefined) await handovers.drop(tx, asked);
    const at = now + archiveAfterMs;
    await tasks.enqueue(tx, archiveCall, { payload: { id: row.id, at }, key: `archive/${row.id}`, dueAt: at });
    return next;
  }

  /** Adds a line to the timeline. */
  async write(tx: Tx, actor: Actor, id: number, entry: NewEntry): Promise<void> {
    await this.#entry(tx, id, writerOf(actor), entry);
  }

  async #entry(tx: Tx, id: number, by: Writer, { kind, text = null, job = null, citizenId, other }: NewEntry): Promise<void> {
    await entries.insertEntry(tx, {
      call_id: id,
      at: this.#deps.clock.now(),
      kind,
      job,
      by_id: by.id,
      by_name: by.name,
      text,
      citizen_id: citizenId ?? null,
      other_id: other ?? null,
    });
  }

  /** Without texts of people: not everybody who reads the audit log may read the call. */
  async record(
    tx: Tx,
    actor: Actor,
    action: string,
    id: number,
    change: { readonly before?: Record<string, unknown>; readonly after?: Record<string, unknown> } = {},
  ): Promise<void> {
    const object = { kind: "calls.call", id, name: refOf(id) };
    await this.#deps.audit.record(tx, actor, { action, object, ...change });
  }

  /** Pages of these jobs, or else of the call's, read it again. */
  async changed(tx: Tx, id: number, jobs: readonly string[] | null = null, created?: Call): Promise<void> {
    const { outbox, clock } = this.#deps;
    const callers = ((await repo.callersOf(tx, [id])).get(id) ?? []).filter(({ anonymous }) => anonymous === 0);
    const payload = {
      jobs: [...(jobs ?? (await this.#jobs(tx, id)))],
      callers: callers.flatMap(({ citizen_id: citizen }) => (citizen === null ? [] : [citizen])),
      setup: false,
      ...(created === undefined ? {} : { created }),
    };
    await outbox.emit(tx, callsChanged, { key: "calls", version: clock.now(), payload });
  }

  /** Those that ended before an instant, with all that belongs to them. */
  async removeEnded(tx: Tx, before: number, limit: number): Promise<number> {
    const ids = await repo.endedBefore(tx, before, limit);
    await repo.remove(tx, ids);
    await this.#deps.search.remove(tx, callsSearchKind, ids);
    return ids.length;
  }

  async #jobs(tx: Tx, id: number): Promise<string[]> {
    return (await repo.jobsOfCall(tx, id)).map(({ job }) => job);
  }

  async #index(tx: Tx, { id, message, postal, ended_text: outcome }: repo.CallRow, type: types.TypeRow | null): Promise<void> {
    const texts = [
      { field: "message", text: message },
      ...(postal === null ? [] : [{ field: "postal", text: postal, isCode: true }]),
      ...(outcome === null ? [] : [{ field: "outcome", text: outcome }]),
      ...(type === null ? [] : [{ field: "type", text: `${typeOf(type).code} ${type.name}` }]),
    ];
    await this.#deps.search.put(tx, callsSearchKind, [{ id, texts }]);
  }
}
