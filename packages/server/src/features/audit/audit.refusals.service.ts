import type { Actor } from "#core/actor.ts";
import { networkOf } from "#core/network.ts";
import type { Clock, Database, Log } from "#core/ports/index.ts";
import type { AuditRecord } from "./audit.api.ts";
import type { Searchable } from "./audit.policy.ts";
import { addFolded, indexEntry, insertEntry, type NewAuditEntry } from "./audit.repo.ts";

const windowMs = 60_000;
/** Most entries per minute: about one object with an address, about all objects, and without an object with an address, of each action. */
const mostEntries = { object: 5, objects: 200, networks: 20 };

/** An entry before it is written, and the words under which it will be found. */
export interface PreparedEntry {
  readonly entry: NewAuditEntry & Searchable;
  readonly words: readonly string[];
}

export interface RefusalsDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly prepare: (actor: Actor, record: AuditRecord) => PreparedEntry;
}

/** The maxima that apply to an entry, by the name of the counter. */
type Limits = Readonly<Record<string, number>>;

/** An entry whose minute is not over. */
interface Window {
  readonly prepared: PreparedEntry;
  readonly limits: Limits;
  /** The id of its row. */
  readonly stored: Promise<number>;
  readonly timer: { cancel(): void };
  pending: number;
}

interface Candidate {
  readonly prepared: PreparedEntry;
  readonly limits: Limits;
}

/** The actor with a network in place of the exact address. */
function withNetwork(actor: Actor, network: string): Actor {
  return "address" in actor ? { ...actor, address: network } : actor;
}

const keyOf = ({ entry }: PreparedEntry) =>
  JSON.stringify([entry.action, entry.actor_name, entry.object_kind, entry.object_id, entry.address, entry.data]);

/**
 * Records refusals that anonymous clients can cause at will. A flood of them writes a few hundred rows
 * a minute, no matter over how many networks and accounts it is spread. A flood against one account
 * does not displace entries about others.
 */
export class RefusalRecorder {
  readonly #deps: RefusalsDeps;
  readonly #windows = new Map<string, Window>();
  readonly #counters = new Map<string, number>();
  readonly #closing = new Set<Promise<void>>();

  constructor(deps: RefusalsDeps) {
    this.#deps = deps;
  }

  async note(actor: Actor, record: AuditRecord): Promise<void> {
    for (const { prepared, limits } of this.#candidates(actor, record)) {
      const key = keyOf(prepared);
      const open = this.#windows.get(key);
      if (open) {
        open.pending += 1;
        return;
      }
      if (this.#hasRoom(limits)) return await this.#open(key, prepared, limits);
    }
  }

  /** Writes the counts that are still in memory. */
  async flush(): Promise<void> {
    for (const [key, window] of this.#windows) this.#close(key, window);
    await Promise.all(this.#closing);
  }

  /** The entries in which a refusal may be counted, the most exact one first. */
  *#candidates(actor: Actor, record: AuditRecord): Generator<Candidate> {
    const { prepare } = this.#deps;
    const network = "address" in actor ? networkOf(actor.address) : "";
    const anywhere = (of: AuditRecord): PreparedEntry => {
      const { entry, words } = prepare(withNetwork(actor, ""), of);
      return { entry: { ...entry, address: null, user_agent: null, trace_id: null }, words };
    };
    const { object, target: _target, ...unnamed } = record;
    if (object !== undefined) {
      const all = { objects: mostEntries.objects };
      const one = { [`${object.kind} ${object.id}`]: mostEntries.object };
      yield { prepared: prepare(withNetwork(actor, network), record), limits: { ...all, ...one } };
      yield { prepared: anywhere(record), limits: all };
    }
    yield {
      prepared: prepare(withNetwork(actor, network), unnamed),
      limits: { [`networks ${record.action}`]: mostEntries.networks },
    };
    yield { prepared: anywhere(unnamed), limits: {} };
  }

  #hasRoom(limits: Limits): boolean {
    return Object.entries(limits).every(([name, most]) => (this.#counters.get(name) ?? 0) < most);
  }

  #count(limits: Limits, by: 1 | -1): void {
    for (const name of Object.keys(limits)) {
      const now = (this.#counters.get(name) ?? 0) + by;
      if (now === 0) this.#counters.delete(name);
      else this.#counters.set(name, now);
    }
  }

  async #open(key: string, prepared: PreparedEntry, limits: Limits): Promise<void> {
    const { db, clock } = this.#deps;
    const stored = db.write("audit.refused", async (tx) => await insertEntry(tx, prepared.entry));
    const timer = clock.setTimeout(() => this.#close(key, window), windowMs);
    const window: Window = { prepared, limits, stored, timer, pending: 0 };
    this.#windows.set(key, window);
    this.#count(limits, 1);
    try {
      await stored;
    } catch (error) {
      this.#remove(key, window);
      throw error;
    }
  }

  #close(key: string, window: Window): void {
    if (!this.#remove(key, window)) return;
    const done = this.#complete(window).finally(() => this.#closing.delete(done));
    this.#closing.add(done);
  }

  #remove(key: string, window: Window): boolean {
    if (this.#windows.get(key) !== window) return false;
    this.#windows.delete(key);
    window.timer.cancel();
    this.#count(window.limits, -1);
    return true;
  }

  async #complete(window: Window): Promise<void> {
    const { entry, words } = window.prepared;
    const searched = entry.object_id === null ? [] : words;
    if (window.pending === 0 && searched.length === 0) return;
    try {
      const id = await window.stored;
      await this.#deps.db.write("audit.refused", async (tx) => {
        if (window.pending > 0) await addFolded(tx, id, window.pending);
        await indexEntry(tx, id, entry, searched);
      });
    } catch (error) {
      this.#deps.log.warn({ err: error, count: window.pending }, "refusals could not be counted");
    }
  }
}
