import { decodeStateFrame, type StateEntry, type StateField } from "@rollcall/server/contract/core";

interface Known {
  readonly key: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The current state of a topic, assembled from its frames, by the index of the entry. */
export type StateOfTopic = ReadonlyMap<number, Known>;

export const nothingKnown: StateOfTopic = new Map();

function merged(before: Known | undefined, { key, fields }: StateEntry): Known | null {
  // An unknown entry without a name belongs to frames that were missed.
  const name = key ?? before?.key;
  if (name === undefined) return null;
  const values = key === null ? { ...before?.values, ...fields } : fields;
  return { key: name, values: Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) };
}

/** The state after one more frame; a full one replaces all. Throws `RangeError` for malformed frames. */
export function withFrame(known: StateOfTopic, fields: readonly StateField[], bytes: Uint8Array): StateOfTopic {
  const frame = decodeStateFrame(fields, bytes);
  const next = new Map(frame.full ? [] : known);
  for (const index of frame.removed) next.delete(index);
  for (const entry of frame.entries) {
    const value = merged(next.get(entry.index), entry);
    if (value) next.set(entry.index, value);
  }
  return next;
}

interface Colleague {
  readonly id: number;
  readonly name: string;
  readonly grade: number;
}

/** Each member once, however many windows are open; the highest grade first. */
export function colleaguesIn(state: StateOfTopic): Colleague[] {
  const found = new Map<number, Colleague>();
  for (const { values } of state.values()) {
    const { characterId, name, grade } = values as { characterId?: number; name?: string; grade?: number };
    if (characterId !== undefined) found.set(characterId, { id: characterId, name: name ?? "", grade: grade ?? 0 });
  }
  return [...found.values()].sort((a, b) => b.grade - a.grade || a.name.localeCompare(b.name));
}
