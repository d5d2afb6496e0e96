import type { Viewer } from "#core/actor.ts";
import { doorErrors } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { JobsApi } from "./jobs.api.ts";
import { type JobProperties, jobsChanged, jobsErrors, jobsPermissions } from "./jobs.contract.ts";
import * as repo from "./jobs.repo.ts";

export interface PropertiesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly jobs: JobsApi;
  /** Forgets this process's copy of the jobs. */
  forget(): void;
}

const unset: JobProperties = { colour: null, radioFrequency: "", message: "" };

export function createPropertiesService(deps: PropertiesDeps) {
  /** One's own job, which is the entered one while job admin is on. */
  function checkJob(viewer: Viewer, job: string): void {
    if (viewer.job !== job && viewer.jobAdmin === null) throw new AppError(jobsErrors.otherJob, { params: { job } });
  }

  async function read(tx: Tx, job: string) {
    const known = await deps.jobs.job(tx, job);
    if (!known) throw new AppError(jobsErrors.jobUnknown, { params: { job } });
    const row = await repo.readProperties(tx, job);
    return {
      job,
      label: known.label,
      version: row?.version ?? 0,
      properties: row ? { colour: row.colour, radioFrequency: row.radio_frequency, message: row.message } : unset,
      message: row?.message_at == null ? null : { by: row.message_by, at: row.message_at },
    };
  }

  return {
    async get(viewer: Viewer, job: string) {
      checkJob(viewer, job);
      return await deps.db.read("jobs.getProperties", async (tx) => await read(tx, job));
    },

    async put(call: CallContext, job: string, change: { version: number; properties: JobProperties }) {
      const viewer = call.viewer();
      checkJob(viewer, job);
      const after = change.properties;
      const result = await deps.db.write("jobs.putProperties", async (tx) => {
        const { version, properties: before, message } = await read(tx, job);
        if (version !== change.version) throw new AppError(jobsErrors.stale);
        const newMessage = before.message !== after.message;
        if (newMessage && !viewer.rights.has(jobsPermissions.message.id)) throw new AppError(jobsErrors.messageNotAllowed);
        const rest = before.colour !== after.colour || before.radioFrequency !== after.radioFrequency;
        if (rest && !viewer.rights.has(jobsPermissions.properties.id)) throw missingRight(viewer);
        const at = deps.clock.now();
        await repo.putProperties(tx, {
          job,
          version: version + 1,
          colour: after.colour,
          radio_frequency: after.radioFrequency,
          message: after.message,
          message_by: newMessage ? viewer.characterName : (message?.by ?? ""),
          message_at: after.message === "" ? null : newMessage ? at : (message?.at ?? null),
          updated_at: at,
        });
        await deps.audit.record(tx, call.actor, {
          action: "jobs.putProperties",
          object: { kind: "job", id: job },
          before,
          after,
        });
        await deps.outbox.emit(tx, jobsChanged, { key: "jobs", version: at, payload: { names: [job] } });
        tx.afterCommit(deps.forget);
        return await read(tx, job);
      });
      return result;
    },
  };
}

function missingRight(viewer: Viewer): AppError {
  return new AppError(doorErrors.permissionMissing, {
    params: { permission: jobsPermissions.properties.id, job: viewer.job },
  });
}

export type PropertiesService = ReturnType<typeof createPropertiesService>;
