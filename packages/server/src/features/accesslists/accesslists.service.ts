import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import type { Database, Tx } from "#core/ports/index.ts";
import type { CitizensApi } from "#features/citizens/citizens.api.ts";
import { countInJob } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import type { AccesslistsApi, AccessLists, ObjectKind, PrincipalKind } from "./accesslists.api.ts";
import { type AccessEntry, accesslistsErrors } from "./accesslists.contract.ts";
import { EntryLabels, nameOf } from "./accesslists.labels.service.ts";
import { ObjectAccessLists } from "./accesslists.lists.service.ts";
import {
  decide,
  decideOpenly,
  type Decision,
  type Entry,
  jobsHidden,
  levelName,
  type Rules,
  seesJob,
  viewLevel,
  type ViewScope,
  viewScopeOf,
} from "./accesslists.policy.ts";
import { PrincipalKinds } from "./accesslists.principals.service.ts";
import * as repo from "./accesslists.repo.ts";

const mostCounted = 1000;

export interface AccesslistsDeps {
  readonly db: Database;
  readonly citizens: CitizensApi;
  readonly jobs: JobsApi;
}

/** An object that the viewer can open, with what decides about it. */
interface OpenObject {
  readonly kind: ObjectKind;
  readonly rules: Rules;
  readonly entries: readonly Entry[];
  /** For the viewer. */
  readonly decision: Decision;
}

/** Explains the access lists of every registered kind of object. */
export class AccesslistsService implements AccesslistsApi {
  readonly #deps: AccesslistsDeps;
  readonly #labels: EntryLabels;
  readonly #principals = new PrincipalKinds();
  readonly #kinds = new Map<string, ObjectKind>();

  constructor(deps: AccesslistsDeps) {
    this.#deps = deps;
    this.#labels = new EntryLabels({ ...deps, principals: this.#principals });
  }

  register(kind: ObjectKind): AccessLists {
    this.#kinds.set(kind.kind, kind);
    return new ObjectAccessLists(kind, { jobs: this.#deps.jobs, labels: this.#labels, principals: this.#principals });
  }

  registerPrincipals(kind: PrincipalKind): void {
    this.#principals.add(kind);
  }

  /** Of the viewer, or of a citizen whose job the viewer may see. */
  async explain(viewer: Viewer, kind: string, id: number, citizenId: number | undefined) {
    const { db, citizens } = this.#deps;
    return await db.read("accesslists.explain", async (tx) => {
      const [object, scope] = [await this.#open(tx, viewer, kind, id), viewScopeOf(viewer)];
      if (citizenId === undefined) return await this.#explanation(tx, scope, object, object.decision);
      await this.#requireTopLevel(tx, scope, object);
      const other = await citizens.character(tx, citizenId);
      // The same error for a citizen of another job and for an unknown one, so that it reveals neither.
      if (!scope.jobs && (other === null || !seesJob(scope, other.job.name))) throw jobsHidden(scope);
      if (!other) throw new AppError(accesslistsErrors.citizenUnknown, { params: { citizen: `CIT-${citizenId}` } });
      const inJob = { characterId: other.id, job: other.job.name, grade: other.job.grade };
      const who = await this.#principals.characterOf(tx, inJob);
      const { kind: type, rules, entries } = object;
      const hidden = await this.#principals.hiddenOf(tx, viewer, inJob, entries);
      return await this.#explanation(tx, scope, object, decideOpenly(entries, rules, who, type.levels.length, hidden));
    });
  }

  async audience(viewer: Viewer, kindName: string, id: number) {
    const { db, citizens, jobs } = this.#deps;
    return await db.read("accesslists.audience", async (tx) => {
      const [object, scope] = [await this.#open(tx, viewer, kindName, id), viewScopeOf(viewer)];
      await this.#requireTopLevel(tx, scope, object);
      const { kind, rules } = object;
      const people = async ({ subject, job, minGrade }: AccessEntry): Promise<number | null> => {
        if (subject === "citizen") return 1;
        if (subject !== "job") return null;
        return seesJob(scope, job) ? await countInJob(tx, job, minGrade, mostCounted) : null;
      };
      const entries = [];
      for (const entry of await this.#labels.label(tx, scope, kind.levels, object.entries))
        entries.push({ ...entry, people: await people(entry) });
      const creator = rules.creatorId === null ? null : await citizens.character(tx, rules.creatorId);
      const labels = await jobs.labels(tx);
      return {
        levels: [...kind.levels],
        public: rules.public,
        creator: creator && {
          id: creator.id,
          name: nameOf(creator),
          job: labels.label(rules.creatorJob),
          stillInJob: seesJob(scope, rules.creatorJob) ? creator.job.name === rules.creatorJob : null,
        },
        entries,
      };
    });
  }

  /** Throws 404 for an object that does not exist or that the viewer cannot see. */
  async #open(tx: Tx, viewer: Viewer, kindName: string, id: number): Promise<OpenObject> {
    const kind = this.#kinds.get(kindName);
    const rules = kind ? await kind.rules(tx, id) : null;
    if (!kind || !rules) throw new AppError(accesslistsErrors.objectUnknown);
    const entries = (await repo.readEntries(tx, kind.kind, [id])).get(id) ?? [];
    const decision = decide(entries, rules, this.#principals.subjectOf(viewer), kind.levels.length);
    if (decision.level < viewLevel) throw new AppError(accesslistsErrors.objectUnknown);
    return { kind, rules, entries, decision };
  }

  async #requireTopLevel(tx: Tx, scope: ViewScope, object: OpenObject): Promise<void> {
    const { levels } = object.kind;
    if (object.decision.level === levels.length) return;
    const grantors = await this.#labels.grantorsOf(tx, scope, levels, object);
    throw new AppError(accesslistsErrors.levelMissing, {
      params: { level: levelName(levels, levels.length), grantors: grantors.join(", ") },
    });
  }

  async #explanation(tx: Tx, scope: ViewScope, object: OpenObject, decision: Decision) {
    const { levels } = object.kind;
    const [entry = null] = decision.entry ? await this.#labels.label(tx, scope, levels, [decision.entry]) : [];
    return {
      levels: [...levels],
      level: decision.level === 0 ? null : levelName(levels, decision.level),
      reason: { kind: decision.reason, entry },
      grantors: await this.#labels.grantorsOf(tx, scope, levels, object),
    };
  }
}
