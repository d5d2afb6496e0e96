import type { Actor } from "#core/actor.ts";
import type { Clock, Database, Log, Tx } from "#core/ports/index.ts";
import type { AuditRecord } from "./audit.api.ts";
import type { PreparedEntry } from "./audit.refusals.service.ts";
import { addFolded, type FoldedEntry } from "./audit.repo.ts";

const windowMs = 60 * 60_000;
const everyMs = 60_000;
/** Beyond, the oldest are forgotten early: the next view of one of them finds its entry in the database. */
const mostViews = 10_000;
/** Counts that are written in one unit of work. */
const writtenAtOnce = 200;

export interface ViewsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly prepare: (actor: Actor, record: AuditRecord) => PreparedEntry;
  /** Adds one to an identical entry of the last `windowMs`, or writes a new one; returns which. */
  readonly fold: (tx: Tx, prepared: PreparedEntry, windowMs: number) => Promise<FoldedEntry>;
}

/** The entry of a view in the current hour, and how many repeated views are not written yet. */
interface View {
  /** Its entry, once that is written. */
  readonly stored: Promise<FoldedEntry>;
  readonly openedAt: number;
  /** When its entry begins: another process may have written it before. */
  since: number;
  pending: number;
}

const keyOf = ({ entry }: PreparedEntry) => {
  const { actor_name, character_id, job, admin_reason, seen_as, address, action, object_id } = entry;
  return JSON.stringify([actor_name, character_id, job, admin_reason, seen_as, address, action, object_id]);
};

/**
 * Counts how often a viewer opened an object, in one entry per hour. Processes share the entry, because each looks for
 * one before it writes its first view. Only first views that reach several processes at the same instant are several
 * entries, at most one of each process: a lock that prevents it would make all views wait for one another.
 */
export class ViewRecorder {
  readonly #deps: ViewsDeps;
  /** Since when they are known, the oldest first. */
  readonly #views = new Map<string, View>();
  /** Those with a count, also when they are forgotten. */
  readonly #unwritten = new Set<View>();
  #timer: { cancel(): void } | null = null;
  #written: Promise<void> = Promise.resolve();

  constructor(deps: ViewsDeps) {
    this.#deps = deps;
  }

  async note(actor: Actor, record: AuditRecord): Promise<void> {
    const prepared = this.#deps.prepare(actor, record);
    const key = keyOf(prepared);
    const known = this.#views.get(key);
    if (!known || prepared.entry.at - known.since >= windowMs) return await this.#open(key, prepared);
    known.pending += 1;
    this.#unwritten.add(known);
    this.#startTimer();
    await known.stored;
  }

  /** Writes the counts that are still in memory. */
  async flush(): Promise<void> {
    await this.#writeCounts();
    this.#timer?.cancel();
    this.#timer = null;
  }

  /** The view is known before it is written, so that those at the same instant are counted and wait for it. */
  async #open(key: string, prepared: PreparedEntry): Promise<void> {
    const { at } = prepared.entry;
    const view: View = { stored: this.#store(prepared), openedAt: at, since: at, pending: 0 };
    // A key that is set again keeps its place, which would no longer be that of its age.
    this.#views.delete(key);
    this.#views.set(key, view);
    this.#forget(at);
    this.#startTimer();
    try {
      view.since = (await view.stored).at;
    } catch (error) {
      if (this.#views.get(key) === view) this.#views.delete(key);
      this.#unwritten.delete(view);
      throw error;
    }
  }

  async #store(prepared: PreparedEntry): Promise<FoldedEntry> {
    const { db, fold } = this.#deps;
    return await db.write("audit.view", async (tx) => await fold(tx, prepared, windowMs));
  }

  /** Looks at those that are forgotten, and at one more. */
  #forget(now: number): void {
    for (const [key, { openedAt }] of this.#views) {
      if (now - openedAt < windowMs && this.#views.size <= mostViews) return;
      this.#views.delete(key);
    }
  }

  /** Runs while views are known, and forgets them also when nobody opens another object. */
  #startTimer(): void {
    const { clock } = this.#deps;
    this.#timer ??= clock.setTimeout(() => {
      this.#timer = null;
      this.#forget(clock.now());
      if (this.#views.size > 0) this.#startTimer();
      void this.#writeCounts();
    }, everyMs);
  }

  async #writeCounts(): Promise<void> {
    const before = this.#written;
    this.#written = before.then(async () => {
      const views = [...this.#unwritten];
      this.#unwritten.clear();
      for (let at = 0; at < views.length; at += writtenAtOnce) await this.#write(views.slice(at, at + writtenAtOnce));
    });
    await this.#written;
  }

  /** Counts that cannot be written wait for the next minute. */
  async #write(views: readonly View[]): Promise<void> {
    const { db, log } = this.#deps;
    const counts: { readonly id: number; readonly view: View; readonly times: number }[] = [];
    for (const view of views) {
      const entry = await view.stored.catch(() => null);
      if (entry && view.pending > 0) counts.push({ id: entry.id, view, times: view.pending });
      view.pending = 0;
    }
    if (counts.length === 0) return;
    // In one order, so that two processes do not wait for each other's rows.
    counts.sort((a, b) => a.id - b.id);
    try {
      await db.write("audit.view", async (tx) => {
        for (const { id, times } of counts) await addFolded(tx, id, times);
      });
    } catch (error) {
      for (const { view, times } of counts) {
        view.pending += times;
        this.#unwritten.add(view);
      }
      this.#startTimer();
      log.warn({ err: error, count: counts.length }, "repeated views could not be counted");
    }
  }
}
