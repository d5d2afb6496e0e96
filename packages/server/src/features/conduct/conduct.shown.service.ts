import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { Clock, Tx } from "#core/ports/index.ts";
import { Zone } from "#core/zone.ts";
import { charactersWithJobsById, namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { UploadedFile } from "#features/files/files.contract.ts";
import type { JobLabels, JobsApi } from "#features/jobs/jobs.api.ts";
import type { ConductAttachments } from "./conduct.attachments.service.ts";
import { type ConductEntry, conductErrors, type Tone } from "./conduct.base.contract.ts";
import { type KindRow, kindsById } from "./conduct.kinds.repo.ts";
import type { EntryState } from "./conduct.machine.ts";
import { actionsOf, isExpired, mayRead, readerOf, type Reader, refusalOf, type Subject } from "./conduct.policy.ts";
import * as repo from "./conduct.repo.ts";

export interface ShownDeps {
  readonly clock: Clock;
  readonly jobs: Pick<JobsApi, "labels">;
  readonly attachments: ConductAttachments;
  /** Of the DSN's `loc`. */
  readonly zone: string;
}

interface Beside {
  readonly names: ReadonlyMap<number, string>;
  readonly grades: ReadonlyMap<string, number>;
  readonly licences: ReadonlyMap<number, string>;
  readonly kinds: ReadonlyMap<number, KindRow>;
  readonly labels: JobLabels;
  readonly files: ReadonlyMap<number, readonly UploadedFile[]>;
  readonly now: number;
}

const heldKey = (id: number, job: string) => `${id} ${job}`;
const nameOf = (names: ReadonlyMap<number, string>, id: number) => names.get(id) ?? `CIT-${id}`;

/** Entries as a viewer sees them, and the days of `loc`. */
export class ShownEntries {
  readonly #deps: ShownDeps;
  readonly zone: Zone;

  constructor(deps: ShownDeps) {
    this.#deps = deps;
    this.zone = new Zone(deps.zone);
  }

  today(): string {
    return this.zone.dayOf(this.#deps.clock.now());
  }

  reader(viewer: Viewer): Reader {
    return readerOf(viewer, this.#deps.clock.now());
  }

  /** In the order of the rows. */
  async shown(tx: Tx, viewer: Viewer, rows: readonly repo.EntryRow[]): Promise<ConductEntry[]> {
    const { clock, jobs, attachments } = this.#deps;
    const people = [...new Set(rows.map(({ citizen_id }) => citizen_id))];
    const named = rows.flatMap((row) => [row.citizen_id, row.author_id ?? 0, row.withdrawn_by ?? 0]);
    const held = await charactersWithJobsById(tx, [...new Set([...people, viewer.characterId])]);
    const beside: Beside = {
      names: await namesOfCitizens(tx, [...new Set(named)]),
      grades: new Map([...held].flatMap(([id, { jobs: all }]) => all.map(({ job, grade }) => [heldKey(id, job), grade]))),
      licences: new Map([...held].map(([id, { licence }]) => [id, licence])),
      kinds: await kindsById(tx, [...new Set(rows.map(({ kind_id }) => kind_id))]),
      labels: await jobs.labels(tx),
      files: await attachments.of(
        tx,
        viewer,
        rows.map(({ id }) => id),
      ),
      now: clock.now(),
    };
    return rows.map((row) => entryOf(viewer, row, beside));
  }

  async one(tx: Tx, viewer: Viewer, id: number): Promise<ConductEntry> {
    const row = await repo.find(tx, id);
    if (row === null) throw new Error("the entry that was just written does not exist");
    return (await this.shown(tx, viewer, [row]))[0]!;
  }

  /** Throws 404 for an entry that the viewer does not read. */
  async readable(tx: Tx, viewer: Viewer, id: number): Promise<repo.EntryRow> {
    const row = await repo.find(tx, id);
    if (row === null || !mayRead(this.reader(viewer), row)) throw new AppError(conductErrors.notFound);
    return row;
  }

  /** A deleted draft that the viewer might delete. */
  async deleted(tx: Tx, viewer: Viewer, id: number): Promise<repo.EntryRow> {
    const row = await repo.find(tx, id);
    if (row === null || row.deleted_at === null || !mayRead(this.reader(viewer), { ...row, deleted_at: null }))
      throw new AppError(conductErrors.notFound);
    await this.requireWrite(tx, viewer, row);
    return row;
  }

  /** Also throws 403 for one that the viewer reads and may not change. */
  async writable(tx: Tx, viewer: Viewer, id: number): Promise<repo.EntryRow> {
    const row = await this.readable(tx, viewer, id);
    await this.requireWrite(tx, viewer, row);
    return row;
  }

  async requireWrite(tx: Tx, viewer: Viewer, row: repo.EntryRow): Promise<void> {
    const refused = refusalOf(await this.writer(tx, viewer), row, await this.#subject(tx, row));
    if (refused !== null) throw refused;
  }

  /** With the licence, by which other characters of the same account are known. */
  async writer(tx: Tx, viewer: Viewer) {
    const own = (await charactersWithJobsById(tx, [viewer.characterId])).get(viewer.characterId);
    return { ...viewer, licence: own?.licence ?? "" };
  }

  async stale(tx: Tx, viewer: Viewer, { id }: repo.EntryRow): Promise<AppError> {
    return new AppError(conductErrors.stale, { extra: { current: await this.one(tx, viewer, id) } });
  }

  /** With the present grade, or the last one that is known of somebody who left. */
  async #subject(tx: Tx, { citizen_id: id, citizen_grade: last, job }: repo.EntryRow): Promise<Subject> {
    const person = (await charactersWithJobsById(tx, [id])).get(id);
    const held = person?.jobs.find((one) => one.job === job);
    const name = nameOf(await namesOfCitizens(tx, [id]), id);
    return { id, grade: held?.grade ?? last, name, licence: person?.licence ?? "" };
  }
}

function entryOf(
  viewer: Viewer,
  row: repo.EntryRow,
  { names, grades, licences, kinds, labels, files, now }: Beside,
): ConductEntry {
  const kind = kinds.get(row.kind_id);
  const personOf = (id: number) => ({ id, name: nameOf(names, id) });
  const grade = grades.get(heldKey(row.citizen_id, row.job)) ?? row.citizen_grade;
  const citizen = personOf(row.citizen_id);
  const licenceOf = (id: number) => licences.get(id) ?? "";
  return {
    id: row.id,
    version: row.version,
    citizen: { ...citizen, job: labels.badge(row.job, grade) },
    author: row.author_id === null ? null : personOf(row.author_id),
    kind: { id: row.kind_id, name: kind?.name ?? "", colour: kind?.colour ?? "#64748b" },
    tone: row.tone as Tone,
    points: row.points,
    text: row.body,
    expiresOn: row.expires_on,
    expired: isExpired(row, now),
    state: row.state as EntryState,
    createdAt: row.created_at,
    releasedAt: row.released_at,
    withdrawn:
      row.withdrawn_at === null
        ? null
        : {
            at: row.withdrawn_at,
            by: row.withdrawn_by === null ? null : nameOf(names, row.withdrawn_by),
            reason: row.withdrawn_reason ?? "",
          },
    acknowledge: row.wants_ack === 1,
    acknowledgedAt: row.acknowledged_at,
    reply: row.replied_at === null ? null : { at: row.replied_at, text: row.reply ?? "" },
    left: row.left_at !== null,
    attachments: [...(files.get(row.id) ?? [])],
    may: actionsOf({ ...viewer, licence: licenceOf(viewer.characterId) }, row, {
      ...citizen,
      grade,
      licence: licenceOf(citizen.id),
    }),
  };
}
