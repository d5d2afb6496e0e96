import type { Viewer } from "#core/actor.ts";
import type { Clock, Tx } from "#core/ports/index.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { DutyApi } from "#features/duty/duty.api.ts";
import type { JobLabels, JobsApi } from "#features/jobs/jobs.api.ts";
import {
  type Answer,
  type Call,
  type CallDetail,
  type CallKind,
  callsPermissions,
  type Check,
  mostAlerts,
  mostLinks,
  unitMoves,
  workMoves,
} from "./calls.base.contract.ts";
import { alertsOf, saidBy } from "./calls.fold.repo.ts";
import type { CallState } from "./calls.machine.ts";
import { noWork, type WorkOfCalls } from "./calls.work.service.ts";
import type { CallStandingOf, WorkOnCall } from "./calls.api.ts";
import type { DeskOfCalls } from "./calls.desk.service.ts";
import { askedOf, type HandOverRow } from "./calls.handover.repo.ts";
import { linksOf } from "./calls.links.repo.ts";
import { partsOf } from "./calls.merge.repo.ts";
import {
  type CallLevel,
  callerReads,
  contentOf,
  type CallRole,
  levelOf,
  levelOfCrew,
  movesOf,
  pointOf,
  rolesOf,
  withAllJobs,
} from "./calls.policy.ts";
import { entriesOf } from "./calls.entries.repo.ts";
import * as repo from "./calls.repo.ts";
import type { Static } from "typebox";
import * as types from "./calls.types.repo.ts";

export interface ShownDeps {
  readonly clock: Clock;
  readonly jobs: Pick<JobsApi, "labels">;
  readonly work: WorkOfCalls;
  readonly desk: DeskOfCalls;
  readonly duty: Pick<DutyApi, "of">;
}

/** What a viewer is to a call. */
export interface ShownStanding extends CallStandingOf {
  /** A unit accepted it since it was opened. */
  readonly accepted: boolean;
}

type ShownWork = Pick<WorkOnCall, "units" | "takes">;
type Lines<T> = { readonly lines: T[] };

const isOwn = ({ characterId }: Viewer, callers: readonly repo.CallerRow[]) =>
  callers.some(({ citizen_id: citizen, anonymous }) => citizen === characterId && anonymous === 0);

/** Where others called, too, it is no longer one caller's to cancel. */
const isSole = (viewer: Viewer, callers: readonly repo.CallerRow[]) => callers.length === 1 && isOwn(viewer, callers);

const workedOf = ({ id, state, kind, waiting_since: waitingSince }: repo.CallRow, jobs: readonly repo.CallJobRow[]) => {
  return { id, open: state === "open", kind: kind as CallKind, waitingSince, jobs: jobs.map(({ job }) => job) };
};

/** What the viewer sees of its units, and may do about them. */
function unitsOf({ state }: repo.CallRow, level: CallLevel, roles: readonly CallRole[], { units, takes }: ShownWork) {
  const isOpen = state === "open";
  const dispatches = roles.includes("dispatcher");
  const works = level !== "view";
  return {
    units: units.map(({ memberMay, dispatcherMay, ...unit }) => ({
      ...unit,
      may: unitMoves.filter((move) => (works && memberMay.includes(move)) || (dispatches && dispatcherMay.includes(move))),
    })),
    work: workMoves.filter((move) => isOpen && (move === "offer" ? dispatches : works && takes)),
  };
}

const sumOf = (rows: readonly repo.CallRow[]) => rows.reduce((sum, { alerts }) => sum + alerts, 0);
const lastAlert = ({ last_alert_at: last, created_at: first }: repo.CallRow) => last || first;

function handOverOf(row: HandOverRow | undefined, labels: JobLabels): Call["handOver"] {
  if (row === undefined) return null;
  const { from_job: from, to_job: to, asked_at: at, asked_name: by, unanswered } = row;
  const job = (name: string) => ({ name, label: labels.label(name) });
  return { from: job(from), to: job(to), at, by, unanswered: unanswered === 1 };
}

/** Calls as a viewer sees them. */
export class ShownCalls {
  readonly #deps: ShownDeps;

  constructor(deps: ShownDeps) {
    this.#deps = deps;
  }

  async seeing(tx: Tx, viewer: Viewer): Promise<repo.Seeing> {
    return { ...this.byJob(viewer), crewOf: await this.#deps.work.ofCrew(tx, viewer) };
  }

  /** By rights alone, for what outlasts an assignment. */
  byJob({ job, grade, rights }: Viewer): repo.Seeing {
    return { job: rights.has(callsPermissions.view.id) ? job : null, grade, now: this.#deps.clock.now(), crewOf: [] };
  }

  /** Null for a call that the viewer sees neither by the job or the unit nor as a caller. */
  async standingOf(tx: Tx, viewer: Viewer, row: repo.CallRow): Promise<ShownStanding | null> {
    const { id } = row;
    const jobs = await repo.jobsOfCall(tx, id);
    const callers = (await repo.callersOf(tx, [id])).get(id) ?? [];
    const { accepted, crew, roles } = (await this.#deps.work.on(tx, viewer, [workedOf(row, jobs)])).get(id) ?? noWork;
    const level = levelOfCrew(levelOf(viewer, jobs, this.#deps.clock.now()), crew);
    const own = isOwn(viewer, callers);
    if (level === null && !own) return null;
    const sole = isSole(viewer, callers) && (await partsOf(tx, [id])).size === 0;
    const receives = await this.#receives(tx, viewer, await askedOf(tx, [id]));
    const all = withAllJobs(rolesOf(viewer, level, sole, roles), viewer, jobs, this.#deps.clock.now());
    return { level, roles: receives(id, level) ? [...all, "receiver"] : all, accepted };
  }

  async rows(tx: Tx, viewer: Viewer, rows: readonly repo.CallRow[]): Promise<Call[]> {
    if (rows.length === 0) return [];
    const now = this.#deps.clock.now();
    const ids = rows.map(({ id }) => id);
    const jobs = await repo.jobsOf(tx, ids);
    const callers = await repo.callersOf(tx, ids);
    const labels = await this.#deps.jobs.labels(tx);
    const kinds = await types.typesById(tx, [...new Set(rows.flatMap(({ type_id: type }) => type ?? []))]);
    const worked = rows.map((row) => workedOf(row, jobs.get(row.id) ?? []));
    const work = await this.#deps.work.on(tx, viewer, worked);
    const levels = new Map(
      ids.map((id) => [id, levelOfCrew(levelOf(viewer, jobs.get(id) ?? [], now), (work.get(id) ?? noWork).crew)]),
    );
    const asCaller = ids.filter((id) => levels.get(id) === null);
    const said = await saidBy(tx, asCaller, viewer.characterId);
    const related = await this.#related(tx, viewer, rows);
    const asked = await askedOf(tx, ids);
    const receives = await this.#receives(tx, viewer, asked);
    return rows.map((row) => {
      const offered = jobs.get(row.id) ?? [];
      const { accepted, crew: _crew, ...standing } = work.get(row.id) ?? noWork;
      const level = levels.get(row.id) ?? null;
      const type = row.type_id === null ? undefined : kinds.get(row.type_id);
      const { parts, isMerged, mergedInto } = related(row, level);
      const sole = isSole(viewer, callers.get(row.id) ?? []) && !isMerged;
      const all = withAllJobs(rolesOf(viewer, level, sole, standing.roles), viewer, offered, now);
      const roles = receives(row.id, level) ? [...all, "receiver" as const] : all;
      return {
        ...contentOf(row, type),
        // Somebody who called reads what they said, and not what others report of the same.
        message: level === null ? (said.get(row.id) ?? "") : row.message,
        // Who called reads nothing of jobs that only look on.
        jobs: offered
          .filter((one) => level !== null || one.level !== "view")
          .map(({ job }) => ({ name: job, label: labels.label(job) })),
        alerts: level === null ? 1 : sumOf([row, ...parts]),
        lastAlertAt: level === null ? row.created_at : Math.max(...[row, ...parts].map(lastAlert)),
        ended: row.ended_at === null ? null : { at: row.ended_at, by: row.ended_by, text: row.ended_text },
        mergedInto,
        handOver: level === null || row.state !== "open" ? null : handOverOf(asked.get(row.id), labels),
        may: movesOf(roles, { ...row, accepted }, now),
        progress: row.state === "open" ? (standing.progress ?? "waiting") : null,
        ...(level === null ? { units: [], work: [] } : unitsOf(row, level, roles, standing)),
      };
    });
  }

  /** With callers and timeline; a caller reads what happened, and of callers only the own call. */
  async detail(tx: Tx, viewer: Viewer, row: repo.CallRow, { level }: CallStandingOf): Promise<CallDetail> {
    const [call] = await this.rows(tx, viewer, [row]);
    const { parts, seen } = (await this.#related(tx, viewer, [row]))(row, level);
    const ids = [row.id, ...parts.map(({ id }) => id)];
    const callers = [...(await repo.callersOf(tx, ids)).values()]
      .flat()
      .toSorted((a, b) => a.created_at - b.created_at || a.id - b.id);
    const entries = await entriesOf(tx, ids, level === null ? null : viewer.job);
    const shown = callers.filter((one) => level !== null || (one.citizen_id === viewer.characterId && one.anonymous === 0));
    const linked = level === null ? [] : (await linksOf(tx, row.id)).map(({ other }) => other);
    const others = await this.#others(tx, viewer, [...entries.flatMap(({ other_id: id }) => id ?? []), ...linked], seen);
    const links = await repo.byIds(tx, linked.filter((id) => others.has(id)).slice(0, mostLinks));
    const read = entries
      .filter(({ kind }) => level !== null || callerReads.has(kind))
      .filter(({ other_id: other }) => other === null || others.has(other))
      // What one part says of another stands in the whole once.
      .filter(({ call_id: of, other_id: other }) => of === row.id || other === null || !ids.includes(other))
      .toSorted((a, b) => a.at - b.at || a.id - b.id);
    const alerts = level === null ? [] : await alertsOf(tx, ids, mostAlerts);
    const byId = new Map(callers.map((one) => [one.id, one]));
    const named = [...shown.filter(({ anonymous }) => anonymous === 0), ...read].flatMap(({ citizen_id: id }) => id ?? []);
    const names = await namesOfCitizens(tx, [...new Set(named)]);
    const person = (id: number | null) => (id !== null && names.has(id) ? { id, name: names.get(id)! } : null);
    return {
      ...call!,
      merged: parts
        .filter(({ merged_into: into }) => into === row.id)
        .map(({ id, version, message, created_at: createdAt }) => ({ id, version, message, createdAt })),
      callers: shown.map(({ anonymous, citizen_id: citizen, phone, created_at: at }) =>
        anonymous === 1
          ? { anonymous: true, citizen: null, phone: null, at }
          : { anonymous: false, citizen: person(citizen), phone, at },
      ),
      reports: alerts.map(({ id, at, message, x, y, caller_id: callerId }) => {
        const caller = callerId === null ? undefined : byId.get(callerId);
        const anonymous = caller?.anonymous === 1;
        const citizen = anonymous ? null : person(caller?.citizen_id ?? null);
        return { id, at, message, place: pointOf({ x, y }), anonymous, citizen };
      }),
      links: links.map(({ id, state, message, created_at: createdAt }) => ({
        id,
        state: state as CallState,
        message,
        createdAt,
      })),
      checklist: level === null ? [] : (JSON.parse(row.checklist) as Lines<Static<typeof Check>>).lines,
      answers: level === null ? [] : (JSON.parse(row.answers) as Lines<Static<typeof Answer>>).lines,
      timeline: read.map((entry) => ({
        id: entry.id,
        callId: entry.call_id,
        at: entry.at,
        kind: entry.kind as CallDetail["timeline"][number]["kind"],
        // Who called first is nothing that a second caller reads.
        by: level === null && entry.kind === "created" && entry.by_id !== viewer.characterId ? null : entry.by_name,
        text: entry.text,
        job: entry.job,
        citizen: person(entry.citizen_id),
        other: entry.other_id,
      })),
    };
  }

  /** What of merged calls the viewer sees, by call. In two statements, or three for somebody in a unit. */
  async #related(tx: Tx, viewer: Viewer, rows: readonly repo.CallRow[]) {
    const parts = await partsOf(
      tx,
      rows.map(({ id }) => id),
    );
    const asked = [
      ...rows.flatMap(({ merged_into: into }) => into ?? []),
      ...[...parts.values()].flat().flatMap(({ id, united }) => (united === 1 ? [] : [id])),
    ];
    const seen = asked.length === 0 ? new Set<number>() : await repo.seenIds(tx, await this.seeing(tx, viewer), asked);
    return ({ id, merged_into: into }: repo.CallRow, level: CallLevel | null) => {
      const all = parts.get(id) ?? [];
      const shown = level === null ? [] : all.filter((part) => part.united === 1 || seen.has(part.id));
      const mergedInto = into !== null && seen.has(into) ? into : null;
      return { parts: shown, isMerged: all.length > 0, mergedInto, seen: new Set([...seen, ...shown.map((part) => part.id)]) };
    };
  }

  /** Whether the viewer may answer for a job that a call is handed over to: a dispatcher of it, or, with none signed on, anybody on duty there. */
  async #receives(tx: Tx, viewer: Viewer, asked: ReadonlyMap<number, HandOverRow>) {
    const { desk, duty } = this.#deps;
    const { job, characterId, rights } = viewer;
    const isAsked = [...asked.values()].some(({ to_job: to }) => to === job);
    let may = isAsked && rights.has(callsPermissions.dispatch.id);
    if (isAsked && !may && (await desk.signedOn(tx, job)).length === 0)
      may = (await duty.of(tx, [characterId])).get(characterId)?.job === job;
    return (id: number, level: CallLevel | null) => may && level !== null && asked.get(id)?.to_job === job;
  }

  /** Of these calls, those that the viewer sees. */
  async #others(tx: Tx, viewer: Viewer, ids: readonly number[], seen: ReadonlySet<number>): Promise<Set<number>> {
    const unknown = [...new Set(ids)].filter((id) => !seen.has(id));
    const more = unknown.length === 0 ? [] : await repo.seenIds(tx, await this.seeing(tx, viewer), unknown);
    return new Set([...seen, ...more]);
  }
}
