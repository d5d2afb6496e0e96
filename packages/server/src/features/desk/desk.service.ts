import type { Actor, Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Outbox, Tasks, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { jobsDispatchingWith } from "#features/calls/calls.reads.ts";
import { callsPermissions } from "#features/calls/calls.contract.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { DeskApi, SignedOn } from "./desk.api.ts";
import {
  closedForMs,
  closeWindow,
  deskChanged,
  deskErrors,
  deskPermissions,
  type Dispatchers,
  endWindows,
  hiddenLeaseMs,
  leaseMs,
  mostWindows,
  signOff,
  signOn,
} from "./desk.contract.ts";
import * as repo from "./desk.repo.ts";

export interface DeskDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly tasks: Pick<Tasks, "enqueue" | "cancel">;
  readonly audit: AuditApi;
  readonly duty: Pick<DutyApi, "of">;
  readonly jobs: Pick<JobsApi, "labels">;
}

interface Found {
  readonly job: string;
  readonly person: SignedOn;
  /** May dispatch calls, and does not only look on. */
  readonly dispatches: boolean;
}

const endedAction = "desk.ended";
const ended: Actor = { kind: "system", name: endedAction };

/** Who is signed on as a dispatcher: those who have a desk open. */
export class DeskService {
  readonly #deps: DeskDeps;

  constructor(deps: DeskDeps) {
    this.#deps = deps;
  }

  readonly api: DeskApi = {
    dispatchersOf: async (tx, job) =>
      (await this.#signedOn(tx, [job])).flatMap(({ person, dispatches }) => (dispatches ? [person] : [])),
  };

  async list(viewer: Viewer): Promise<Dispatchers> {
    const { db, clock, jobs } = this.#deps;
    return await db.read("desk.dispatchers", async (tx) => {
      const { job, characterId } = viewer;
      // Who sees no calls does not learn with whom the job works them.
      const others = viewer.rights.has(callsPermissions.view.id) ? await jobsDispatchingWith(tx, viewer, clock.now()) : [];
      const found = await this.#signedOn(tx, [job, ...others]);
      const names = await namesOfCitizens(tx, [...new Set(found.map(({ person }) => person.citizenId))]);
      const labels = await jobs.labels(tx);
      const items = found.flatMap(({ job: name, person: { citizenId: id, since } }) => {
        const called = names.get(id);
        return called === undefined ? [] : [{ id, name: called, job: { name, label: labels.label(name) }, since }];
      });
      const rank = (one: { readonly job: { readonly name: string } }) =>
        one.job.name === job ? -1 : others.indexOf(one.job.name);
      return {
        items: items.toSorted((a, b) => rank(a) - rank(b)),
        signedOn: found.some(({ person }) => person.citizenId === characterId),
      };
    });
  }

  /** A window of the desk opens, or is still open. */
  async signOn(call: CallContext, key: string, isHidden: boolean): Promise<{ until: number }> {
    const { db, clock, duty, jobs } = this.#deps;
    const viewer = call.viewer();
    const { characterId: id, job } = viewer;
    const needsDuty = !viewer.rights.has(deskPermissions.offDuty.id);
    return await db.write(signOn.id, async (tx) => {
      const person = await repo.lockPerson(tx, id);
      if (needsDuty && (await duty.of(tx, [id])).get(id)?.job !== job)
        throw new AppError(deskErrors.notOnDuty, { params: { job: (await jobs.labels(tx)).label(job) } });
      const now = clock.now();
      const until = now + (isHidden ? hiddenLeaseMs : leaseMs);
      const windows = await repo.windowsOf(tx, id);
      const open = windows.filter((one) => one.until > now);
      // A window that was closed a moment ago takes the place of none.
      const counted = open.filter((one) => one.until > now + closedForMs);
      const row = { citizen_id: id, window_key: key, until };
      if (windows.some((one) => one.window_key === key)) await repo.keepWindow(tx, row);
      else if (counted.length >= mostWindows) throw new AppError(deskErrors.tooManyWindows, { params: { most: mostWindows } });
      else await repo.addWindow(tx, row);
      const isNew = person.job !== job || open.length === 0;
      const next: repo.PersonRow = {
        ...{ citizen_id: id, job, since: isNew ? now : person.since, needs_duty: needsDuty ? 1 : 0 },
        dispatches: viewer.rights.has(callsPermissions.dispatch.id) ? 1 : 0,
      };
      const isOther = next.needs_duty !== person.needs_duty || next.dispatches !== person.dispatches;
      if (isNew || isOther) await repo.savePerson(tx, next);
      if (!isNew) return { until };
      await this.#plan(tx, id, until);
      await this.#record(tx, call.actor, signOn.id, { id, name: viewer.characterName }, job);
      await this.#changed(tx, [job, ...(person.job === "" ? [] : [person.job])]);
      return { until };
    });
  }

  /** A window was closed, perhaps to load the page again: its person stays signed on for a moment. */
  async close(call: CallContext, key: string): Promise<void> {
    const { characterId: id } = call.viewer();
    await this.#deps.db.write(closeWindow.id, async (tx) => {
      await repo.lockPerson(tx, id);
      const now = this.#deps.clock.now();
      await repo.endWindowSoon(tx, { citizen_id: id, window_key: key, until: now + closedForMs });
      const [last] = (await repo.windowsOf(tx, id)).filter(({ until }) => until > now);
      if (last !== undefined) await this.#plan(tx, id, last.until);
    });
  }

  /** Somebody signs off in a window. One that is not known has ended before. */
  async signOff(call: CallContext, key: string): Promise<void> {
    const { characterId: id, characterName: name } = call.viewer();
    await this.#deps.db.write(signOff.id, async (tx) => {
      const person = await repo.lockPerson(tx, id);
      await repo.removeWindows(tx, id, [key]);
      const left = (await repo.windowsOf(tx, id)).filter(({ until }) => until > this.#deps.clock.now());
      if (left.length === 0) await this.#end(tx, call.actor, signOff.id, person, name);
    });
  }

  /** Windows that said nothing for too long have ended; the next look is when the last one may have. */
  async endWindows(tx: Tx, citizenId: number): Promise<void> {
    const person = await repo.heldPerson(tx, citizenId);
    if (person === null) return;
    const now = this.#deps.clock.now();
    const windows = await repo.windowsOf(tx, citizenId);
    const over = windows.filter(({ until }) => until <= now);
    await repo.removeWindows(
      tx,
      citizenId,
      over.map(({ window_key: key }) => key),
    );
    const [last] = windows.filter(({ until }) => until > now);
    if (last !== undefined) await this.#plan(tx, citizenId, last.until);
    else await this.#end(tx, ended, endedAction, person, null);
  }

  /** Who dispatches by their duty is signed off with it. */
  async dutyEnded(tx: Tx, citizenIds: readonly number[]): Promise<void> {
    const ids = await repo.byDuty(tx, citizenIds);
    const present = await this.#deps.duty.of(tx, ids);
    for (const id of ids) {
      const person = await repo.heldPerson(tx, id);
      if (person === null || person.job === "" || present.get(id)?.job === person.job) continue;
      const windows = await repo.windowsOf(tx, id);
      await repo.removeWindows(
        tx,
        id,
        windows.map(({ window_key: key }) => key),
      );
      await this.#end(tx, ended, endedAction, person, null);
    }
  }

  async purgeCitizens(tx: Tx, citizenIds: readonly number[]): Promise<void> {
    await repo.removePeople(tx, citizenIds);
    for (const id of citizenIds) await this.#deps.tasks.cancel(tx, endWindows, String(id));
  }

  async #signedOn(tx: Tx, jobs: readonly string[]): Promise<Found[]> {
    const { clock, duty } = this.#deps;
    const rows = await repo.signedOn(tx, jobs, clock.now());
    const onDuty = await duty.of(
      tx,
      rows.filter(({ needs_duty: needs }) => needs === 1).map(({ citizen_id: id }) => id),
    );
    return rows
      .filter(({ citizen_id: id, job, needs_duty: needs }) => needs === 0 || onDuty.get(id)?.job === job)
      .map(({ citizen_id: citizenId, job, since, dispatches }) => ({
        ...{ job, person: { citizenId, since }, dispatches: dispatches === 1 },
      }));
  }

  async #end(tx: Tx, actor: Actor, action: string, person: repo.PersonRow, name: string | null): Promise<void> {
    const { citizen_id: id, job } = person;
    await this.#deps.tasks.cancel(tx, endWindows, String(id));
    if (job === "") return;
    await repo.savePerson(tx, { ...person, job: "" });
    const called = name ?? (await namesOfCitizens(tx, [id])).get(id);
    await this.#record(tx, actor, action, { id, ...(called === undefined ? {} : { name: called }) }, job);
    await this.#changed(tx, [job]);
  }

  async #plan(tx: Tx, citizenId: number, at: number): Promise<void> {
    await this.#deps.tasks.enqueue(tx, endWindows, { payload: { citizenId }, key: String(citizenId), dueAt: at });
  }

  async #record(tx: Tx, actor: Actor, action: string, citizen: { readonly id: number; readonly name?: string }, job: string) {
    await this.#deps.audit.record(tx, actor, { action, object: { kind: "citizen", ...citizen }, info: { job } });
  }

  async #changed(tx: Tx, jobs: readonly string[]): Promise<void> {
    const { outbox, clock } = this.#deps;
    await outbox.emit(tx, deskChanged, { key: "desk", version: clock.now(), payload: { jobs: [...new Set(jobs)] } });
  }
}
