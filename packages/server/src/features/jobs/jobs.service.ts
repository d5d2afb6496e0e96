import { createHash } from "node:crypto";
import type { Viewer } from "#core/actor.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { FileAddress } from "#features/files/files.contract.ts";
import type { BatchItem, SyncApi } from "#features/sync/sync.api.ts";
import type { JobLabels, JobsApi } from "./jobs.api.ts";
import { type JobInfo, jobsChanged, SyncJob, syncJobs } from "./jobs.contract.ts";
import type { Logos } from "./jobs.logo.service.ts";
import { labelsOf } from "./jobs.policy.ts";
import * as repo from "./jobs.repo.ts";

/** This process's copy of the jobs is trusted this long when no event said otherwise. */
const copyMs = 5000;

const withLogo = (logo: FileAddress | undefined) => (logo === undefined ? {} : { logo });

export interface JobsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly sync: SyncApi;
}

export function createJobsService(deps: JobsDeps) {
  /** How many changes this process heard of. */
  let changes = 0;
  function forget(): void {
    changes += 1;
    copy = null;
  }
  let copy: { jobs: readonly JobInfo[]; labels: JobLabels; at: number } | null = null;

  async function current(tx: Tx) {
    if (copy !== null && !tx.writable && deps.clock.monotonic() - copy.at < copyMs) return copy;
    const began = changes;
    const jobs = await repo.readJobs(tx);
    const fresh = { jobs, labels: labelsOf(jobs), at: deps.clock.monotonic() };
    // A change during the read may not be in it.
    if (!tx.writable && began === changes) copy = fresh;
    return fresh;
  }

  async function apply(tx: Tx, items: readonly BatchItem<SyncJob>[]): Promise<number> {
    const hashes = await repo.readHashes(
      tx,
      items.map(({ id }) => id),
    );
    const changed = items
      .map(({ item }) => {
        const grades = [...item.grades].sort((a, b) => a.grade - b.grade);
        const job = { ...item, grades };
        return {
          job,
          hash: createHash("md5")
            .update(JSON.stringify([job.label, grades]))
            .digest("hex"),
        };
      })
      .filter(({ job, hash }) => hashes.get(job.name) !== hash);
    if (changed.length === 0) return 0;
    const at = deps.clock.now();
    await repo.putJobs(tx, changed, at);
    const names = changed.map(({ job }) => job.name);
    await deps.outbox.emit(tx, jobsChanged, { key: "jobs", version: at, payload: { names } });
    tx.afterCommit(forget);
    return changed.length;
  }

  const api: JobsApi = {
    labels: async (tx) => (await current(tx)).labels,
    job: async (tx, name) => (await current(tx)).jobs.find((job) => job.name === name) ?? null,
    list: async (tx) => (await current(tx)).jobs,
  };

  return {
    api,
    list: async (viewer: Viewer, logos: Logos) =>
      await deps.db.read("jobs.list", async (tx) => {
        const { jobs } = await current(tx);
        const found = await logos.of(
          tx,
          viewer,
          jobs.map(({ name }) => name),
        );
        return { jobs: jobs.map((job) => ({ ...job, ...withLogo(found.get(job.name)) })) };
      }),
    sync: async (call: CallContext, body: { source?: string; items: readonly unknown[] }) =>
      await deps.sync.applyBatch<SyncJob>(call, {
        kind: "jobs",
        action: syncJobs.id,
        schema: SyncJob,
        items: body.items,
        source: body.source ?? "default",
        idOf: (job) => job.name,
        apply,
      }),
    forget,
    count: repo.countJobs,
  };
}

export type JobsService = ReturnType<typeof createJobsService>;
