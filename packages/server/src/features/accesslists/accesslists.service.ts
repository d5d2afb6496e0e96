import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { Database, Tx } from "#core/ports/index.ts";
import type { CitizensApi } from "#features/citizens/citizens.api.ts";
import { countInJob, namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { AccesslistsApi, AccessLists, ObjectKind } from "./accesslists.api.ts";
import { type AccessEntry, accesslistsErrors } from "./accesslists.contract.ts";
import {
  decide,
  type Decision,
  type Entry,
  keepRequired,
  levelName,
  levelNumber,
  parseEntries,
  type Rules,
  subjectOf,
  viewLevel,
  writeEntry,
} from "./accesslists.policy.ts";
import * as repo from "./accesslists.repo.ts";

const mostCounted = 1000;
const mostGrantors = 5;

export interface AccesslistsDeps {
  readonly db: Database;
  readonly citizens: CitizensApi;
  readonly jobs: JobsApi;
}

export function createAccesslistsService(deps: AccesslistsDeps) {
  const kinds = new Map<string, ObjectKind>();

  async function labelled(tx: Tx, levels: readonly string[], entries: readonly Entry[]) {
    const labels = await deps.jobs.labels(tx);
    const names = await namesOfCitizens(
      tx,
      entries.filter(({ subject }) => subject === "citizen").map(({ id }) => id),
    );
    const labelOf = (entry: Entry): string => {
      if (entry.subject === "job") {
        const badge = labels.badge(entry.job, entry.minGrade);
        return `${badge.label} · ${badge.gradeLabel}`;
      }
      return entry.subject === "citizen" ? (names.get(entry.id) ?? `CIT-${entry.id}`) : String(entry.id);
    };
    return entries.map((entry) => ({ ...writeEntry(levels, entry), label: labelOf(entry) }));
  }

  /** Who holds the highest level: they can change the list. */
  async function grantorsOf(tx: Tx, levels: readonly string[], entries: readonly Entry[], rules: Rules): Promise<string[]> {
    const editors = entries.filter(({ level }) => level === levels.length).slice(0, mostGrantors);
    const names = (await labelled(tx, levels, editors)).map(({ label }) => label);
    if (rules.creatorId === null) return names;
    const creator = await deps.citizens.character(tx, rules.creatorId);
    return creator?.job.name === rules.creatorJob ? [`${creator.firstName} ${creator.lastName}`.trim(), ...names] : names;
  }

  async function checkSubjects(tx: Tx, entries: readonly Entry[]): Promise<Entry[]> {
    if (entries.some(({ subject }) => subject === "qualification")) throw new AppError(accesslistsErrors.qualificationsMissing);
    const people = entries.filter(({ subject }) => subject === "citizen").map(({ id }) => id);
    const names = await namesOfCitizens(tx, people);
    const gone = people.find((id) => !names.has(id));
    if (gone !== undefined) throw new AppError(accesslistsErrors.citizenUnknown, { params: { citizen: `CIT-${gone}` } });
    const checked: Entry[] = [];
    for (const entry of entries) {
      if (entry.subject !== "job") checked.push(entry);
      else {
        const job = await deps.jobs.job(tx, entry.job);
        if (!job) throw new AppError(accesslistsErrors.jobUnknown, { params: { job: entry.job } });
        const top = job.grades.at(-1)?.grade ?? entry.minGrade;
        checked.push({ ...entry, minGrade: Math.min(entry.minGrade, top) });
      }
    }
    return checked;
  }

  function listsOf(kind: ObjectKind): AccessLists {
    const { levels } = kind;
    const top = levels.length;
    const entriesOf = async (tx: Tx, id: number) => (await repo.readEntries(tx, kind.kind, [id])).get(id) ?? [];

    return {
      levels,
      entries: entriesOf,
      list: async (tx, id) => (await entriesOf(tx, id)).map((entry) => writeEntry(levels, entry)),
      decide: async (tx, viewer, id, rules) => decide(await entriesOf(tx, id), rules, subjectOf(viewer), top),
      async decideMany(tx, viewer, objects) {
        const entries = await repo.readEntries(
          tx,
          kind.kind,
          objects.map(({ id }) => id),
        );
        const who = subjectOf(viewer);
        return new Map(objects.map(({ id, rules }) => [id, decide(entries.get(id) ?? [], rules, who, top)]));
      },
      async save(tx, viewer, id, given, rules) {
        const before = await entriesOf(tx, id);
        const who = subjectOf(viewer);
        const own: Entry = { subject: "job", job: who.job, minGrade: who.grade, id: 0, level: top, required: 0 };
        const wanted = given.length === 0 && !rules.public ? [own] : parseEntries(levels, given);
        const checked = keepRequired(levels, before, await checkSubjects(tx, wanted));
        // Lowering grades may have made two entries equal.
        const entries = parseEntries(
          levels,
          checked.map((entry) => writeEntry(levels, entry)),
        );
        if (decide(entries, rules, who, top).level < top)
          throw new AppError(accesslistsErrors.locksYouOut, { params: { level: levelName(levels, top) } });
        await repo.replaceEntries(tx, kind.kind, id, entries);
        return entries;
      },
      forget: async (tx, ids) => await repo.deleteEntries(tx, kind.kind, ids),
      async need(tx, decision, id, level) {
        if (decision.level >= levelNumber(levels, level)) return;
        const rules = await kind.rules(tx, id);
        const grantors = rules ? await grantorsOf(tx, levels, await entriesOf(tx, id), rules) : [];
        throw new AppError(accesslistsErrors.levelMissing, { params: { level, grantors: grantors.join(", ") } });
      },
    };
  }

  const api: AccesslistsApi = {
    register(kind) {
      kinds.set(kind.kind, kind);
      return listsOf(kind);
    },
  };

  interface Seen {
    readonly kind: ObjectKind;
    readonly rules: Rules;
    readonly entries: readonly Entry[];
    readonly decision: Decision;
  }

  /** An object that the viewer can see; anything else is not there. */
  async function see(tx: Tx, viewer: Viewer, kindName: string, id: number): Promise<Seen> {
    const kind = kinds.get(kindName);
    const rules = kind ? await kind.rules(tx, id) : null;
    if (!kind || !rules) throw new AppError(accesslistsErrors.objectUnknown);
    const entries = (await repo.readEntries(tx, kind.kind, [id])).get(id) ?? [];
    const decision = decide(entries, rules, subjectOf(viewer), kind.levels.length);
    if (decision.level < viewLevel) throw new AppError(accesslistsErrors.objectUnknown);
    return { kind, rules, entries, decision };
  }

  async function needTop(tx: Tx, { kind, rules, entries, decision }: Seen): Promise<void> {
    const { levels } = kind;
    if (decision.level === levels.length) return;
    const grantors = await grantorsOf(tx, levels, entries, rules);
    throw new AppError(accesslistsErrors.levelMissing, {
      params: { level: levelName(levels, levels.length), grantors: grantors.join(", ") },
    });
  }

  async function answer(tx: Tx, { kind, rules, entries }: Seen, decision: Decision) {
    const { levels } = kind;
    const [entry = null] = decision.entry ? await labelled(tx, levels, [decision.entry]) : [];
    return {
      levels: [...levels],
      level: decision.level === 0 ? null : levelName(levels, decision.level),
      reason: { kind: decision.reason, entry },
      grantors: await grantorsOf(tx, levels, entries, rules),
    };
  }

  return {
    api,

    explain: async (viewer: Viewer, kind: string, id: number, citizenId: number | undefined) =>
      await deps.db.read("accesslists.explain", async (tx) => {
        const seen = await see(tx, viewer, kind, id);
        if (citizenId === undefined) return await answer(tx, seen, seen.decision);
        await needTop(tx, seen);
        const other = await deps.citizens.character(tx, citizenId);
        if (!other) throw new AppError(accesslistsErrors.citizenUnknown, { params: { citizen: `CIT-${citizenId}` } });
        const who = {
          characterId: other.id,
          job: other.job.name,
          grade: other.job.grade,
          qualifications: [],
          jobAdmin: false,
        };
        return await answer(tx, seen, decide(seen.entries, seen.rules, who, seen.kind.levels.length));
      }),

    audience: async (viewer: Viewer, kindName: string, id: number) =>
      await deps.db.read("accesslists.audience", async (tx) => {
        const seen = await see(tx, viewer, kindName, id);
        await needTop(tx, seen);
        const { kind, rules, entries } = seen;
        const people = async (entry: AccessEntry): Promise<number> =>
          entry.subject === "job" ? await countInJob(tx, entry.job, entry.minGrade, mostCounted) : 1;
        const shown = [];
        for (const entry of await labelled(tx, kind.levels, entries)) shown.push({ ...entry, people: await people(entry) });
        const creator = rules.creatorId === null ? null : await deps.citizens.character(tx, rules.creatorId);
        const labels = await deps.jobs.labels(tx);
        return {
          levels: [...kind.levels],
          public: rules.public,
          creator: creator && {
            id: creator.id,
            name: `${creator.firstName} ${creator.lastName}`.trim(),
            job: labels.label(rules.creatorJob),
            stillInJob: creator.job.name === rules.creatorJob,
          },
          entries: shown,
        };
      }),
  };
}

export type AccesslistsService = ReturnType<typeof createAccesslistsService>;
