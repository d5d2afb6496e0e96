import type { Actor } from "#core/actor.ts";
import type { Clock, Database, Tx } from "#core/ports/index.ts";
import type { AuditApi, AuditRecord } from "./audit.api.ts";
import { entryWords, type Searchable, targetOf, whoOf, withoutSecrets } from "./audit.policy.ts";
import { foldInto, indexEntry, insertEntry, type NewAuditEntry } from "./audit.repo.ts";

const foldWindowMs = 60_000;
const viewWindowMs = 60 * 60_000;
const viewWriteMs = 60_000;
const mostViews = 10_000;

interface Prepared {
  readonly entry: NewAuditEntry & Searchable;
  readonly words: readonly string[];
}

/** Repeated looks that are not written yet. */
interface View {
  readonly prepared: Prepared;
  writtenAt: number;
  pending: number;
}

export interface RecordDeps {
  readonly db: Database;
  readonly clock: Clock;
  /** Whether a feature declares this action. */
  declares(action: string): boolean;
}

export function createAuditRecorder(deps: RecordDeps) {
  const views = new Map<string, View>();

  function prepare(actor: Actor, record: AuditRecord): Prepared {
    if (!deps.declares(record.action)) throw new Error(`no feature declares the action ${record.action} of this audit entry`);
    const [before, after, info] = [record.before, record.after, record.info].map(withoutSecrets);
    const target = targetOf(record);
    const entry = {
      at: deps.clock.now(),
      ...whoOf(actor),
      action: record.action,
      result: record.result ?? "ok",
      object_kind: record.object?.kind ?? null,
      object_id: record.object === undefined ? null : String(record.object.id).slice(0, 64),
      target_kind: target?.kind ?? null,
      target_id: target?.id ?? null,
      target_name: target?.name ?? null,
      data: (before ?? after ?? info) === undefined ? null : JSON.stringify({ v: 1, before, after, info }),
    };
    return { entry, words: entryWords(entry, [before, after, info]) };
  }

  async function insert(tx: Tx, { entry, words }: Prepared): Promise<void> {
    await indexEntry(tx, await insertEntry(tx, entry), entry, words);
  }

  async function fold(tx: Tx, prepared: Prepared, windowMs: number, times: number): Promise<void> {
    const { entry } = prepared;
    if (!(await foldInto(tx, entry, entry.at - windowMs, times))) await insert(tx, prepared);
  }

  async function writeView(view: View, times: number): Promise<void> {
    await deps.db.write("audit.view", async (tx) => await fold(tx, view.prepared, viewWindowMs, times));
  }

  function keep(key: string, view: View): void {
    if (views.size >= mostViews) for (const [old, { pending }] of views) if (pending === 0) views.delete(old);
    views.set(key, view);
  }

  async function noteView(actor: Actor, record: AuditRecord): Promise<void> {
    const prepared = prepare(actor, record);
    const { entry } = prepared;
    const key = JSON.stringify([entry.actor_name, entry.character_id, entry.address, entry.action, entry.object_id]);
    const known = views.get(key);
    if (known && entry.at - known.prepared.entry.at < viewWindowMs) {
      known.pending += 1;
      if (entry.at - known.writtenAt < viewWriteMs) return;
      const times = known.pending;
      [known.pending, known.writtenAt] = [0, entry.at];
      return await writeView(known, times);
    }
    if (known && known.pending > 0) await writeView(known, known.pending);
    const view = { prepared, writtenAt: entry.at, pending: 0 };
    await writeView(view, 1);
    keep(key, view);
  }

  /** Counts what is not written yet. */
  async function flush(): Promise<void> {
    const waiting = [...views.values()].filter(({ pending }) => pending > 0);
    for (const view of waiting) {
      const times = view.pending;
      view.pending = 0;
      await writeView(view, times);
    }
  }

  const api: AuditApi = {
    record: async (tx, actor, record) => await insert(tx, prepare(actor, record)),
    recordFolded: async (tx, actor, record) => await fold(tx, prepare(actor, record), foldWindowMs, 1),
    noteView,
  };
  return { api, flush };
}
