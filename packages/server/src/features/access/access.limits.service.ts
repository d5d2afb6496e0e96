import { AppError } from "#core/errors.ts";
import type { Database, Tx } from "#core/ports/index.ts";
import type { CallContext } from "#core/feature.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { accessErrors, type JobLimits } from "./access.contract.ts";
import type { Limits } from "./access.policy.ts";
import * as repo from "./access.repo.ts";
import type { AccessService } from "./access.service.ts";

export interface LimitsDeps {
  readonly db: Database;
  readonly access: AccessService;
  readonly jobs: JobsApi;
}

const plain = (limits: Limits | null | undefined): JobLimits | null =>
  limits ? structuredClone(Object.fromEntries(limits)) : null;

/** What jobs may hand out. Job admin is asked for at the door. */
export function createLimitsService({ db, access, jobs }: LimitsDeps) {
  async function stored(tx: Tx, job: string): Promise<repo.StoredLimits> {
    const found = (await repo.readLimits(tx)).get(job);
    const known = found !== undefined || (await jobs.job(tx, job)) !== null || (await repo.readRoles(tx, job)).length > 0;
    if (!known) throw new AppError(accessErrors.jobUnknown, { params: { job } });
    return found ?? { version: 0, limits: null };
  }

  const details = async (tx: Tx, job: string) => {
    const { version, limits } = await stored(tx, job);
    return { job, label: (await jobs.labels(tx)).label(job), version, limits: plain(limits) };
  };

  return {
    list: async () =>
      await db.read("access.listLimits", async (tx) => {
        const [all, limits, labels] = [await jobs.list(tx), await repo.readLimits(tx), await jobs.labels(tx)];
        const roles = (await repo.readRoles(tx)).map(({ job }) => job).filter((job) => job !== "");
        const names = new Set([...all.map(({ name }) => name), ...roles, ...limits.keys()]);
        return {
          jobs: [...names]
            .map((job) => ({ job, label: labels.label(job), permissions: limits.get(job)?.limits?.size ?? null }))
            .toSorted((a, b) => a.label.localeCompare(b.label)),
        };
      }),

    get: async (job: string) => await db.read("access.getLimits", async (tx) => await details(tx, job)),

    async put(call: CallContext, job: string, { version, limits }: { version: number; limits: JobLimits | null }) {
      access.check(Object.entries(limits ?? {}));
      return await db.write("access.putLimits", async (tx) => {
        await access.store.lock(tx, job, 0);
        const before = await stored(tx, job);
        if (before.version !== version) throw new AppError(accessErrors.stale);
        const after = limits && new Map(Object.entries(limits));
        if (JSON.stringify(plain(before.limits)) !== JSON.stringify(limits))
          await access.store.putLimits(tx, call.actor, { action: "access.putLimits", job, before, after });
        return await details(tx, job);
      });
    },
  };
}

export type LimitsService = ReturnType<typeof createLimitsService>;
