import { writeAnew } from "#core/db/anew.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext, Registry } from "#core/feature.ts";
import type { Clock, Database, StatePublisher } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { Batch, BatchItem, SyncApi } from "./sync.api.ts";
import { batchLimit, freshnessTopic, manifestLimit, type SyncStatus, syncErrors, syncKinds } from "./sync.contract.ts";
import { sortItems } from "./sync.items.policy.ts";
import * as repo from "./sync.repo.ts";

/** Share of a kind that a manifest may remove without a confirmed count. */
const certainShare = 0.1;
const idsAtOnce = 5000;
const mostMissing = 1000;
const bodyBytes = 4 * 1024 * 1024;
/** Batches without news are noted this often per kind and source; those with news always. */
const noteMs = 1000;
const mostQuiet = 1000;

export interface SyncDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly state: StatePublisher;
  readonly audit: AuditApi;
  readonly registry: Registry;
  readonly version: string;
}

export interface ManifestInput {
  readonly kind: string;
  readonly source: string;
  readonly ids: readonly string[];
  readonly confirm: number | undefined;
}

export function createSyncService(deps: SyncDeps) {
  const clientOf = (call: CallContext) => {
    const agent = call.headers["user-agent"];
    return typeof agent === "string" ? agent.slice(0, 100) : null;
  };

  function tellFreshness(at: number): void {
    deps.state.publish(freshnessTopic, "", { lastDataAt: at });
  }

  /** By kind and source: when it was noted last, while nothing has changed since. */
  const quiet = new Map<string, number>();

  /**
   * A game server sends its whole city again and again. While a source has had no news, its next
   * batch is first compared without writing anything; only news then open a unit of work.
   */
  async function hasNoNews<Item>(batch: Batch<Item>, valid: readonly BatchItem<Item>[], at: number): Promise<boolean> {
    const noted = quiet.get(`${batch.kind} ${batch.source}`);
    if (noted === undefined || !batch.differs || valid.length === 0 || Math.abs(at - noted) >= noteMs) return false;
    return !(await deps.db.read(batch.action, async (tx) => await batch.differs?.(tx, valid)));
  }

  async function applyBatch<Item>(call: CallContext, batch: Batch<Item>) {
    const { valid, rejected } = sortItems(batch.schema, batch.items, batch.idOf);
    const at = deps.clock.now();
    if (await hasNoNews(batch, valid, at)) {
      tellFreshness(at);
      return { accepted: 0, unchanged: valid.length, rejected };
    }
    const accepted = await writeAnew(deps.db, batch.action, async (tx) => {
      const changed = valid.length === 0 ? 0 : await batch.apply(tx, valid);
      await repo.noteSource(tx, {
        kind: batch.kind,
        source: batch.source,
        last_data_at: at,
        client_version: clientOf(call),
      });
      await deps.audit.recordFolded(tx, call.actor, {
        action: batch.action,
        object: { kind: "source", id: batch.source },
      });
      tx.afterCommit(() => tellFreshness(at));
      return changed;
    });
    const source = `${batch.kind} ${batch.source}`;
    if (accepted > 0) quiet.delete(source);
    else quiet.set(source, at);
    if (quiet.size > mostQuiet) quiet.clear();
    return { accepted, unchanged: valid.length - accepted, rejected };
  }

  async function status(): Promise<SyncStatus> {
    return await deps.db.read("sync.status", async (tx) => {
      const sources = await repo.listSources(tx);
      const kinds: SyncStatus["kinds"] = [];
      for (const kind of syncKinds) {
        const provider = deps.registry.syncKinds().find((one) => one.kind === kind);
        kinds.push({
          kind,
          count: provider === undefined ? 0 : await provider.count(tx),
          sources: sources
            .filter((row) => row.kind === kind)
            .map((row) => ({
              source: row.source,
              lastDataAt: row.last_data_at,
              clientVersion: row.client_version,
            })),
        });
      }
      return {
        version: deps.version,
        api: "v1",
        limits: { batchItems: batchLimit, bodyBytes, manifestIds: manifestLimit },
        kinds,
      };
    });
  }

  /** Live ids that the manifest does not name. Read page by page, so that a large city stays cheap. */
  async function compare(kind: string, ids: ReadonlySet<string>) {
    const provider = deps.registry.syncKinds().find((one) => one.kind === kind);
    const { liveIds, remove } = provider ?? {};
    if (!liveIds || !remove) throw new Error(`no manifest for ${kind}`);
    const live = await deps.db.read("sync.manifest", async (tx) => {
      const all: string[] = [];
      for (;;) {
        const page = await liveIds(tx, all.at(-1) ?? "", idsAtOnce);
        all.push(...page);
        if (page.length < idsAtOnce) return all;
      }
    });
    const held = new Set(live);
    const unknown = [...ids].filter((id) => !held.has(id));
    return { gone: live.filter((id) => !ids.has(id)), total: live.length, unknown, remove };
  }

  async function manifest(call: CallContext, input: ManifestInput) {
    const { gone, total, unknown, remove } = await compare(input.kind, new Set(input.ids));
    const certain = gone.length <= total * certainShare;
    if (!certain && input.confirm !== gone.length) {
      throw new AppError(syncErrors.manifestTooUncertain, {
        params: { missing: gone.length, total, kind: input.kind },
      });
    }
    const removed = gone.length === 0 ? 0 : await remove(call.actor, gone);
    const at = deps.clock.now();
    await deps.db.write("sync.manifest", async (tx) => {
      await repo.noteSource(tx, {
        kind: input.kind,
        source: input.source,
        last_data_at: at,
        client_version: clientOf(call),
      });
      await deps.audit.record(tx, call.actor, {
        action: "sync.manifest",
        object: { kind: "source", id: input.source },
        info: { kind: input.kind, ids: input.ids.length, removed },
      });
      tx.afterCommit(() => tellFreshness(at));
    });
    return { removed, missingHere: unknown.slice(0, mostMissing), missingHereTotal: unknown.length };
  }

  /** After a start the age of the data is known again. */
  async function start(): Promise<void> {
    const at = await deps.db.read("sync.freshness", repo.lastDataAt);
    if (at !== null) tellFreshness(at);
  }

  const api: SyncApi = { applyBatch, lastDataAt: repo.lastDataAt };
  return { api, status, manifest, start };
}

export type SyncService = ReturnType<typeof createSyncService>;
