import type { Viewer } from "#core/actor.ts";
import { CachedValue } from "#core/cached.ts";
import type { Finding } from "#core/feature.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { SettingsApi } from "#features/settings/settings.api.ts";
import type { FileAddress } from "#features/files/files.contract.ts";
import type { JobLabels, JobsApi } from "./jobs.api.ts";
import { type JobInfo, jobParts, jobsChanged } from "./jobs.contract.ts";
import type { LogosService } from "./jobs.logo.service.ts";
import { foldedJobs, meaningsOf } from "./jobs.meanings.policy.ts";
import { labelsOf } from "./jobs.policy.ts";
import * as repo from "./jobs.repo.ts";

/** How long the cached jobs are used when no event invalidated them. */
const cacheTtlMs = 5000;

const withLogo = (logo: FileAddress | undefined) => (logo === undefined ? {} : { logo });

interface KnownJobs {
  /** Live ones. */
  readonly jobs: readonly JobInfo[];
  /** Of deleted jobs too: citizens may still have them. */
  readonly labels: JobLabels;
}

export interface JobsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly settings: Pick<SettingsApi, "known" | "read">;
}

/** Reads the jobs, which this process caches, and purges deleted ones. */
export class JobsService {
  readonly #deps: JobsDeps;
  readonly #cache: CachedValue<KnownJobs>;

  readonly api: JobsApi = {
    labels: async (tx) => (await this.#current(tx)).labels,
    job: async (tx, name) => (await this.#current(tx)).jobs.find((job) => job.name === name) ?? null,
    list: async (tx) => (await this.#current(tx)).jobs,
    meanings: async (tx, names = this.#deps.settings.known().jobs) => {
      const { jobs } = await this.#current(tx);
      return meaningsOf(
        jobs.map(({ name }) => name),
        names,
      );
    },
  };

  constructor(deps: JobsDeps) {
    this.#deps = deps;
    const { clock, db } = deps;
    const load = async () => await db.read("jobs.read", async (tx) => await this.#read(tx));
    this.#cache = new CachedValue({ clock, ttlMs: cacheTtlMs, load });
  }

  async list(viewer: Viewer, logos: LogosService) {
    const { jobs } = await this.#cache.get();
    const names = jobs.map(({ name }) => name);
    const found = await this.#deps.db.read("jobs.list", async (tx) => await logos.of(tx, viewer, names));
    return { jobs: jobs.map((job) => ({ ...job, ...withLogo(found.get(job.name)) })) };
  }

  /** For the doctor: a job of its own would be lost without a word. */
  async findings(): Promise<Finding[]> {
    const { db, settings } = this.#deps;
    return await db.read("jobs.findings", async (tx) => {
      const stored = (await repo.readJobs(tx)).filter(({ deleted }) => !deleted);
      const folded = foldedJobs(
        stored.map(({ name }) => name),
        (await settings.read(tx)).jobs,
      );
      if (folded.length === 0) return [];
      const jobs = folded.map(({ name, job }) => `${name} (${job})`).join(", ");
      return [{ id: "jobs.folded", state: "warning", params: { jobs } }];
    });
  }

  /** Purges jobs with grades, properties and logo. */
  async purgeDeleted(tx: Tx, logos: LogosService, before: number, limit: number): Promise<number> {
    const { clock, outbox } = this.#deps;
    const names = await repo.purge(tx, before, limit);
    await logos.release(tx, names);
    if (names.length === 0) return 0;
    await outbox.emit(tx, jobsChanged, { key: "jobs", version: clock.now(), payload: { names, changed: [...jobParts] } });
    return names.length;
  }

  invalidate(): void {
    this.#cache.invalidate();
  }

  /** A unit of work reads what is stored, and its own changes; snapshots share the cached jobs. */
  async #current(tx: Tx): Promise<KnownJobs> {
    return tx.writable ? await this.#read(tx) : await this.#cache.getBy(tx.began, async () => await this.#read(tx));
  }

  async #read(tx: Tx): Promise<KnownJobs> {
    const stored = await repo.readJobs(tx);
    const jobs = stored.filter((job) => !job.deleted).map(({ deleted: _deleted, ...job }) => job);
    return { jobs, labels: labelsOf(stored) };
  }
}
