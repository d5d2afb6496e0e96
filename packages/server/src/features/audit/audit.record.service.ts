import type { Actor } from "#core/actor.ts";
import type { Clock, Database, Log, Tx } from "#core/ports/index.ts";
import type { AuditApi, AuditCountQuestion, AuditCounts, AuditRecord } from "./audit.api.ts";
import type { AuditRow } from "./audit.contract.ts";
import { countByReason } from "./audit.counts.repo.ts";
import { rowOf } from "./audit.output.policy.ts";
import { actorColumns, entryWords, targetOf, withoutSecrets } from "./audit.policy.ts";
import { type PreparedEntry, RefusalRecorder } from "./audit.refusals.service.ts";
import { type FoldedEntry, foldInto, indexEntry, insertEntry } from "./audit.repo.ts";
import type { AuditSearch } from "./audit.search.service.ts";
import { ViewRecorder } from "./audit.views.service.ts";

const foldWindowMs = 60_000;
/** As much of an object's name as its column holds. */
const mostOfName = 110;
/** Most entries of one action that are added up for one answer. */
const mostCounted = 100_000;

export interface RecordDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether a feature declares this action. */
  readonly declares: (action: string) => boolean;
  /** Whether a feature declares this kind of object. */
  readonly declaresObject: (kind: string) => boolean;
  readonly search: AuditSearch;
}

/** Writes the audit log, and counts what stands in it. */
export class AuditRecorder implements AuditApi {
  readonly #deps: RecordDeps;
  readonly #refusals: RefusalRecorder;
  readonly #views: ViewRecorder;

  constructor(deps: RecordDeps) {
    this.#deps = deps;
    const { db, clock, log } = deps;
    const prepare = (actor: Actor, record: AuditRecord) => this.#prepare(actor, record);
    this.#refusals = new RefusalRecorder({ db, clock, log, prepare });
    this.#views = new ViewRecorder({
      db,
      clock,
      log,
      prepare,
      fold: async (tx, prepared, windowMs) => await this.#fold(tx, prepared, windowMs, 1),
    });
  }

  async record(tx: Tx, actor: Actor, record: AuditRecord): Promise<void> {
    await this.#insert(tx, this.#prepare(actor, record));
  }

  async recordFolded(tx: Tx, actor: Actor, record: AuditRecord, times = 1): Promise<void> {
    await this.#fold(tx, this.#prepare(actor, record), foldWindowMs, times);
  }

  async noteRefused(actor: Actor, record: AuditRecord): Promise<void> {
    await this.#refusals.note(actor, record);
  }

  async noteView(actor: Actor, record: AuditRecord): Promise<void> {
    await this.#views.note(actor, record);
  }

  async latest(tx: Tx, question: { readonly q?: string; readonly action?: string; readonly limit: number }): Promise<AuditRow[]> {
    return (await this.#deps.search.find(tx, { job: null }, question)).items.map(rowOf);
  }

  async countByReason(tx: Tx, question: AuditCountQuestion): Promise<AuditCounts> {
    return await countByReason(tx, question, mostCounted);
  }

  /** Writes the counts that are still in memory. */
  async flush(): Promise<void> {
    await this.#views.flush();
    await this.#refusals.flush();
  }

  #prepare(actor: Actor, record: AuditRecord): PreparedEntry {
    const { declares, declaresObject, clock } = this.#deps;
    if (!declares(record.action)) throw new Error(`no feature declares the action ${record.action} of this audit entry`);
    if (record.object && !declaresObject(record.object.kind))
      throw new Error(`no feature declares the object ${record.object.kind} of this audit entry`);
    const [before, after, info] = [record.before, record.after, record.info].map(withoutSecrets);
    const target = targetOf(record) ?? null;
    const entry = {
      at: clock.now(),
      ...actorColumns(actor),
      action: record.action,
      result: record.result ?? "ok",
      object_kind: record.object?.kind ?? null,
      object_id: record.object === undefined ? null : String(record.object.id).slice(0, 64),
      object_name: target === null ? (record.object?.name?.slice(0, mostOfName) ?? null) : null,
      target_kind: target?.kind ?? null,
      target_id: target?.id ?? null,
      target_name: target?.name ?? null,
      data: (before ?? after ?? info) === undefined ? null : JSON.stringify({ v: 1, before, after, info }),
    };
    return { entry, words: entryWords(entry, [before, after, info]) };
  }

  async #insert(tx: Tx, { entry, words }: PreparedEntry, folded = 1): Promise<FoldedEntry> {
    const id = await insertEntry(tx, { ...entry, folded });
    await indexEntry(tx, id, entry, words);
    return { id, at: entry.at };
  }

  async #fold(tx: Tx, prepared: PreparedEntry, windowMs: number, times: number): Promise<FoldedEntry> {
    const { entry } = prepared;
    return (await foldInto(tx, entry, entry.at - windowMs, times)) ?? (await this.#insert(tx, prepared, times));
  }
}
