import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { Tx } from "#core/ports/index.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { AccessLists, ObjectKind } from "./accesslists.api.ts";
import { type AccessEntry, accesslistsErrors } from "./accesslists.contract.ts";
import type { EntryLabels } from "./accesslists.labels.service.ts";
import {
  checkNamed,
  decide,
  type Decision,
  type Entry,
  grantsOf,
  keepRequired,
  keyOf,
  levelName,
  levelNumber,
  parseEntries,
  type Rules,
  seesName,
  type Subject,
  viewScopeOf,
  writeEntry,
} from "./accesslists.policy.ts";
import type { PrincipalKinds } from "./accesslists.principals.service.ts";
import * as repo from "./accesslists.repo.ts";

export interface ListsDeps {
  readonly jobs: JobsApi;
  readonly labels: EntryLabels;
  readonly principals: PrincipalKinds;
}

/** The access lists of one kind of object, as the feature that owns it uses them. */
export class ObjectAccessLists implements AccessLists {
  readonly levels: readonly string[];
  readonly #kind: ObjectKind;
  readonly #deps: ListsDeps;

  constructor(kind: ObjectKind, deps: ListsDeps) {
    this.levels = kind.levels;
    this.#kind = kind;
    this.#deps = deps;
  }

  readonly subjectOf = (viewer: Viewer): Subject => this.#deps.principals.subjectOf(viewer);

  async entries(tx: Tx, id: number): Promise<Entry[]> {
    return (await repo.readEntries(tx, this.#kind.kind, [id])).get(id) ?? [];
  }

  async list(tx: Tx, id: number): Promise<AccessEntry[]> {
    return (await this.entries(tx, id)).map((entry) => writeEntry(this.levels, entry));
  }

  async decide(tx: Tx, viewer: Viewer, id: number, rules: Rules): Promise<Decision> {
    return decide(await this.entries(tx, id), rules, this.subjectOf(viewer), this.levels.length);
  }

  async decideMany(
    tx: Tx,
    viewer: Viewer,
    objects: readonly { readonly id: number; readonly rules: Rules }[],
  ): Promise<Map<number, Decision>> {
    const ids = objects.map(({ id }) => id);
    const entries = await repo.readEntries(tx, this.#kind.kind, ids);
    const who = this.subjectOf(viewer);
    return new Map(objects.map(({ id, rules }) => [id, decide(entries.get(id) ?? [], rules, who, this.levels.length)]));
  }

  async save(tx: Tx, viewer: Viewer, id: number, given: readonly AccessEntry[], rules: Rules): Promise<Entry[]> {
    const { levels } = this;
    const top = levels.length;
    const before = await this.entries(tx, id);
    const who = this.subjectOf(viewer);
    const own: Entry = { subject: "job", job: who.job, minGrade: who.grade, id: 0, level: top, required: 0 };
    const wanted = given.length === 0 && !rules.public ? [own] : parseEntries(levels, given);
    const checked = keepRequired(levels, before, await this.#checkSubjects(tx, viewer, before, wanted));
    // Lowering grades may have made two entries equal.
    const entries = parseEntries(
      levels,
      checked.map((entry) => writeEntry(levels, entry)),
    );
    if (decide(entries, rules, who, top).level < top)
      throw new AppError(accesslistsErrors.locksYouOut, { params: { level: levelName(levels, top) } });
    await repo.writeList(tx, before, { kind: this.#kind.kind, id, entries, grants: grantsOf(entries, rules, top) });
    return entries;
  }

  async remove(tx: Tx, ids: readonly number[]): Promise<void> {
    await repo.deleteLists(tx, this.#kind.kind, ids);
  }

  async requireLevel(tx: Tx, viewer: Viewer, decision: Decision, id: number, level: string): Promise<void> {
    const { levels } = this;
    if (decision.level >= levelNumber(levels, level)) return;
    const rules = await this.#kind.rules(tx, id);
    const entries = await this.entries(tx, id);
    const scope = viewScopeOf(viewer);
    const grantors = rules ? await this.#deps.labels.grantorsOf(tx, scope, levels, { entries, rules }) : [];
    throw new AppError(accesslistsErrors.levelMissing, { params: { level, grantors: grantors.join(", ") } });
  }

  /** Entries of before may name what is gone since; they count again when it is restored. */
  async #checkRegistered(tx: Tx, viewer: Viewer, before: readonly Entry[], entries: readonly Entry[]): Promise<void> {
    const known = new Set(before.map(keyOf));
    for (const subject of ["group", "qualification"] as const) {
      const named = entries.filter((entry) => entry.subject === subject && !known.has(keyOf(entry))).map(({ id }) => id);
      if (named.length === 0) continue;
      const nameable = await this.#deps.principals.get(subject)?.nameable(tx, viewer, named);
      if (!nameable) throw new AppError(accesslistsErrors[`${subject}sMissing`]);
      const missing = named.find((id) => !nameable.has(id));
      if (missing !== undefined)
        throw new AppError(accesslistsErrors[`${subject}Unknown`], { params: { [subject]: String(missing) } });
    }
  }

  async #checkSubjects(tx: Tx, viewer: Viewer, before: readonly Entry[], entries: readonly Entry[]): Promise<Entry[]> {
    await this.#checkRegistered(tx, viewer, before, entries);
    const scope = viewScopeOf(viewer);
    checkNamed(scope, before, entries);
    // Citizens that the viewer may not see stay without a check, which would reveal whether they exist.
    const citizens = entries.filter(({ subject, id }) => subject === "citizen" && seesName(scope, id)).map(({ id }) => id);
    const names = await namesOfCitizens(tx, citizens);
    const missing = citizens.find((id) => !names.has(id));
    if (missing !== undefined) throw new AppError(accesslistsErrors.citizenUnknown, { params: { citizen: `CIT-${missing}` } });
    const checked: Entry[] = [];
    for (const entry of entries) {
      if (entry.subject !== "job") checked.push(entry);
      else {
        const job = await this.#deps.jobs.job(tx, entry.job);
        // An entry of a job that was removed since stays, so that it counts again when the job is restored.
        if (!job && before.some((one) => one.subject === "job" && one.job === entry.job)) checked.push(entry);
        else if (!job) throw new AppError(accesslistsErrors.jobUnknown, { params: { job: entry.job } });
        else {
          const top = job.grades.at(-1)?.grade ?? entry.minGrade;
          checked.push({ ...entry, minGrade: Math.min(entry.minGrade, top) });
        }
      }
    }
    return checked;
  }
}
