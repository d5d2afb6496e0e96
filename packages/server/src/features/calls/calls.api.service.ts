import type { Actor, Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { Clock, Tx } from "#core/ports/index.ts";
import type { Zone } from "#core/zone.ts";
import { leavingOf } from "./calls.handover.repo.ts";
import type { DeskOfCalls } from "./calls.desk.service.ts";
import type {
  CallDesk,
  CallFacts,
  CallsApi,
  CallStandingOf,
  CallWork,
  NewEntry,
  NewPanicCall,
  PanicCallEnd,
} from "./calls.api.ts";
import { type Call, type CallKind, callsErrors, completeCall, mostUnitEntries, panicMessage } from "./calls.contract.ts";
import { isOver, limitedWith, requireOpen } from "./calls.policy.ts";
import { refOf } from "./calls.ref.contract.ts";
import * as entries from "./calls.entries.repo.ts";
import * as repo from "./calls.repo.ts";
import type { ShownCalls } from "./calls.shown.service.ts";
import type { CallsStore } from "./calls.store.service.ts";
import type { WorkOfCalls } from "./calls.work.service.ts";

export interface CallsApiDeps {
  readonly clock: Clock;
  readonly zone: Zone;
  readonly store: CallsStore;
  readonly shown: ShownCalls;
  readonly work: WorkOfCalls;
  readonly desk: DeskOfCalls;
}

/** Calls for the features that put units on them. */
export class CallsForOthers implements CallsApi {
  readonly #deps: CallsApiDeps;

  constructor(deps: CallsApiDeps) {
    this.#deps = deps;
  }

  registerWork(work: CallWork): void {
    this.#deps.work.register(work);
  }

  registerDesk(desk: CallDesk): void {
    this.#deps.desk.register(desk);
  }

  async raise(tx: Tx, actor: Actor, { action, jobs, citizen, place, source }: NewPanicCall): Promise<number> {
    const caller = { citizenId: citizen.id, name: citizen.name, anonymous: false, phone: null };
    const call = {
      kind: "panic",
      jobs,
      type: null,
      message: panicMessage,
      priority: 1,
      place,
      answers: [],
      source,
      caller,
    } as const;
    return (await this.#deps.store.create(tx, actor, action, call)).id;
  }

  async endPanic(tx: Tx, actor: Actor, id: number, end: PanicCallEnd): Promise<void> {
    const row = await repo.find(tx, id);
    if (row?.kind === "panic" && row.state === "open") await this.#deps.store.end(tx, actor, row, end);
  }

  async openFor(tx: Tx, viewer: Viewer, id: number): Promise<CallFacts & CallStandingOf> {
    const row = await repo.find(tx, id);
    const as = row === null ? null : await this.#deps.shown.standingOf(tx, viewer, row);
    if (row === null || as === null) throw new AppError(callsErrors.notFound);
    requireOpen(row, (at) => this.#deps.zone.iso(at).slice(0, 16).replace("T", " "));
    return { ...(await this.#facts(tx, row)), level: as.level, roles: as.roles };
  }

  async open(tx: Tx, id: number): Promise<CallFacts | null> {
    const row = await repo.find(tx, id);
    return row?.state === "open" ? await this.#facts(tx, row) : null;
  }

  async shown(tx: Tx, viewer: Viewer, ids: readonly number[]): Promise<Call[]> {
    const { shown } = this.#deps;
    if (ids.length === 0) return [];
    return await shown.rows(tx, viewer, await repo.seenByIds(tx, await shown.seeing(tx, viewer), ids));
  }

  async newest(tx: Tx, job: string): Promise<number | null> {
    return await repo.newestOpen(tx, job);
  }

  async happened(tx: Tx, actor: Actor, id: number, entry: NewEntry): Promise<void> {
    const { store } = this.#deps;
    const counted = limitedWith(entry.kind);
    if (counted === null || (await entries.countEntries(tx, id, counted)) < mostUnitEntries)
      await store.write(tx, actor, id, entry);
  }

  async touched(tx: Tx, id: number): Promise<void> {
    await this.#deps.store.touchById(tx, id);
  }

  async complete(tx: Tx, actor: Actor, id: number): Promise<void> {
    const row = await repo.find(tx, id);
    if (row?.state !== "open" || row.kind === "panic") return;
    await this.#deps.store.end(tx, actor, row, { state: "completed", text: null, action: completeCall.id });
  }

  async #facts(tx: Tx, { id, kind, message, priority, waiting_since: waitingSince }: repo.CallRow): Promise<CallFacts> {
    const now = this.#deps.clock.now();
    const jobs = (await repo.jobsOfCall(tx, id)).filter((one) => !isOver(one, now)).map(({ job, level }) => ({ job, level }));
    const leaving = (await leavingOf(tx, id)).map(({ from_job: job, to_job: to, asked_at: since }) => ({ job, to, since }));
    return { id, ref: refOf(id), kind: kind as CallKind, message, priority, waitingSince, jobs, leaving };
  }
}
