import type { Viewer } from "#core/actor.ts";
import type { Clock, Tx } from "#core/ports/index.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { Answer, Call, CallDetail, Check } from "./calls.base.contract.ts";
import type { CallState } from "./calls.machine.ts";
import { type CallLevel, callerReads, type CallRole, levelOf, movesOf, rolesOf } from "./calls.policy.ts";
import * as repo from "./calls.repo.ts";
import type { Static } from "typebox";
import * as types from "./calls.types.repo.ts";

export interface ShownDeps {
  readonly clock: Clock;
  readonly jobs: Pick<JobsApi, "labels">;
}

/** What a viewer is to a call. */
export interface CallStandingOf {
  /** Null for a caller who is not of its jobs. */
  readonly level: CallLevel | null;
  readonly roles: readonly CallRole[];
}

type Lines<T> = { readonly lines: T[] };

/** Units have no calls yet, so that nobody has accepted one. */
export const standing = (row: repo.CallRow) => ({ ...row, accepted: false });

const isOwn = ({ characterId }: Viewer, callers: readonly repo.CallerRow[]) =>
  callers.some(({ citizen_id: citizen, anonymous }) => citizen === characterId && anonymous === 0);

/** Calls as a viewer sees them. */
export class ShownCalls {
  readonly #deps: ShownDeps;

  constructor(deps: ShownDeps) {
    this.#deps = deps;
  }

  seeing({ job, grade }: Viewer): repo.Seeing {
    return { job, grade, now: this.#deps.clock.now() };
  }

  /** Null for a call that the viewer sees neither by the job nor as a caller. */
  async standingOf(tx: Tx, viewer: Viewer, id: number): Promise<CallStandingOf | null> {
    const jobs = (await repo.jobsOf(tx, [id])).get(id) ?? [];
    const callers = (await repo.callersOf(tx, [id])).get(id) ?? [];
    const level = levelOf(viewer, jobs, this.#deps.clock.now());
    const own = isOwn(viewer, callers);
    return level === null && !own ? null : { level, roles: rolesOf(viewer, level, own) };
  }

  async rows(tx: Tx, viewer: Viewer, rows: readonly repo.CallRow[]): Promise<Call[]> {
    if (rows.length === 0) return [];
    const now = this.#deps.clock.now();
    const ids = rows.map(({ id }) => id);
    const jobs = await repo.jobsOf(tx, ids);
    const callers = await repo.callersOf(tx, ids);
    const labels = await this.#deps.jobs.labels(tx);
    const kinds = await types.typesById(tx, [...new Set(rows.flatMap(({ type_id: type }) => type ?? []))]);
    return rows.map((row) => {
      const offered = jobs.get(row.id) ?? [];
      const level = levelOf(viewer, offered, now);
      const type = row.type_id === null ? undefined : kinds.get(row.type_id);
      return {
        id: row.id,
        version: row.version,
        state: row.state as CallState,
        type: type === undefined ? null : { id: type.id, code: type.code, name: type.name, colour: type.colour, icon: type.icon },
        message: row.message,
        priority: row.priority,
        place: row.x === null || row.y === null ? null : { x: row.x, y: row.y },
        postal: row.postal,
        jobs: offered.map(({ job }) => ({ name: job, label: labels.label(job) })),
        createdAt: row.created_at,
        waitingSince: row.waiting_since,
        ended: row.ended_at === null ? null : { at: row.ended_at, by: row.ended_by, text: row.ended_text },
        archived: row.archived_at !== null,
        may: movesOf(rolesOf(viewer, level, isOwn(viewer, callers.get(row.id) ?? [])), standing(row), now),
      };
    });
  }

  /** With callers and timeline; a caller reads what happened, and of callers only the own call. */
  async detail(tx: Tx, viewer: Viewer, row: repo.CallRow, { level }: CallStandingOf): Promise<CallDetail> {
    const [call] = await this.rows(tx, viewer, [row]);
    const callers = (await repo.callersOf(tx, [row.id])).get(row.id) ?? [];
    const entries = await repo.entriesOf(tx, row.id, level === null ? null : viewer.job);
    const shown = callers.filter((one) => level !== null || (one.citizen_id === viewer.characterId && one.anonymous === 0));
    const read = entries.filter(({ kind }) => level !== null || callerReads.has(kind));
    const named = [...shown.filter(({ anonymous }) => anonymous === 0), ...read].flatMap(({ citizen_id: id }) => id ?? []);
    const names = await namesOfCitizens(tx, [...new Set(named)]);
    const person = (id: number | null) => (id !== null && names.has(id) ? { id, name: names.get(id)! } : null);
    return {
      ...call!,
      callers: shown.map(({ anonymous, citizen_id: citizen, phone, created_at: at }) =>
        anonymous === 1
          ? { anonymous: true, citizen: null, phone: null, at }
          : { anonymous: false, citizen: person(citizen), phone, at },
      ),
      checklist: level === null ? [] : (JSON.parse(row.checklist) as Lines<Static<typeof Check>>).lines,
      answers: level === null ? [] : (JSON.parse(row.answers) as Lines<Static<typeof Answer>>).lines,
      timeline: read.map((entry) => ({
        id: entry.id,
        at: entry.at,
        kind: entry.kind as CallDetail["timeline"][number]["kind"],
        by: entry.by_name,
        text: entry.text,
        job: entry.job,
        citizen: person(entry.citizen_id),
      })),
    };
  }
}
