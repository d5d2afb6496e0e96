import type { Viewer } from "#core/actor.ts";
import type { Page } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import { readFound } from "#core/found.ts";
import { mostFound, readPage } from "#core/paging.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { Activities, Happened } from "./colleagues.activity.service.ts";
import {
  type ChangedField,
  type ChangedPart,
  type Colleague,
  type ColleagueChange,
  colleagueFields,
  type ColleagueRow,
  colleaguesChanged,
  colleaguesErrors,
  putColleague,
} from "./colleagues.contract.ts";
import type { Asked, ColleaguesFilter, ColleaguesQuery } from "./colleagues.filter.service.ts";
import type { People } from "./colleagues.people.service.ts";
import { changeable, requireChange, sees } from "./colleagues.policy.ts";
import * as repo from "./colleagues.repo.ts";
import { colleaguesList } from "./colleagues.schema.ts";

export interface ColleaguesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly filters: ColleaguesFilter;
  readonly people: People;
  readonly activities: Activities;
}

/** The people of the viewer's job. */
export class ColleaguesService {
  readonly #deps: ColleaguesDeps;

  constructor(deps: ColleaguesDeps) {
    this.#deps = deps;
  }

  async list(viewer: Viewer, query: ColleaguesQuery): Promise<Page<ColleagueRow>> {
    return await this.#deps.db.read("colleagues.list", async (tx) => {
      const asked = await this.#deps.filters.asked(tx, viewer, query);
      return await this.#read(tx, viewer, query, asked, async (cap) => await repo.countRows(tx, asked.filter, cap));
    });
  }

  /** For the export: a page without its total. */
  async exported(tx: Tx, viewer: Viewer, query: ColleaguesQuery): Promise<Page<ColleagueRow>> {
    return await this.#read(tx, viewer, query, await this.#deps.filters.asked(tx, viewer, query), async () => 0);
  }

  /** For the export: how many match, counted up to `cap`. */
  async count(tx: Tx, viewer: Viewer, query: ColleaguesQuery, cap: number): Promise<number> {
    const { filter, found } = await this.#deps.filters.asked(tx, viewer, { ...query, limit: mostFound });
    return await repo.countRows(tx, found ? { ...filter, ids: found.ids } : filter, cap);
  }

  async get(viewer: Viewer, id: number): Promise<Colleague> {
    return await this.#deps.db.read(
      "colleagues.get",
      async (tx) => await this.#whole(tx, viewer, await this.#find(tx, viewer, id)),
    );
  }

  async put(call: CallContext, id: number, change: ColleagueChange): Promise<Colleague> {
    const { db, audit, activities, clock, outbox, people } = this.#deps;
    const viewer = call.viewer();
    return await db.write(putColleague.id, async (tx) => {
      const row = await this.#find(tx, viewer, id);
      const [shown] = await people.shown(tx, viewer, [row]);
      const name = shown?.name ?? "";
      const asked = fieldsOf(change);
      requireChange(viewer, asked.length === 0 ? ["note"] : asked, { id, grade: row.grade, name });
      if (row.version !== change.version)
        throw new AppError(colleaguesErrors.stale, { extra: { current: await this.#whole(tx, viewer, row) } });
      const before = { note: await repo.noteOf(tx, row.id), name_prefix: row.name_prefix, name_suffix: row.name_suffix };
      const after = {
        note: written(change.note, before.note),
        name_prefix: written(change.prefix, before.name_prefix),
        name_suffix: written(change.suffix, before.name_suffix),
      };
      const isNamed = after.name_prefix !== before.name_prefix || after.name_suffix !== before.name_suffix;
      const isNoted = after.note !== before.note;
      if (!isNamed && !isNoted) return await this.#whole(tx, viewer, row);
      await repo.update(tx, row.id, { ...after, version: row.version + 1 });
      const person = { citizenId: id, job: row.job, grade: row.grade };
      const [nameBefore, nameAfter] = [before, after].map((one) => ({ prefix: one.name_prefix, suffix: one.name_suffix }));
      const happened: Happened[] = [
        ...(isNoted ? [{ ...person, kind: "note", before: {}, after: {} } as const] : []),
        ...(isNamed ? [{ ...person, kind: "name", before: nameBefore!, after: nameAfter! } as const] : []),
      ];
      const reason = change.reason.trim();
      await activities.add(tx, happened, { viewer, reason }, clock.now());
      await audit.record(tx, call.actor, {
        action: putColleague.id,
        object: { kind: "citizen", id, name },
        ...(isNamed ? { before: nameBefore!, after: nameAfter! } : {}),
        // Without the text of a note: not everybody who reads the audit log may read notes.
        info: { job: row.job, reason, ...(isNoted ? { note: true } : {}) },
      });
      const about: ChangedPart[] = isNamed ? ["names"] : [];
      await outbox.emit(tx, colleaguesChanged, { key: "colleagues", version: clock.now(), payload: { jobs: [row.job], about } });
      return await this.#whole(tx, viewer, await this.#find(tx, viewer, id));
    });
  }

  async #find(tx: Tx, { job }: Viewer, id: number): Promise<repo.PersonRow> {
    const row = (await repo.peopleOf(tx, job, [id])).get(id);
    if (!row) throw new AppError(colleaguesErrors.notFound);
    return row;
  }

  async #whole(tx: Tx, viewer: Viewer, row: repo.PersonRow): Promise<Colleague> {
    const subject = { id: row.citizen_id, grade: row.grade };
    const [shown] = await this.#deps.people.shown(tx, viewer, [row]);
    const hidden = colleagueFields.filter((field) => !sees(viewer, field, subject));
    const note = hidden.includes("note") ? {} : { note: await repo.noteOf(tx, row.id) };
    return { ...shown!, ...note, hidden, may: changeable(viewer, subject) };
  }

  async #read(
    tx: Tx,
    viewer: Viewer,
    query: ColleaguesQuery,
    { filter, narrowed, found }: Asked,
    count: (cap: number) => Promise<number>,
  ): Promise<Page<ColleagueRow>> {
    const page = found
      ? await readFound(
          colleaguesList,
          query,
          found,
          async (ids, position, limit) => await repo.listRows(tx, { ...filter, ids }, position, limit),
          { isNarrowed: narrowed },
        )
      : await readPage(colleaguesList, query, {
          rows: async (position, limit) => await repo.listRows(tx, filter, position, limit),
          count,
        });
    return { ...page, items: await this.#deps.people.shown(tx, viewer, page.items) };
  }
}

function fieldsOf({ note, prefix, suffix }: ColleagueChange): ChangedField[] {
  return [
    ...(note === undefined ? [] : (["note"] as const)),
    ...(prefix === undefined && suffix === undefined ? [] : (["name"] as const)),
  ];
}

function written(sent: string | null | undefined, stored: string | null): string | null {
  return sent === undefined ? stored : sent?.trim() || null;
}
