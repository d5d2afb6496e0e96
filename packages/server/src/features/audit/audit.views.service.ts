import type { Actor } from "#core/actor.ts";
import type { Database, Tx } from "#core/ports/index.ts";
import type { AuditRecord } from "./audit.api.ts";
import type { PreparedEntry } from "./audit.refusals.service.ts";

const windowMs = 60 * 60_000;
const writeEveryMs = 60_000;
const mostViews = 10_000;

export interface ViewsDeps {
  readonly db: Database;
  readonly prepare: (actor: Actor, record: AuditRecord) => PreparedEntry;
  /** Adds `times` to an identical entry of the last `windowMs`, or writes a new one. */
  readonly fold: (tx: Tx, prepared: PreparedEntry, windowMs: number, times: number) => Promise<void>;
}

/** The entry of a view in the current hour, and how many repeated views are not written yet. */
interface View {
  readonly prepared: PreparedEntry;
  writtenAt: number;
  pending: number;
}

/** Counts how often a viewer opened an object, in one entry per hour. */
export class ViewRecorder {
  readonly #deps: ViewsDeps;
  readonly #views = new Map<string, View>();

  constructor(deps: ViewsDeps) {
    this.#deps = deps;
  }

  async note(actor: Actor, record: AuditRecord): Promise<void> {
    const prepared = this.#deps.prepare(actor, record);
    const { entry } = prepared;
    const key = JSON.stringify([entry.actor_name, entry.character_id, entry.address, entry.action, entry.object_id]);
    const known = this.#views.get(key);
    if (known && entry.at - known.prepared.entry.at < windowMs) {
      known.pending += 1;
      if (entry.at - known.writtenAt < writeEveryMs) return;
      const times = known.pending;
      [known.pending, known.writtenAt] = [0, entry.at];
      return await this.#write(known, times);
    }
    if (known && known.pending > 0) await this.#write(known, known.pending);
    const view = { prepared, writtenAt: entry.at, pending: 0 };
    await this.#write(view, 1);
    this.#add(key, view);
  }

  /** Writes the counts that are still in memory. */
  async flush(): Promise<void> {
    const unwritten = [...this.#views.values()].filter(({ pending }) => pending > 0);
    for (const view of unwritten) {
      const times = view.pending;
      view.pending = 0;
      await this.#write(view, times);
    }
  }

  #add(key: string, view: View): void {
    const views = this.#views;
    if (views.size >= mostViews) for (const [old, { pending }] of views) if (pending === 0) views.delete(old);
    views.set(key, view);
  }

  async #write(view: View, times: number): Promise<void> {
    const { db, fold } = this.#deps;
    await db.write("audit.view", async (tx) => await fold(tx, view.prepared, windowMs, times));
  }
}
