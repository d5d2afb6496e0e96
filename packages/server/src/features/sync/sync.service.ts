import { CachedMap } from "#core/cached.ts";
import { retryOnDuplicate } from "#core/db/retry.ts";
import { AppError } from "#core/errors.ts";
import type { CallContext, Registry, SyncKind } from "#core/feature.ts";
import type { Clock, Database, IdempotencyKeys, Search, StatePublisher, Tx } from "#core/ports/index.ts";
import type { AuditApi } from "#features/audit/audit.api.ts";
import type { SyncApi } from "./sync.api.ts";
import type { Batch, BatchItem, ItemProblem } from "./sync.batch.api.ts";
import { batchLimit, type BatchResult, freshnessTopic, manifestLimit, type SyncStatus, syncErrors } from "./sync.contract.ts";
import { rejectedAs, sortItems } from "./sync.items.policy.ts";
import { syncKinds } from "./sync.kinds.contract.ts";
import { demoSource } from "#core/demo.ts";
import * as repo from "./sync.repo.ts";
import { SyncTableService } from "./sync.table.service.ts";

/** Share of a kind that a manifest may remove without a confirmed count. */
const certainShare = 0.1;
const idsAtOnce = 5000;
const mostMissing = 1000;
const bodyBytes = 4 * 1024 * 1024;
/** Batches without changes are recorded this often per kind and source; those with changes always. */
const noteMs = 1000;
const mostQuiet = 1000;

export interface SyncDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly search: Search;
  readonly state: StatePublisher;
  readonly audit: AuditApi;
  readonly registry: Registry;
  readonly version: string;
  readonly idempotency: IdempotencyKeys;
}

export interface ManifestInput {
  readonly kind: string;
  readonly source: string;
  readonly ids: readonly string[];
  readonly confirm: number | undefined;
}

function clientOf(call: CallContext): string | null {
  const agent = call.headers["user-agent"];
  return typeof agent === "string" ? agent.slice(0, 100) : null;
}

export class SyncService {
  readonly #deps: SyncDeps;
  /** By kind and source: those that were recorded lately and have sent no change since. */
  readonly #quiet: CachedMap<string, true>;

  get api(): SyncApi {
    return {
      idempotency: this.#deps.idempotency,
      applyBatch: async (call, batch) => await this.applyBatch(call, batch),
      sort: (batch) => sortItems(batch),
      lastDataAt: repo.lastDataAt,
      isDemo: async (tx) => await repo.hasSource(tx, demoSource),
      counts: async (tx) => await this.#counts(tx),
      table: (table) =>
        new SyncTableService({ ...this.#deps, applyBatch: async (call, batch) => await this.applyBatch(call, batch) }, table),
    };
  }

  constructor(deps: SyncDeps) {
    this.#deps = deps;
    this.#quiet = new CachedMap({ clock: deps.clock, ttlMs: noteMs, max: mostQuiet });
  }

  async applyBatch<Item, More extends object = object>(call: CallContext, batch: Batch<Item, More>): Promise<BatchResult & More> {
    const { db, clock, audit } = this.#deps;
    const { valid, merged, rejected } = sortItems<Item>(batch);
    const at = clock.now();
    const resultOf = (accepted: number, more: BatchResult["rejected"]): BatchResult & More => ({
      accepted,
      unchanged: valid.length - more.length + merged - accepted,
      rejected: [...rejected, ...more].sort((a, b) => a.index - b.index),
      ...(batch.more?.() as More),
    });
    if (await this.#hasNoChanges(batch, valid)) {
      this.#publishFreshness(at);
      return resultOf(0, []);
    }
    const result = await retryOnDuplicate(db, batch.action, async (tx) => {
      const problems = (await batch.problemsIn?.(tx, valid)) ?? new Map<string, ItemProblem>();
      const [taken, refused] = [valid.filter(({ id }) => !problems.has(id)), valid.filter(({ id }) => problems.has(id))];
      const changed = taken.length === 0 ? 0 : await batch.apply(tx, taken);
      await this.#noteSource(tx, call, batch.kind, batch.source, at);
      await audit.recordFolded(tx, call.actor, { action: batch.action, object: { kind: "source", id: batch.source } });
      const answer = resultOf(
        changed,
        refused.map(({ id, index }) => rejectedAs(index, id, problems.get(id)!)),
      );
      await call.keepAnswer(tx, answer);
      return answer;
    });
    const source = `${batch.kind} ${batch.source}`;
    if (result.accepted > 0) this.#quiet.invalidate(source);
    else this.#quiet.set(source, true);
    return result;
  }

  /**
   * A game server sends its whole city repeatedly. While a source has sent no changes, its next batch is
   * first compared without writing anything; only changes then open a unit of work.
   */
  async #hasNoChanges<Item>(batch: Batch<Item>, valid: readonly BatchItem<Item>[]): Promise<boolean> {
    const quiet = this.#quiet.fresh(`${batch.kind} ${batch.source}`) === true;
    if (!quiet || !batch.differs || valid.length === 0) return false;
    return !(await this.#deps.db.read(batch.action, async (tx) => await batch.differs?.(tx, valid)));
  }

  async status(): Promise<SyncStatus> {
    return await this.#deps.db.read("sync.status", async (tx) => {
      const sources = await repo.listSources(tx);
      const kinds: SyncStatus["kinds"] = (await this.#counts(tx)).map(({ kind, count }) => ({
        kind,
        count,
        sources: sources
          .filter((row) => row.kind === kind)
          .map((row) => ({ source: row.source, lastDataAt: row.last_data_at, clientVersion: row.client_version })),
      }));
      const items = this.#deps.registry.parts("syncLimits").map((one) => ({ kind: one.kind, items: one.items }));
      const limits = { batchItems: batchLimit, bodyBytes, manifestIds: manifestLimit, items };
      return { version: this.#deps.version, api: "v1", limits, kinds };
    });
  }

  async manifest(call: CallContext, input: ManifestInput) {
    const { db, clock, audit } = this.#deps;
    const kind = this.#kind(input.kind);
    if (!kind?.liveIds || !kind.remove) throw new Error(`no manifest for ${input.kind}`);
    const named = new Set(input.ids);
    const live = await this.#liveIds(kind);
    const missing = live.filter((id) => !named.has(id));
    const certain = missing.length <= live.length * certainShare;
    if (!certain && input.confirm !== missing.length) {
      throw new AppError(syncErrors.manifestTooUncertain, {
        params: { missing: missing.length, total: live.length, kind: input.kind },
      });
    }
    if (missing.length > 0) await call.reserveKey();
    const removed = missing.length === 0 ? 0 : await kind.remove(call.actor, missing);
    const at = clock.now();
    const stored = new Set(live);
    const unknown = [...named].filter((id) => !stored.has(id));
    const result = { removed, missingHere: unknown.slice(0, mostMissing), missingHereTotal: unknown.length };
    await db.write("sync.manifest", async (tx) => {
      await this.#noteSource(tx, call, input.kind, input.source, at);
      await audit.record(tx, call.actor, {
        action: "sync.manifest",
        object: { kind: "source", id: input.source },
        info: { kind: input.kind, ids: input.ids.length, removed },
      });
      await call.keepAnswer(tx, result);
    });
    return result;
  }

  /** Read page by page, so that a large city stays cheap. */
  async #liveIds(kind: SyncKind): Promise<string[]> {
    return await this.#deps.db.read("sync.manifest", async (tx) => {
      const all: string[] = [];
      for (;;) {
        const page = (await kind.liveIds?.(tx, all.at(-1) ?? "", idsAtOnce)) ?? [];
        all.push(...page);
        if (page.length < idsAtOnce) return all;
      }
    });
  }

  /** After a start the age of the data is known again. */
  async start(): Promise<void> {
    const at = await this.#deps.db.read("sync.freshness", repo.lastDataAt);
    if (at !== null) this.#publishFreshness(at);
  }

  async #counts(tx: Tx) {
    const counts: Awaited<ReturnType<SyncApi["counts"]>> = [];
    for (const kind of syncKinds) counts.push({ kind, count: (await this.#kind(kind)?.count(tx)) ?? 0 });
    return counts;
  }

  #kind(name: string) {
    return this.#deps.registry.parts("sync").find(({ kind }) => kind === name);
  }

  #publishFreshness(at: number): void {
    this.#deps.state.publish(freshnessTopic, "", { lastDataAt: at });
  }

  async #noteSource(tx: Tx, call: CallContext, kind: string, source: string, at: number): Promise<void> {
    await repo.noteSource(tx, { kind, source, last_data_at: at, client_version: clientOf(call) });
    tx.afterCommit(() => this.#publishFreshness(at));
  }
}
