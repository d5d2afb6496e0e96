import type { OutputOf, PermissionDefinition } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { Database, Tx } from "#core/ports/index.ts";
import type { CallContext } from "#core/feature.ts";
import { countInGrades } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { accessErrors, type JobLimits, type limitsHistory, type LimitsRevision } from "./access.contract.ts";
import { limitDifferences, sameLimits, undoneLimits } from "./access.limits.policy.ts";
import * as limitsRepo from "./access.limits.repo.ts";
import type { Limits } from "./access.policy.ts";
import * as repo from "./access.repo.ts";
import { valuesOfLimitChanges } from "./access.rows.policy.ts";
import type { AttributeRows } from "./access.rows.service.ts";
import type { AccessService } from "./access.service.ts";

const shownRevisions = 100;

export interface LimitsDeps {
  readonly db: Database;
  readonly access: AccessService;
  readonly jobs: JobsApi;
  readonly rows: AttributeRows;
  readonly permissions: () => readonly PermissionDefinition[];
}

const plain = (limits: Limits | null | undefined): JobLimits | null =>
  limits ? structuredClone(Object.fromEntries(limits)) : null;

/** What jobs may hand out. The request guard requires job admin. */
export class LimitsService {
  readonly #deps: LimitsDeps;

  constructor(deps: LimitsDeps) {
    this.#deps = deps;
  }

  async list() {
    const { db, jobs } = this.#deps;
    return await db.read("access.listLimits", async (tx) => {
      const [all, limits, labels] = [await jobs.list(tx), await limitsRepo.readLimits(tx), await jobs.labels(tx)];
      const roles = (await repo.readRoles(tx)).map(({ job }) => job).filter((job) => job !== "");
      const names = new Set([...all.map(({ name }) => name), ...roles, ...limits.keys()]);
      return {
        jobs: [...names]
          .map((job) => ({ job, label: labels.label(job), permissions: limits.get(job)?.limits?.size ?? null }))
          .toSorted((a, b) => a.label.localeCompare(b.label)),
      };
    });
  }

  async get(job: string) {
    return await this.#deps.db.read("access.getLimits", async (tx) => await this.#details(tx, job));
  }

  async put(call: CallContext, job: string, { version, limits }: { version: number; limits: JobLimits | null }) {
    this.#deps.access.check(Object.entries(limits ?? {}));
    return await this.#change(call, "access.putLimits", job, async (tx, before) => {
      if (before.version !== version)
        throw new AppError(accessErrors.stale, { extra: { current: await this.#details(tx, job) } });
      return limits && new Map(Object.entries(limits));
    });
  }

  async history(job: string): Promise<OutputOf<typeof limitsHistory>> {
    const { db, permissions, rows } = this.#deps;
    return await db.read("access.limitsHistory", async (tx) => {
      await this.#stored(tx, job);
      const found = await limitsRepo.newestLimitsRevisions(tx, job, shownRevisions);
      const revisions = found.map(({ version, at, by, was, became }) => ({
        version,
        at,
        by,
        limited: { before: was !== null, after: became !== null },
        changes: structuredClone(limitDifferences(permissions(), { was, became })) as LimitsRevision["changes"],
      }));
      return { revisions, labels: await rows.labels(tx, valuesOfLimitChanges(revisions)) };
    });
  }

  async undo(call: CallContext, job: string, version: number) {
    return await this.#change(call, "access.undoLimits", job, async (tx, before) => {
      const revision = await limitsRepo.findLimitsRevision(tx, job, version);
      if (!revision) throw new AppError(accessErrors.revisionUnknown, { params: { version } });
      const undone = undoneLimits(before.limits, revision);
      if ("limits" in undone) {
        // Another version of Rollcall may have written permissions that this one does not have.
        this.#deps.access.check(undone.restored);
        return undone.limits;
      }
      const { changedSince: permission } = undone;
      if (permission === null) throw new AppError(accessErrors.limitsChangedSince);
      throw new AppError(accessErrors.limitChangedSince, { params: { permission } });
    });
  }

  async #stored(tx: Tx, job: string): Promise<limitsRepo.StoredLimits> {
    const found = (await limitsRepo.readLimits(tx)).get(job);
    const known =
      found !== undefined || (await this.#deps.jobs.job(tx, job)) !== null || (await repo.readRoles(tx, job)).length > 0;
    if (!known) throw new AppError(accessErrors.jobUnknown, { params: { job } });
    return found ?? { version: 0, limits: null };
  }

  async #details(tx: Tx, job: string) {
    const { version, limits } = await this.#stored(tx, job);
    const { jobs, rows } = this.#deps;
    const labels = await rows.labels(tx, limits ?? []);
    return { job, label: (await jobs.labels(tx)).label(job), version, limits: plain(limits), labels };
  }

  /** Writes nothing when the limits stay the same. */
  async #change(
    call: CallContext,
    action: string,
    job: string,
    work: (tx: Tx, before: limitsRepo.StoredLimits) => Promise<Limits | null>,
  ) {
    const { db, access, rows } = this.#deps;
    return await db.write(action, async (tx) => {
      await access.store.lock(tx, job, 0);
      const before = await this.#stored(tx, job);
      const after = await work(tx, before);
      await rows.check(tx, before.limits ?? [], after ?? []);
      const isSame = sameLimits(before.limits, after);
      const grades = isSame ? [] : await access.store.putLimits(tx, call.actor, { action, job, before, after });
      return { ...(await this.#details(tx, job)), affected: await countInGrades(tx, job, grades) };
    });
  }
}
