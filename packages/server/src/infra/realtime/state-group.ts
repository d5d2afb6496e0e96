import type { StateEntry, StateField, StateValue } from "#core/contract/index.ts";
import { encodeStateFrame } from "#core/contract/index.ts";
import type { TopicGrant } from "#core/ports/index.ts";
import type { StateSubscription } from "./connection.ts";

export interface Held {
  readonly data: unknown;
  /** When it was published, milliseconds UTC. */
  readonly at: number;
  /** Published by this process, which repeats it to newcomers. */
  readonly own: boolean;
}

interface Sent {
  readonly index: number;
  fields: StateValue;
  at: number;
}

/** Viewers of one topic that see the same: one table of what they were told, one frame for all. */
export class StateGroup {
  readonly channel: number;
  readonly dirty = new Set<string>();
  /** False marks a member that missed a frame and needs a full one. */
  readonly members = new Map<StateSubscription, boolean>();
  readonly #fields: readonly StateField[];
  readonly #grant: TopicGrant;
  readonly #told = new Map<string, Sent>();
  readonly #free: number[] = [];
  #nextIndex = 0;

  constructor(channel: number, fields: readonly StateField[], grant: TopicGrant) {
    this.channel = channel;
    this.#fields = fields;
    this.#grant = grant;
  }

  /** Brings the table up to date with the changed keys; the frame of it, or null when nothing is to tell. */
  delta(values: ReadonlyMap<string, Held>, now: number): Uint8Array | null {
    const removed: number[] = [];
    const entries: StateEntry[] = [];
    for (const key of this.dirty) {
      const held = values.get(key);
      const seen = held ? (this.#grant.view(held.data) as StateValue | null | undefined) : null;
      const told = this.#told.get(key);
      if (held && seen) entries.push(this.#changed(key, told, seen, held.at, now));
      else if (told) {
        removed.push(told.index);
        this.#told.delete(key);
      }
    }
    this.dirty.clear();
    if (removed.length === 0 && entries.length === 0) return null;
    const frame = encodeStateFrame(this.#fields, {
      channel: this.channel,
      full: false,
      at: now,
      removed,
      entries,
    });
    // Reused only from the next frame on, as a receiver removes before it adds.
    this.#free.push(...removed);
    return frame;
  }

  #changed(key: string, told: Sent | undefined, seen: StateValue, at: number, now: number): StateEntry {
    const fields: Record<string, unknown> = {};
    for (const field of this.#fields) {
      if (!told || !same(field, told.fields[field.name], seen[field.name])) fields[field.name] = seen[field.name];
    }
    if (!told) for (const name of Object.keys(fields)) if (fields[name] === undefined) delete fields[name];
    const index = told?.index ?? this.#free.pop() ?? this.#nextIndex++;
    this.#told.set(key, { index, fields: seen, at });
    return { index, key: told ? null : key, ageMs: Math.max(0, now - at), fields };
  }

  /** All that the table holds. */
  full(now: number): Uint8Array {
    const entries = [...this.#told].map(([key, { index, fields, at }]) => {
      const known = Object.fromEntries(
        this.#fields.filter(({ name }) => fields[name] !== undefined).map(({ name }) => [name, fields[name]]),
      );
      return { index, key, ageMs: Math.max(0, now - at), fields: known };
    });
    return encodeStateFrame(this.#fields, {
      channel: this.channel,
      full: true,
      at: now,
      removed: [],
      entries,
    });
  }
}

function same({ kind, precision }: StateField, a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== typeof b || a === null || b === null || a === undefined) return false;
  if (kind === "steps") return Math.round((a as number) / precision) === Math.round((b as number) / precision);
  return kind === "json" && JSON.stringify(a) === JSON.stringify(b);
}
