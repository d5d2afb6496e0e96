import type { Actor } from "#core/actor.ts";
import type { PayloadOf } from "#core/contract/index.ts";
import type { Clock, Outbox, Search, Tasks, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { CallsApi, NewEntry, PanicCallEnd } from "#features/calls/calls.api.ts";
import { refOf } from "#features/calls/calls.contract.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import { lineEveryMs, panicChanged, placeForMs, repeatEveryMs, repeatPanic } from "./panic.contract.ts";
import type { PanicState } from "./panic.machine.ts";
import { alarmAfter, panicSearchKind } from "./panic.policy.ts";
import * as repo from "./panic.repo.ts";

export interface StoreDeps {
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly search: Search;
  readonly tasks: Pick<Tasks, "enqueue" | "cancel">;
  readonly audit: AuditApi;
  readonly calls: Pick<CallsApi, "raise" | "endPanic" | "happened" | "touched">;
}

export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly postal: string | null;
  /** When the person was there. */
  readonly at: number;
}

export interface NewPanic {
  readonly citizen: { readonly id: number; readonly name: string };
  readonly job: string;
  /** All that are alarmed, the own one first. */
  readonly jobs: readonly string[];
  /** Those of them in which nobody on duty answers, so that everybody on duty is alarmed at once. */
  readonly everybody: readonly string[];
  readonly place: Spot | null;
  readonly source: string | null;
  readonly action: string;
}

/** How a panic ends. */
export interface PanicEnd extends Pick<PanicCallEnd, "action"> {
  readonly state: Exclude<PanicState, "active">;
  readonly note: string | null;
}

const repeatKey = (id: number, job: string) => `panic/${id}/${job}`;

/** How the audit log and the history call who did it. */
const nameOf = (actor: Actor) => (actor.kind === "character" ? actor.characterName : "Sync-API");
const idOf = (actor: Actor) => (actor.kind === "character" ? actor.characterId : null);

/** Writes panics with what every change of one has: its call, timers, search index, audit entry and event. */
export class PanicStore {
  readonly #deps: StoreDeps;

  constructor(deps: StoreDeps) {
    this.#deps = deps;
  }

  async raise(tx: Tx, actor: Actor, panic: NewPanic): Promise<repo.PanicRow> {
    const { citizen, job, jobs, everybody, place, source, action } = panic;
    const { clock, calls } = this.#deps;
    const now = clock.now();
    const callId = await calls.raise(tx, actor, { action, jobs, citizen, place, source });
    const id = await repo.insert(tx, {
      ...{ version: 1, state: "active", call_id: callId, citizen_id: citizen.id, job, presses: 1 },
      ...{ pressed_at: now, last_pressed_at: now, place_until: now + placeForMs },
      ...{ x: place?.x ?? null, y: place?.y ?? null, postal: place?.postal ?? null, place_at: place?.at ?? null },
      ...{ ended_at: null, ended_by: null, ended_by_id: null, note: null },
    });
    const nextAt = now + repeatEveryMs;
    const ringing = { panic_id: id, state: "ringing", next_at: nextAt, repeats: 0 };
    const nobody = { acknowledged_at: null, acknowledged_by: null, acknowledged_by_id: null };
    await repo.insertAlarms(
      tx,
      jobs.map((alarmed, position) => {
        const all = everybody.includes(alarmed) ? (1 as const) : (0 as const);
        return { ...ringing, ...nobody, job: alarmed, position, everybody: all };
      }),
    );
    for (const alarmed of jobs) await this.planRepeat(tx, id, alarmed, nextAt);
    const row = (await repo.find(tx, id))!;
    await this.index(tx, row);
    await this.record(tx, actor, action, row, { info: { jobs: jobs.join(", ") } });
    await this.changed(tx, row);
    return row;
  }

  /** A further press, with the place of now. */
  async again(tx: Tx, actor: Actor, row: repo.PanicRow, action: string, place: Spot | null): Promise<repo.PanicRow> {
    const spot = place === null ? {} : { x: place.x, y: place.y, postal: place.postal, place_at: place.at };
    const presses = row.presses + 1;
    const now = this.#deps.clock.now();
    const says = now >= row.line_at + lineEveryMs;
    const values = {
      ...{ ...spot, presses, last_pressed_at: now, version: row.version + 1 },
      ...(says ? { line_at: now } : {}),
    };
    await repo.update(tx, row.id, values);
    const next = { ...row, ...values };
    if (place !== null) await this.index(tx, next);
    if (says) await this.happened(tx, actor, row, { kind: "pressedAgain", text: String(presses) });
    await this.record(tx, actor, action, row, { before: { presses: row.presses }, after: { presses } });
    await this.changed(tx, next);
    return next;
  }

  async acknowledge(
    tx: Tx,
    actor: Actor,
    row: repo.PanicRow,
    alarm: repo.AlarmRow,
    how: { readonly action: string; readonly label: string },
  ) {
    const { clock, tasks } = this.#deps;
    const by = { acknowledged_at: clock.now(), acknowledged_by: nameOf(actor), acknowledged_by_id: idOf(actor) };
    await repo.updateAlarm(tx, alarm, { ...by, state: "acknowledged" });
    await tasks.cancel(tx, repeatPanic, repeatKey(row.id, alarm.job));
    await this.happened(tx, actor, row, { kind: "acknowledged", text: how.label });
    await this.record(tx, actor, how.action, row, { info: { job: alarm.job } });
    await this.changed(tx, row);
  }

  /** With its call; alarms that still ring are over. */
  async end(tx: Tx, actor: Actor, row: repo.PanicRow, { state, note, action }: PanicEnd): Promise<repo.PanicRow> {
    const { clock, tasks, calls } = this.#deps;
    const by = { ended_by: nameOf(actor), ended_by_id: idOf(actor) };
    const values = { state, note, ended_at: clock.now(), ...by, ...repo.unseen, version: row.version + 1 };
    await repo.update(tx, row.id, values);
    for (const alarm of (await repo.alarmsOf(tx, [row.id])).get(row.id) ?? []) {
      const after = alarmAfter(alarm.state, "end");
      if (after === null) continue;
      await repo.updateAlarm(tx, alarm, { state: after });
      await tasks.cancel(tx, repeatPanic, repeatKey(row.id, alarm.job));
    }
    const ends = state === "cancelled" ? ("cancelled" as const) : ("completed" as const);
    await calls.endPanic(tx, actor, row.call_id, { action, state: ends, text: note });
    const next = { ...row, ...values };
    await this.record(tx, actor, action, row, { before: { state: row.state }, after: { state } });
    await this.changed(tx, next);
    return next;
  }

  async planRepeat(tx: Tx, id: number, job: string, at: number): Promise<void> {
    await this.#deps.tasks.enqueue(tx, repeatPanic, { payload: { id, job, at }, key: repeatKey(id, job), dueAt: at });
  }

  /** A line in the timeline of the call. */
  async happened(tx: Tx, actor: Actor, { call_id: callId }: repo.PanicRow, entry: NewEntry): Promise<void> {
    await this.#deps.calls.happened(tx, actor, callId, entry);
    await this.#deps.calls.touched(tx, callId);
  }

  /** Without notes: not everybody who reads the audit log may read the panic. */
  async record(
    tx: Tx,
    actor: Actor,
    action: string,
    { id, call_id: callId }: repo.PanicRow,
    change: {
      readonly info?: Record<string, string>;
      readonly before?: Record<string, unknown>;
      readonly after?: Record<string, unknown>;
    },
  ): Promise<void> {
    await this.#deps.audit.record(tx, actor, { action, object: { kind: "panic.panic", id, name: refOf(callId) }, ...change });
  }

  /** Pages of its jobs and of who pressed read it again, and its place is followed or no longer. */
  async changed(tx: Tx, row: repo.PanicRow): Promise<void> {
    const { id, version, citizen_id: citizenId, state, place_until: until } = row;
    const jobs = ((await repo.alarmsOf(tx, [id])).get(id) ?? []).map(({ job }) => job);
    const panic = citizenId === null ? null : { id, version, citizenId, active: state === "active", until };
    await this.#emit(tx, { jobs, people: citizenId === null ? [] : [citizenId], panic });
  }

  async rulesChanged(tx: Tx, jobs: readonly string[]): Promise<void> {
    await this.#emit(tx, { jobs: [...new Set(jobs)], people: [], panic: null });
  }

  async #emit(tx: Tx, payload: PayloadOf<typeof panicChanged>): Promise<void> {
    const { outbox, clock } = this.#deps;
    await outbox.emit(tx, panicChanged, { key: "panic", version: clock.now(), payload });
  }

  async index(tx: Tx, { id, citizen_id: citizenId, postal }: repo.PanicRow): Promise<void> {
    const name = citizenId === null ? undefined : (await namesOfCitizens(tx, [citizenId])).get(citizenId);
    const texts = [
      ...(name === undefined ? [] : [{ field: "name", text: name }]),
      ...(postal === null ? [] : [{ field: "postal", text: postal, isCode: true }]),
    ];
    await this.#deps.search.put(tx, panicSearchKind, [{ id, texts }]);
  }

  async forget(tx: Tx, citizenIds: readonly number[]): Promise<void> {
    for (const id of await repo.forgetCitizens(tx, citizenIds)) await this.index(tx, (await repo.find(tx, id))!);
  }

  async removeEnded(tx: Tx, before: number, limit: number): Promise<number> {
    const ids = await repo.endedBefore(tx, before, limit);
    await repo.remove(tx, ids);
    await this.#deps.search.remove(tx, panicSearchKind, ids);
    return ids.length;
  }
}
