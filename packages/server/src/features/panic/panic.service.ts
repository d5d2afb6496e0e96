import type { Actor, Viewer } from "#core/actor.ts";
import type { InputOf, OutputOf } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import { callsPermissions, refOf } from "#features/calls/calls.contract.ts";
import { citizenNames } from "#features/citizens/citizens.reads.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { PositionsApi } from "#features/positions/positions.api.ts";
import type { PostalsApi } from "#features/postals/postals.api.ts";
import {
  acknowledgePanic,
  cancelPanic,
  cancelWithinMs,
  endPanic,
  type Panic,
  panicErrors,
  panicPermissions,
  placeForMs,
  pressPanic,
  samePressMs,
  syncCancelPanic,
  syncPanic,
} from "./panic.contract.ts";
import type { PanicFollow } from "./panic.follow.service.ts";
import {
  alarmAfter,
  cancelUntil,
  endOf,
  isAlarmed,
  jobsAlarmed,
  mayEnd,
  mayStillCancel,
  movedTo,
  requireWithinLimits,
} from "./panic.policy.ts";
import * as repo from "./panic.repo.ts";
import { type ShownPanics, standingOf } from "./panic.shown.service.ts";
import type { PanicStore, Spot } from "./panic.store.service.ts";

export interface PanicDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly duty: Pick<DutyApi, "held">;
  readonly jobs: Pick<JobsApi, "labels" | "list">;
  readonly positions: Pick<PositionsApi, "place">;
  readonly postals: Pick<PostalsApi, "nearest">;
  readonly store: PanicStore;
  readonly shown: ShownPanics;
  readonly follow: PanicFollow;
}

interface Press {
  readonly citizen: { readonly id: number; readonly name: string };
  /** That the game named; null for the one that is known. */
  readonly at: { readonly x: number; readonly y: number } | null;
  readonly source: string | null;
  readonly action: string;
}

/** What people and the game server do about panics. */
export class PanicService {
  readonly #deps: PanicDeps;

  constructor(deps: PanicDeps) {
    this.#deps = deps;
  }

  async press(call: CallContext): Promise<Panic> {
    const { db, shown } = this.#deps;
    const viewer = call.viewer();
    return await db.write(pressPanic.id, async (tx) => {
      const citizen = { id: viewer.characterId, name: viewer.characterName };
      const row = await this.#press(tx, call.actor, { citizen, at: null, source: null, action: pressPanic.id });
      return await shown.one(tx, viewer, row);
    });
  }

  async sync(call: CallContext, sent: InputOf<typeof syncPanic>["body"]): Promise<OutputOf<typeof syncPanic>> {
    return await this.#deps.db.write(syncPanic.id, async (tx) => {
      const citizen = await named(tx, sent.identifier);
      const at = sent.x == null || sent.y == null ? null : { x: sent.x, y: sent.y };
      const row = await this.#press(tx, call.actor, { citizen, at, source: sent.source ?? null, action: syncPanic.id });
      const { id, call_id: callId, presses, pressed_at: pressedAt } = row;
      const answer = { id, ref: refOf(callId), presses, cancelUntil: cancelUntil(pressedAt) };
      await call.keepAnswer(tx, answer);
      return answer;
    });
  }

  async cancel(call: CallContext, id: number): Promise<Panic> {
    const { db, shown } = this.#deps;
    const viewer = call.viewer();
    return await db.write(cancelPanic.id, async (tx) => {
      const row = await repo.find(tx, id);
      if (row === null || row.citizen_id !== viewer.characterId) throw new AppError(panicErrors.notFound);
      return await shown.one(tx, viewer, await this.#cancel(tx, call.actor, row, cancelPanic.id));
    });
  }

  async syncCancel(call: CallContext, sent: InputOf<typeof syncCancelPanic>["body"]): Promise<OutputOf<typeof syncCancelPanic>> {
    const { db, clock } = this.#deps;
    return await db.write(syncCancelPanic.id, async (tx) => {
      const { id } = await named(tx, sent.identifier);
      const active = (await repo.ofPerson(tx, id, clock.now() - placeForMs)).find(({ state }) => state === "active");
      if (active === undefined) return { cancelled: false };
      await this.#cancel(tx, call.actor, active, syncCancelPanic.id);
      return { cancelled: true };
    });
  }

  async acknowledge(call: CallContext, id: number): Promise<Panic> {
    const { db, shown, store, jobs } = this.#deps;
    const viewer = call.viewer();
    return await db.write(acknowledgePanic.id, async (tx) => {
      const { row, alarms } = await this.#seen(tx, viewer, id);
      if (row.citizen_id === viewer.characterId) throw new AppError(panicErrors.own);
      if (row.state !== "active") throw new AppError(panicErrors.ended, { params: { id: refOf(row.call_id) } });
      if (!isAlarmed(viewer, await shown.dutyOf(tx, viewer), standingOf(row, alarms)))
        throw new AppError(panicErrors.notAlarmed, { params: { permission: panicPermissions.answer.id } });
      const own = alarms.find(({ job }) => job === viewer.job)!;
      // Two who answer at once both want the same: the first one is named.
      if (alarmAfter(own.state, "acknowledge") !== null) {
        const label = (await jobs.labels(tx)).label(own.job);
        await store.acknowledge(tx, call.actor, row, own, { action: acknowledgePanic.id, label });
      }
      return await shown.one(tx, viewer, row);
    });
  }

  async end(call: CallContext, id: number, body: InputOf<typeof endPanic>["body"]): Promise<Panic> {
    const { db, shown, store } = this.#deps;
    const viewer = call.viewer();
    return await db.write(endPanic.id, async (tx) => {
      const { row, alarms, isSeen } = await this.#seen(tx, viewer, id);
      if (!mayEnd(viewer, standingOf(row, alarms)))
        throw new AppError(panicErrors.notDispatcher, { params: { permission: callsPermissions.dispatch.id } });
      // How it ended is for those who see the ones of before.
      if (!isSeen) movedTo(row.state, endOf[body.outcome], row.call_id);
      if (row.version !== body.version)
        throw new AppError(panicErrors.stale, { extra: { current: await shown.one(tx, viewer, row) } });
      const state = movedTo(row.state, endOf[body.outcome], row.call_id);
      const end = { state: state as typeof body.outcome, note: body.note?.trim() || null, action: endPanic.id };
      return await shown.one(tx, viewer, await store.end(tx, call.actor, row, end));
    });
  }

  async #press(tx: Tx, actor: Actor, { citizen, at, source, action }: Press): Promise<repo.PanicRow> {
    const { clock, duty, jobs, store, follow } = this.#deps;
    // Presses of one person take turns, so that each counts the other.
    const present = (await duty.held(tx, [citizen.id])).get(citizen.id);
    if (present === undefined) throw new AppError(panicErrors.notOnDuty);
    const now = clock.now();
    const before = await repo.ofPerson(tx, citizen.id, now - placeForMs);
    const place = this.#spot(citizen.id, at);
    const active = before.find(({ state, place_until: until }) => state === "active" && until > now);
    if (active !== undefined)
      return now - active.last_pressed_at < samePressMs ? active : await store.again(tx, actor, active, action, place);
    requireWithinLimits(
      before.map(({ pressed_at: pressed }) => pressed),
      now,
    );
    const to = (await repo.rulesOf(tx, present.job))?.to_job ?? null;
    const live = new Set((await jobs.list(tx)).map(({ name }) => name));
    const alarmed = jobsAlarmed(present.job, to).filter((job) => live.has(job));
    // Nobody is left to alarm where the job was removed.
    if (alarmed.length === 0) throw new AppError(panicErrors.notOnDuty);
    const { people, everybody } = await follow.audience(tx, alarmed, citizen.id);
    const panic = { citizen, job: present.job, jobs: alarmed, everybody, place, source, action };
    const row = await store.raise(tx, actor, panic);
    await follow.announce(tx, row, people);
    return row;
  }

  #spot(citizenId: number, at: Press["at"]): Spot | null {
    const { clock, positions, postals } = this.#deps;
    const known = at === null ? positions.place(citizenId) : { ...at, at: clock.now() };
    if (known === null) return null;
    return { x: known.x, y: known.y, postal: postals.nearest(known.x, known.y)?.code ?? null, at: known.at };
  }

  async #cancel(tx: Tx, actor: Actor, row: repo.PanicRow, action: string): Promise<repo.PanicRow> {
    const state = movedTo(row.state, "cancel", row.call_id);
    if (!mayStillCancel(row.pressed_at, this.#deps.clock.now()))
      throw new AppError(panicErrors.tooLate, { params: { seconds: cancelWithinMs / 1000 } });
    return await this.#deps.store.end(tx, actor, row, { state: state as "cancelled", note: null, action });
  }

  async #seen(tx: Tx, viewer: Viewer, id: number) {
    const row = await repo.find(tx, id);
    const alarms = row === null ? [] : ((await repo.alarmsOf(tx, [id])).get(id) ?? []);
    if (row === null) throw new AppError(panicErrors.notFound);
    const isSeen = await this.#deps.shown.isSeen(tx, viewer, row);
    if (!isSeen && !mayEnd(viewer, standingOf(row, alarms))) throw new AppError(panicErrors.notFound);
    return { row, alarms, isSeen };
  }
}

async function named(tx: Tx, identifier: string): Promise<Press["citizen"]> {
  const person = (await citizenNames(tx, [identifier])).get(identifier);
  if (person === undefined) throw new AppError(panicErrors.citizenNotFound);
  return { id: person.id, name: person.name };
}
