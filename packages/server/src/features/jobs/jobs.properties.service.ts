import type { Viewer } from "#core/actor.ts";
import { retryOnDuplicate } from "#core/db/retry.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { JobsApi } from "./jobs.api.ts";
import { type JobProperties, jobsChanged, jobsErrors, jobsPermissions } from "./jobs.contract.ts";
import type { LogosService } from "./jobs.logo.service.ts";
import { checkJob, linksOf, linksText, requireProperties } from "./jobs.policy.ts";
import * as repo from "./jobs.repo.ts";

export interface PropertiesDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
  readonly jobs: JobsApi;
  readonly logos: LogosService;
}

const unset: JobProperties = { colour: null, icon: null, radioFrequency: "", message: "", links: [] };

function propertiesOf({ colour, icon, radio_frequency: radioFrequency, message, links }: repo.PropertiesRow): JobProperties {
  return { colour, icon, radioFrequency, message, links: linksOf(links) };
}

export class PropertiesService {
  readonly #deps: PropertiesDeps;

  constructor(deps: PropertiesDeps) {
    this.#deps = deps;
  }

  async get(viewer: Viewer, job: string) {
    return await this.#deps.db.read("jobs.getProperties", async (tx) => await this.#read(tx, viewer, job));
  }

  async put(call: CallContext, job: string, change: { version: number; properties: JobProperties }) {
    const { db, clock, outbox, audit } = this.#deps;
    const viewer = call.viewer();
    return await retryOnDuplicate(db, "jobs.putProperties", async (tx) => {
      const current = await this.#read(tx, viewer, job);
      const { version, properties: before, message } = current;
      const { icon = before.icon, links = before.links } = change.properties;
      const after = { ...change.properties, icon, links };
      if (version !== change.version) throw new AppError(jobsErrors.stale, { extra: { current } });
      const newMessage = before.message !== after.message;
      if (newMessage && !viewer.rights.has(jobsPermissions.message.id)) throw new AppError(jobsErrors.messageNotAllowed);
      const look = before.colour !== after.colour || before.icon !== after.icon;
      const newLinks = JSON.stringify(before.links) !== JSON.stringify(after.links);
      if (look || newLinks || before.radioFrequency !== after.radioFrequency) requireProperties(viewer);
      const at = clock.now();
      await repo.putProperties(tx, {
        job,
        version: version + 1,
        colour: after.colour,
        icon: after.icon ?? null,
        radio_frequency: after.radioFrequency,
        message: after.message,
        message_by: newMessage ? viewer.characterName : (message?.by ?? ""),
        message_at: after.message === "" ? null : newMessage ? at : (message?.at ?? null),
        links: linksText(after.links ?? []),
        updated_at: at,
      });
      await audit.record(tx, call.actor, { action: "jobs.putProperties", object: { kind: "job", id: job }, before, after });
      await outbox.emit(tx, jobsChanged, { key: "jobs", version: at, payload: { names: [job], changed: ["properties"] } });
      return await this.#read(tx, viewer, job);
    });
  }

  async #read(tx: Tx, viewer: Viewer, job: string) {
    const { jobs, logos } = this.#deps;
    const known = checkJob(viewer, job, await jobs.job(tx, job));
    const logo = (await logos.of(tx, viewer, [job])).get(job) ?? null;
    const row = await repo.readProperties(tx, job);
    return {
      job,
      label: known.label,
      logo,
      version: row?.version ?? 0,
      properties: row === null ? unset : propertiesOf(row),
      message: row?.message_at == null ? null : { by: row.message_by, at: row.message_at },
    };
  }
}
