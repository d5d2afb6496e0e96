import type { Viewer } from "#core/actor.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Outbox, Tx } from "#core/ports/index.ts";
import type { FilesApi, OwnedPictures } from "#features/files/files.api.ts";
import type { FileAddress } from "#features/files/files.contract.ts";
import type { JobsApi } from "./jobs.api.ts";
import { jobsChanged, logoKind, putLogo } from "./jobs.contract.ts";
import { checkJob, requireProperties } from "./jobs.policy.ts";

export interface LogoDeps {
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly files: FilesApi;
  readonly jobs: JobsApi;
}

/** The logo of a job, shown wherever its members see its name. */
export class LogosService {
  readonly #deps: LogoDeps;
  readonly #logos: OwnedPictures;

  constructor(deps: LogoDeps) {
    this.#deps = deps;
    this.#logos = deps.files.registerPicture({
      kind: logoKind,
      namespace: "logos",
      square: false,
      action: putLogo.id,
      objectOf: (job) => ({ kind: "job", id: job }),
      mayUpload: async (tx, viewer, job) => await this.#requireEditor(tx, viewer, job),
      // Everybody sees the list of the live jobs.
      async mayView(tx, _viewer, owners) {
        const names = new Set((await deps.jobs.list(tx)).map(({ name }) => name));
        return new Set(owners.filter((job) => names.has(job)));
      },
      async labels(tx, owners) {
        const labels = await deps.jobs.labels(tx);
        return new Map(owners.map((job) => [job, labels.label(job)]));
      },
      changed: async (tx, job) => await this.#emitChanged(tx, job),
    });
  }

  /** Addresses of the logos of these jobs, for this session. */
  async of(tx: Tx, viewer: Viewer, names: readonly string[]): Promise<ReadonlyMap<string, FileAddress>> {
    return await this.#logos.of(tx, viewer, names);
  }

  async put(call: CallContext, job: string, file: number | null): Promise<{ logo: FileAddress | null }> {
    return { logo: await this.#logos.put(call, job, file) };
  }

  /** Releases the logos of jobs that were purged. */
  async release(tx: Tx, names: readonly string[]): Promise<void> {
    await this.#logos.release(tx, names);
  }

  /** Throws unless the viewer may change the properties of this job. */
  async #requireEditor(tx: Tx, viewer: Viewer, job: string): Promise<void> {
    checkJob(viewer, job, await this.#deps.jobs.job(tx, job));
    requireProperties(viewer);
  }

  async #emitChanged(tx: Tx, job: string): Promise<void> {
    const { outbox, clock } = this.#deps;
    await outbox.emit(tx, jobsChanged, { key: "jobs", version: clock.now(), payload: { names: [job], changed: ["logo"] } });
  }
}
