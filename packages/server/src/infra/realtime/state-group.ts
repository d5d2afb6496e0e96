import type { StateEntry, StateField, StateValue } from "#core/contract/index.ts";
import { encodeStateFrame } from "#core/contract/index.ts";
import type { TopicGrant } from "#core/ports/index.ts";
import type { StateSubscription } from "./connection.ts";
import type { StateChange } from "./values.ts";

interface Sent {
  readonly index: number;
  fields: StateValue;
  at: number;
}

/** Viewers of one topic that see the same data: they share one table of sent values and each frame. */
export class StateGroup {
  readonly channel: number;
  readonly dirty = new Set<string>();
  /** False for a member that missed a frame and needs a full one. */
  readonly members = new Map<StateSubscription, boolean>();
  readonly #fields: readonly StateField[];
  readonly #grant: TopicGrant;
  readonly #sent = new Map<string, Sent>();
  readonly #free: number[] = [];
  #nextIndex = 0;

  constructor(channel: number, fields: readonly StateField[], grant: TopicGrant) {
    this.channel = channel;
    this.#fields = fields;
    this.#grant = grant;
  }

  /** Updates the table with the changed keys; returns the frame for it, or null without a change. */
  delta(values: ReadonlyMap<string, StateChange>, now: number): Uint8Array | null {
    const removed: number[] = [];
    const entries: StateEntry[] = [];
    for (const key of this.dirty) {
      const stored = values.get(key);
      const seen = stored ? (this.#grant.view(stored.data) as StateValue | null | undefined) : null;
      const sent = this.#sent.get(key);
      if (stored && seen) entries.push(this.#changed(key, sent, seen, stored.at, now));
      else if (sent) {
        removed.push(sent.index);
        this.#sent.delete(key);
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
    // Indexes are reused from the next frame on, because a receiver applies removals before entries.
    this.#free.push(...removed);
    return frame;
  }

  #changed(key: string, sent: Sent | undefined, seen: StateValue, at: number, now: number): StateEntry {
    const fields: Record<string, unknown> = {};
    for (const field of this.#fields) {
      if (!sent || !same(field, sent.fields[field.name], seen[field.name])) fields[field.name] = seen[field.name];
    }
    if (!sent) for (const name of Object.keys(fields)) if (fields[name] === undefined) delete fields[name];
    const index = sent?.index ?? this.#free.pop() ?? this.#nextIndex++;
    this.#sent.set(key, { index, fields: seen, at });
    return { index, key: sent ? null : key, ageMs: Math.max(0, now - at), fields };
  }

  /** A frame with the whole table. */
  full(now: number): Uint8Array {
    const entries = [...this.#sent].map(([key, { index, fields, at }]) => {
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
