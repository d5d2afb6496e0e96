import type { Viewer } from "#core/actor.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { FilesApi } from "#features/files/files.api.ts";
import { type FileAddress, pictureTypes } from "#features/files/files.contract.ts";
import type { JobsApi } from "./jobs.api.ts";
import { jobsChanged, logoKind } from "./jobs.contract.ts";
import { checkJob, needProperties } from "./jobs.policy.ts";

const mostBytes = 32 * 1024 * 1024;

export interface LogoDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly files: FilesApi;
  readonly jobs: JobsApi;
}

/** The sign of a job, shown wherever its members see its name. */
export function createLogos({ db, clock, outbox, audit, files, jobs }: LogoDeps) {
  async function announce(tx: Tx, job: string): Promise<void> {
    await outbox.emit(tx, jobsChanged, { key: "jobs", version: clock.now(), payload: { names: [job] } });
  }

  const logos = files.register({
    kind: logoKind,
    namespace: "logos",
    types: pictureTypes,
    maxBytes: mostBytes,
    picture: { maxEdge: 512, square: false },
    most: 1,
    async mayUpload(tx, viewer, job) {
      await needJob(tx, viewer, job);
      needProperties(viewer);
    },
    async labels(tx, owners) {
      const labels = await jobs.labels(tx);
      return new Map(owners.map((job) => [job, labels.label(job)]));
    },
    lost: announce,
  });

  async function needJob(tx: Tx, viewer: Viewer, job: string): Promise<void> {
    checkJob(viewer, job, await jobs.job(tx, job));
  }

  return {
    async of(tx: Tx, viewer: Viewer, names: readonly string[]): Promise<ReadonlyMap<string, FileAddress>> {
      const found = await logos.of(tx, names);
      return new Map([...found].flatMap(([job, [file]]) => (file === undefined ? [] : [[job, files.address(viewer, file)]])));
    },

    async put(call: CallContext, job: string, file: number | null): Promise<{ logo: FileAddress | null }> {
      const viewer = call.viewer();
      await db.write("jobs.putLogo", async (tx) => {
        await needJob(tx, viewer, job);
        needProperties(viewer);
        const [before = null] = (await logos.of(tx, [job])).get(job) ?? [];
        if (before === file) return;
        if (file === null) await logos.release(tx, job);
        else await logos.attach(tx, viewer, job, file);
        await audit.record(tx, call.actor, {
          action: "jobs.putLogo",
          object: { kind: "job", id: job },
          before: { file: before },
          after: { file },
        });
        await announce(tx, job);
      });
      return { logo: file === null ? null : files.address(viewer, file) };
    },
  };
}

export type Logos = ReturnType<typeof createLogos>;
