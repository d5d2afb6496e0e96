import type { Actor } from "#core/actor.ts";
import { guardErrors } from "#core/contract/guard.ts";
import { nextState } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import { addDays, isDay } from "#core/zone.ts";
import { charactersWithJobsById, namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { ConductAttachments } from "./conduct.attachments.service.ts";
import {
  type ConductEntry,
  conductErrors,
  type EntryContent,
  mostDrafts,
  mostEntries,
  returnDays,
} from "./conduct.base.contract.ts";
import { createEntry, putEntry, removeEntry, restoreEntry } from "./conduct.contract.ts";
import { type KindRow, kindsById } from "./conduct.kinds.repo.ts";
import type { KindsService } from "./conduct.kinds.service.ts";
import { entryMachine, type EntryState } from "./conduct.machine.ts";
import { refusalAbout, type Subject } from "./conduct.policy.ts";
import type { ConductRecord } from "./conduct.record.service.ts";
import * as repo from "./conduct.repo.ts";
import type { ShownEntries } from "./conduct.shown.service.ts";

export interface ConductDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly kinds: Pick<KindsService, "lock">;
  readonly attachments: ConductAttachments;
  readonly record: ConductRecord;
  readonly shown: ShownEntries;
}

export interface NewEntry {
  readonly job: string;
  readonly subject: Pick<Subject, "id" | "grade">;
  readonly authorId: number | null;
  readonly kind: KindRow;
  readonly content: Omit<EntryContent, "kindId" | "attachments">;
}

export const auditedOf = (row: repo.EntryRow) => ({ points: row.points, expiresOn: row.expires_on, state: row.state });

/** The longest time until an entry expires. Days. */
const mostDaysAhead = 1825;

/** Throws unless the day is later than today, and not too far. */
export function requireLater(day: string | null, today: string): void {
  if (day === null) return;
  if (day <= today) throw new AppError(conductErrors.expiresTooEarly, { params: { day: addDays(today, 1) } });
  const last = addDays(today, mostDaysAhead);
  if (day > last) throw new AppError(conductErrors.expiresTooLate, { params: { day: last, most: mostDaysAhead } });
}

/** Throws for an entry about somebody who left the job since: also one who came back too late does not read it. */
export function requirePresent({ left_at: leftAt }: Pick<repo.EntryRow, "left_at">): void {
  if (leftAt !== null) throw new AppError(conductErrors.rests, { params: { days: returnDays } });
}

/** A kind of the job that is not deleted. */
export async function liveKind(tx: Tx, job: string, id: number): Promise<KindRow> {
  const row = (await kindsById(tx, [id])).get(id);
  if (row === undefined || row.job !== job || row.deleted_at !== null) throw new AppError(conductErrors.kindNotFound);
  return row;
}

/** Somebody who is in the job now. */
export async function colleague(tx: Tx, job: string, id: number): Promise<Subject> {
  const person = (await charactersWithJobsById(tx, [id])).get(id);
  const held = person?.jobs.find((one) => one.job === job);
  if (person === undefined || held === undefined) throw new AppError(conductErrors.notColleague);
  const name = (await namesOfCitizens(tx, [id])).get(id) ?? `CIT-${id}`;
  return { id, grade: held.grade, name, licence: person.licence };
}

/** Writes, changes and deletes drafts. */
export class ConductService {
  readonly #deps: ConductDeps;

  constructor(deps: ConductDeps) {
    this.#deps = deps;
  }

  async create(call: CallContext, sent: EntryContent & { citizenId: number }): Promise<ConductEntry> {
    const { db, kinds, attachments, shown } = this.#deps;
    const viewer = call.viewer();
    requireDay(sent.expiresOn);
    return await db.write(createEntry.id, async (tx) => {
      await kinds.lock(tx, viewer.job);
      const subject = await colleague(tx, viewer.job, sent.citizenId);
      const refused = refusalAbout(await shown.writer(tx, viewer), subject);
      if (refused !== null) throw refused;
      const kind = await liveKind(tx, viewer.job, sent.kindId);
      requireLater(sent.expiresOn, shown.today());
      await requireRoom(tx, viewer.job, viewer.characterId, subject.id);
      const row = await this.store(tx, call.actor, {
        job: viewer.job,
        subject,
        authorId: viewer.characterId,
        kind,
        content: sent,
      });
      await attachments.put(tx, viewer, row.id, sent.attachments ?? []);
      return await shown.one(tx, viewer, row.id);
    });
  }

  /** A draft that nothing speaks against. */
  async store(tx: Tx, actor: Actor, { job, subject, authorId, kind, content }: NewEntry): Promise<repo.EntryRow> {
    const { record } = this.#deps;
    const now = this.#deps.clock.now();
    const id = await repo.insert(tx, {
      job,
      citizen_id: subject.id,
      citizen_grade: subject.grade,
      author_id: authorId,
      ...this.#columns(kind, content),
      state: entryMachine.initial,
      version: 1,
      created_at: now,
      updated_at: now,
    });
    const row = (await repo.find(tx, id))!;
    await record.audit(tx, actor, createEntry.id, row);
    await record.changed(tx, row, false);
    return row;
  }

  async put(call: CallContext, id: number, { version, ...sent }: EntryContent & { version: number }): Promise<ConductEntry> {
    const { db, clock, kinds, attachments, record, shown } = this.#deps;
    requireDay(sent.expiresOn);
    const viewer = call.viewer();
    return await db.write(putEntry.id, async (tx) => {
      await kinds.lock(tx, viewer.job);
      const row = await shown.writable(tx, viewer, id);
      if (row.version !== version) throw await shown.stale(tx, viewer, row);
      requireDraft(row);
      requirePresent(row);
      const { grade } = await colleague(tx, row.job, row.citizen_id);
      const kind = await liveKind(tx, row.job, sent.kindId);
      requireLater(sent.expiresOn, shown.today());
      const columns = { ...this.#columns(kind, sent), citizen_grade: grade };
      await repo.update(tx, id, { ...columns, version: version + 1, updated_at: clock.now() });
      if (sent.attachments !== undefined) await attachments.put(tx, viewer, id, sent.attachments);
      await record.audit(tx, call.actor, putEntry.id, row);
      await record.changed(tx, row, false);
      return await shown.one(tx, viewer, id);
    });
  }

  async remove(call: CallContext, id: number): Promise<void> {
    const { db, clock, kinds, record, shown } = this.#deps;
    const viewer = call.viewer();
    await db.write(removeEntry.id, async (tx) => {
      await kinds.lock(tx, viewer.job);
      const row = await shown.writable(tx, viewer, id);
      requireDraft(row);
      await repo.update(tx, id, { deleted_at: clock.now(), deleted_by: viewer.characterId, version: row.version + 1 });
      await record.audit(tx, call.actor, removeEntry.id, row);
      await record.changed(tx, row, false);
    });
  }

  /** By those who might delete it. */
  async restore(call: CallContext, id: number): Promise<ConductEntry> {
    const { db, clock, kinds, record, shown } = this.#deps;
    const viewer = call.viewer();
    return await db.write(restoreEntry.id, async (tx) => {
      await kinds.lock(tx, viewer.job);
      const row = await shown.deleted(tx, viewer, id);
      await requireRoom(tx, row.job, row.author_id, row.citizen_id);
      const back = { deleted_at: null, deleted_by: null, version: row.version + 1, updated_at: clock.now() };
      await repo.update(tx, id, back);
      await record.audit(tx, call.actor, restoreEntry.id, row);
      await record.changed(tx, row, false);
      return await shown.one(tx, viewer, id);
    });
  }

  #columns(kind: KindRow, { points, text, expiresOn }: NewEntry["content"]) {
    return {
      kind_id: kind.id,
      tone: kind.tone,
      wants_ack: kind.acknowledge,
      points,
      body: text.trim(),
      expires_on: expiresOn,
      expires_at: expiresOn === null ? null : this.#deps.shown.zone.startOf(expiresOn),
    };
  }
}

function requireDay(day: string | null): void {
  if (day === null || isDay(day)) return;
  const params = { field: "body.expiresOn", problem: "must be a day that is in the calendar" };
  throw new AppError(guardErrors.invalidInput, { params });
}

function requireDraft({ state }: repo.EntryRow): void {
  if (nextState(entryMachine, state as EntryState, "edit") === null) throw new AppError(conductErrors.notDraft);
}

/** The turn of the job is held. */
async function requireRoom(tx: Tx, job: string, authorId: number | null, citizenId: number): Promise<void> {
  if (authorId !== null && (await repo.countDrafts(tx, job, authorId)) >= mostDrafts)
    throw new AppError(conductErrors.draftsFull, { params: { most: mostDrafts } });
  if ((await repo.countAbout(tx, job, citizenId)) >= mostEntries)
    throw new AppError(conductErrors.entriesFull, { params: { most: mostEntries } });
}
