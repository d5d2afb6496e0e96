import type { Actor } from "#core/actor.ts";
import type { Clock, Outbox, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { namesOfCitizens } from "#features/citizens/citizens.reads.ts";
import { conductChanged, releaseEntry } from "./conduct.contract.ts";
import { entryMachine } from "./conduct.machine.ts";
import type { EntryRow } from "./conduct.repo.ts";

export interface RecordDeps {
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly audit: AuditApi;
}

export interface Change {
  readonly before?: Record<string, unknown>;
  readonly after?: Record<string, unknown>;
}

/** What every change of an entry writes beside it. */
export class ConductRecord {
  readonly #deps: RecordDeps;

  constructor(deps: RecordDeps) {
    this.#deps = deps;
  }

  /** Without texts and reasons, and of a draft nothing but that there is one: not everybody who reads the audit log may know them. */
  async audit(
    tx: Tx,
    actor: Actor,
    action: string,
    row: Pick<EntryRow, "id" | "job" | "citizen_id" | "state">,
    change: Change = {},
  ) {
    const { id, job, citizen_id: citizenId } = row;
    if (row.state === entryMachine.initial && action !== releaseEntry.id)
      return await this.#deps.audit.record(tx, actor, { action, object: { kind: "conduct.entry", id }, info: { job } });
    const name = (await namesOfCitizens(tx, [citizenId])).get(citizenId) ?? `CIT-${citizenId}`;
    await this.#deps.audit.record(tx, actor, { action, object: { kind: "conduct.entry", id, name }, info: { job }, ...change });
  }

  /** `read`: its person reads it, and so learns that it changed. Of drafts they learn nothing. */
  async changed(tx: Tx, { job, citizen_id: citizenId }: Pick<EntryRow, "job" | "citizen_id">, read: boolean): Promise<void> {
    const { outbox, clock } = this.#deps;
    const payload = { job, citizenId: read ? citizenId : null };
    await outbox.emit(tx, conductChanged, { key: "conduct", version: clock.now(), payload });
  }
}
