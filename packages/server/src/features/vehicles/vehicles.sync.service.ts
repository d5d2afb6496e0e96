import type { Actor } from "#core/actor.ts";
import type { CallContext } from "#core/feature.ts";
import type { Clock, Database, Outbox, Search, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import { citizenNames } from "#features/citizens/citizens.reads.ts";
import type { JobsApi } from "#features/jobs/jobs.api.ts";
import { type BatchItem, eventPortions, type SyncApi } from "#features/sync/sync.api.ts";
import { SyncVehicle, syncVehicles, syncVehiclesDelete, type VehicleChange, vehiclesChanged } from "./vehicles.contract.ts";
import { recordOf, wholeVehicle } from "./vehicles.policy.ts";
import * as repo from "./vehicles.repo.ts";

const removedAtOnce = 500;

export const searchKind = "vehicles";

export interface VehiclesSyncDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly search: Search;
  readonly sync: SyncApi;
  readonly audit: AuditApi;
  readonly jobs: JobsApi;
  readonly modelColumn: string | null;
}

type Written = repo.WrittenRecord & { readonly id: number };

export function createVehiclesSync(deps: VehiclesSyncDeps) {
  async function emit(tx: Tx, changes: readonly VehicleChange[], at: number): Promise<void> {
    for (const items of eventPortions(changes))
      await deps.outbox.emit(tx, vehiclesChanged, { key: "vehicles", version: at, payload: { items } });
  }

  /** As a read through the configured column would give it. */
  function sourceOf({ record, version, id }: Written, at: number): repo.VehicleSource {
    const moved = deps.modelColumn === null ? null : (record as unknown as Record<string, string | null>)[deps.modelColumn];
    return { ...record, id, version, updated_at: at, model: moved ?? null };
  }

  async function announce(tx: Tx, written: readonly Written[], at: number): Promise<void> {
    const owners = await citizenNames(tx, [...new Set(written.flatMap(({ record }) => record.owner_identifier ?? []))]);
    const context = { owners, labels: await deps.jobs.labels(tx), modelOff: deps.modelColumn === null };
    await emit(
      tx,
      written.map((one) => ({ ...wholeVehicle(sourceOf(one, at), context), deleted: false })),
      at,
    );
  }

  async function apply(tx: Tx, items: readonly BatchItem<SyncVehicle>[], source: string): Promise<number> {
    const at = deps.clock.now();
    const known = await repo.lockKnown(
      tx,
      items.map(({ id }) => id),
    );
    const changed = items
      .map(({ item }) => recordOf(item))
      .filter((record) => {
        const before = known.get(record.plate);
        return before === undefined || before.deleted_at !== null || before.sync_hash !== record.sync_hash;
      })
      .map((record) => {
        const before = known.get(record.plate);
        return {
          record,
          knownId: before?.id ?? null,
          version: (before?.version ?? 0) + 1,
          createdAt: before?.created_at ?? at,
        };
      });
    if (changed.length === 0) return 0;
    const ids = await repo.putVehicles(tx, changed, source, at);
    const written = changed.map((one) => ({ ...one, id: ids.get(one.record.plate) ?? 0 }));
    const documents = written
      .filter(({ record }) => {
        const before = known.get(record.plate);
        return before === undefined || before.deleted_at !== null || before.search_hash !== record.search_hash;
      })
      .map(({ id, record }) => ({
        id,
        texts: [
          { field: "plate", text: record.plate, weight: 2 },
          ...(record.model === null ? [] : [{ field: "model", text: record.model }]),
        ],
      }));
    if (documents.length > 0) await deps.search.put(tx, searchKind, documents);
    await announce(tx, written, at);
    return written.length;
  }

  async function differs(tx: Tx, items: readonly BatchItem<SyncVehicle>[]): Promise<boolean> {
    const hashes = await repo.liveHashes(
      tx,
      items.map(({ id }) => id),
    );
    return items.some(({ id, item }) => hashes.get(id) !== recordOf(item).sync_hash);
  }

  async function removeIn(tx: Tx, plates: readonly string[]): Promise<number> {
    const at = deps.clock.now();
    const live = [...(await repo.lockKnown(tx, plates)).values()].filter((one) => one.deleted_at === null);
    if (live.length === 0) return 0;
    const ids = live.map((one) => one.id);
    await repo.markDeleted(tx, ids, at);
    await deps.search.remove(tx, searchKind, ids);
    const gone = live.map((one): VehicleChange => ({
      id: one.id,
      version: one.version + 1,
      plate: one.plate,
      type: null,
      job: null,
      updatedAt: at,
      deleted: true,
    }));
    await emit(tx, gone, at);
    return live.length;
  }

  return {
    count: repo.countLive,
    liveIds: repo.livePlates,
    sync: async (call: CallContext, body: { source?: string; items: readonly unknown[] }) => {
      const source = body.source ?? "default";
      return await deps.sync.applyBatch<SyncVehicle>(call, {
        kind: "vehicles",
        action: syncVehicles.id,
        schema: SyncVehicle,
        items: body.items,
        source,
        idOf: (vehicle) => vehicle.plate,
        differs,
        apply: async (tx, items) => await apply(tx, items, source),
      });
    },
    syncDelete: async (call: CallContext, body: { source?: string; plates: readonly string[] }) =>
      await deps.sync.applyBatch<string>(call, {
        kind: "vehicles",
        action: syncVehiclesDelete.id,
        schema: syncVehiclesDelete.input.body.properties.plates.items,
        items: body.plates,
        source: body.source ?? "default",
        idOf: (plate) => plate,
        apply: async (tx, items) =>
          await removeIn(
            tx,
            items.map(({ id }) => id),
          ),
      }),
    async remove(actor: Actor, plates: readonly string[]): Promise<number> {
      let removed = 0;
      for (let from = 0; from < plates.length; from += removedAtOnce) {
        removed += await deps.db.write("vehicles.remove", async (tx) => {
          const count = await removeIn(tx, plates.slice(from, from + removedAtOnce));
          if (count > 0)
            await deps.audit.record(tx, actor, {
              action: "vehicles.remove",
              object: { kind: "vehicles", id: "manifest" },
              info: { count },
            });
          return count;
        });
      }
      return removed;
    },
  };
}

export type VehiclesSync = ReturnType<typeof createVehiclesSync>;
