import type { Viewer } from "#core/actor.ts";
import { writeAnew } from "#core/db/anew.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { JobsApi } from "./jobs.api.ts";
import { type JobProperties, jobsChanged, jobsErrors, jobsPermissions } from "./jobs.contract.ts";
import type { Logos } from "./jobs.logo.service.ts";
import { checkJob, needProperties } from "./jobs.policy.ts";
import * as repo from "./jobs.repo.ts";

export interface PropertiesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly jobs: JobsApi;
  readonly logos: Logos;
  /** Forgets this process's copy of the jobs. */
  forget(): void;
}

const unset: JobProperties = { colour: null, icon: null, radioFrequency: "", message: "" };

export function createPropertiesService(deps: PropertiesDeps) {
  async function read(tx: Tx, viewer: Viewer, job: string) {
    const known = checkJob(viewer, job, await deps.jobs.job(tx, job));
    const logo = (await deps.logos.of(tx, viewer, [job])).get(job) ?? null;
    const row = await repo.readProperties(tx, job);
    return {
      job,
      label: known.label,
      logo,
      version: row?.version ?? 0,
      properties: row ? { colour: row.colour, icon: row.icon, radioFrequency: row.radio_frequency, message: row.message } : unset,
      message: row?.message_at == null ? null : { by: row.message_by, at: row.message_at },
    };
  }

  return {
    async get(viewer: Viewer, job: string) {
      return await deps.db.read("jobs.getProperties", async (tx) => await read(tx, viewer, job));
    },

    async put(call: CallContext, job: string, change: { version: number; properties: JobProperties }) {
      const viewer = call.viewer();
      const result = await writeAnew(deps.db, "jobs.putProperties", async (tx) => {
        const current = await read(tx, viewer, job);
        const { version, properties: before, message } = current;
        const after = { ...change.properties, icon: change.properties.icon === undefined ? before.icon : change.properties.icon };
        if (version !== change.version) throw new AppError(jobsErrors.stale, { extra: { current } });
        const newMessage = before.message !== after.message;
        if (newMessage && !viewer.rights.has(jobsPermissions.message.id)) throw new AppError(jobsErrors.messageNotAllowed);
        const look = before.colour !== after.colour || before.icon !== after.icon;
        if (look || before.radioFrequency !== after.radioFrequency) needProperties(viewer);
        const at = deps.clock.now();
        await repo.putProperties(tx, {
          job,
          version: version + 1,
          colour: after.colour,
          icon: after.icon ?? null,
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
        return await read(tx, viewer, job);
      });
      return result;
    },
  };
}

export type PropertiesService = ReturnType<typeof createPropertiesService>;
