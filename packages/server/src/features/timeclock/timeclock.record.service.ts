import type { Actor } from "#core/actor.ts";
import type { Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import type { EntryRow } from "./timeclock.repo.ts";

/** What happened to entries, in the audit log. */
export class EntryRecord {
  readonly #audit: AuditApi;

  constructor({ audit }: { readonly audit: AuditApi }) {
    this.#audit = audit;
  }

  async write(
    tx: Tx,
    actor: Actor,
    action: string,
    { id, job, citizen_id: citizenId }: EntryRow,
    change: { readonly before: object; readonly after: object },
  ): Promise<void> {
    const name = (await namesOfCitizens(tx, [citizenId])).get(citizenId) ?? `CIT-${citizenId}`;
    await this.#audit.record(tx, actor, { action, object: { kind: "timeclock.entry", id, name }, info: { job }, ...change });
  }
}
