import type { Actor } from "#core/actor.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Outbox, Search, SearchDocument, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { JobLabels, JobsApi } from "#features/jobs/jobs.api.ts";
import type { LicencesApi } from "#features/licences/licences.api.ts";
import { type BatchItem, eventPortions, type SyncApi } from "#features/sync/sync.api.ts";
import { type CitizenChange, citizensChanged, SyncUser, syncUsers, syncUsersDelete } from "./citizens.contract.ts";
import { disabledFields, wholeCitizen } from "./citizens.policy.ts";
import { type CitizenRecord, derivedOf, recordOf, sameLists } from "./citizens.record.policy.ts";
import { citizensSearchKind } from "./citizens.reads.ts";
import { type CitizenSource, countLive, type CustomColumns, liveIdentifiers } from "./citizens.repo.ts";
import * as repo from "./citizens.sync.repo.ts";

const removedAtOnce = 500;

export interface CitizensSyncDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly search: Search;
  readonly sync: SyncApi;
  readonly audit: AuditApi;
  readonly jobs: JobsApi;
  readonly licences: LicencesApi;
  readonly custom: CustomColumns;
}

function searchDocument(id: number, record: CitizenRecord): SearchDocument {
  return {
    id,
    texts: [
      { field: "name", text: `${record.first_name} ${record.last_name}`, weight: 2 },
      ...record.phones.map(({ number }) => ({ field: "phone", text: number })),
    ],
  };
}

/** The row as a read through the configured columns would give it. */
function sourceOf(
  { record, derived, version, id }: repo.WrittenRecord & { readonly id: number },
  at: number,
  custom: CustomColumns,
): CitizenSource {
  const column = (name: string | null) => {
    const value = name === null ? null : (record as unknown as Record<string, unknown>)[name];
    return value === null || value === undefined ? null : Number(value);
  };
  return {
    ...record,
    ...derived,
    id,
    version,
    updated_at: at,
    visum: column(custom.visum),
    playtime: column(custom.playtime),
  };
}

export function createCitizensSync(deps: CitizensSyncDeps) {
  const disabled = disabledFields(deps.custom);

  function changeOf(
    source: CitizenSource,
    record: CitizenRecord,
    labels: JobLabels,
    licences: ReadonlyMap<string, string>,
  ): CitizenChange {
    const details = { jobs: [...record.jobs], phones: [...record.phones], licences: [...record.licences] };
    return { ...wholeCitizen(source, details, labels, licences, disabled), deleted: false };
  }

  async function emit(tx: Tx, changes: readonly CitizenChange[], at: number): Promise<void> {
    for (const items of eventPortions(changes))
      await deps.outbox.emit(tx, citizensChanged, { key: "citizens", version: at, payload: { items } });
  }

  async function apply(tx: Tx, items: readonly BatchItem<SyncUser>[], source: string): Promise<number> {
    const at = deps.clock.now();
    const known = await repo.lockKnown(
      tx,
      items.map(({ id }) => id),
    );
    const written = items
      .map(({ item }) => recordOf(item))
      .filter((record) => {
        const before = known.get(record.identifier);
        return before === undefined || before.deleted_at !== null || before.sync_hash !== record.sync_hash;
      })
      .map((record) => {
        const before = known.get(record.identifier);
        return {
          record,
          before,
          derived: derivedOf(record),
          knownId: before?.id ?? null,
          version: (before?.version ?? 0) + 1,
          createdAt: before?.created_at ?? at,
        };
      });
    if (written.length === 0) return 0;
    const ids = await repo.putCitizens(tx, written, source, at);
    const rows = written.map((one) => ({ ...one, id: ids.get(one.record.identifier) ?? 0 }));
    const lists = rows.filter(({ before, record }) => before === undefined || !sameLists(before.sync_hash, record.sync_hash));
    await repo.putChildren(
      tx,
      lists,
      lists.flatMap(({ knownId }) => knownId ?? []),
    );
    const documents = rows
      .filter(
        ({ before, derived }) => before === undefined || before.deleted_at !== null || before.search_hash !== derived.search_hash,
      )
      .map(({ id, record }) => searchDocument(id, record));
    if (documents.length > 0) await deps.search.put(tx, citizensSearchKind, documents);
    const labels = await deps.jobs.labels(tx);
    const licences = await deps.licences.labels(tx, [...new Set(rows.flatMap(({ record }) => record.licences))]);
    const changes = rows.map((row) => changeOf(sourceOf(row, at, deps.custom), row.record, labels, licences));
    await emit(tx, changes, at);
    return written.length;
  }

  async function differs(tx: Tx, items: readonly BatchItem<SyncUser>[]): Promise<boolean> {
    const hashes = await repo.liveHashes(
      tx,
      items.map(({ id }) => id),
    );
    return items.some(({ id, item }) => hashes.get(id) !== recordOf(item).sync_hash);
  }

  /** Deletes softly what is live of these; returns how many. */
  async function removeIn(tx: Tx, identifiers: readonly string[]): Promise<number> {
    const at = deps.clock.now();
    const live = [...(await repo.lockKnown(tx, identifiers)).values()].filter((one) => one.deleted_at === null);
    if (live.length === 0) return 0;
    const ids = live.map((one) => one.id);
    await repo.markDeleted(tx, ids, at);
    await deps.search.remove(tx, citizensSearchKind, ids);
    const gone = live.map((one): CitizenChange => ({
      id: one.id,
      version: one.version + 1,
      firstName: "",
      lastName: "",
      dateOfBirth: null,
      sex: null,
      height: null,
      updatedAt: at,
      hidden: [],
      deleted: true,
    }));
    await emit(tx, gone, at);
    return live.length;
  }

  return {
    count: countLive,
    liveIds: liveIdentifiers,
    sync: async (call: CallContext, body: { source?: string; items: readonly unknown[] }) => {
      const source = body.source ?? "default";
      return await deps.sync.applyBatch<SyncUser>(call, {
        kind: "users",
        action: syncUsers.id,
        schema: SyncUser,
        items: body.items,
        source,
        idOf: (user) => user.identifier,
        differs,
        apply: async (tx, items) => await apply(tx, items, source),
      });
    },
    syncDelete: async (call: CallContext, body: { source?: string; identifiers: readonly string[] }) =>
      await deps.sync.applyBatch<string>(call, {
        kind: "users",
        action: syncUsersDelete.id,
        schema: syncUsersDelete.input.body.properties.identifiers.items,
        items: body.identifiers,
        source: body.source ?? "default",
        idOf: (identifier) => identifier,
        apply: async (tx, items) =>
          await removeIn(
            tx,
            items.map(({ id }) => id),
          ),
      }),
    async remove(actor: Actor, identifiers: readonly string[]): Promise<number> {
      let removed = 0;
      for (let from = 0; from < identifiers.length; from += removedAtOnce) {
        removed += await deps.db.write("citizens.remove", async (tx) => {
          const count = await removeIn(tx, identifiers.slice(from, from + removedAtOnce));
          if (count > 0)
            await deps.audit.record(tx, actor, {
              action: "citizens.remove",
              object: { kind: "citizens", id: "manifest" },
              info: { count },
            });
          return count;
        });
      }
      return removed;
    },
  };
}

export type CitizensSync = ReturnType<typeof createCitizensSync>;
