/** A set of texts that keeps those added or looked up most recently. */
export interface Recent {
  has(text: string): boolean;
  add(text: string): void;
  remove(text: string): void;
}

/**
 * Drops the oldest tenth of a map or set with more than `most` entries. Not one at a time, because
 * finding the first entry of a map skips over all that were deleted before it.
 */
export function dropOldest<K>(
  known: { readonly size: number; keys(): Iterable<K>; delete(key: K): boolean },
  most: number,
): void {
  if (known.size <= most) return;
  let left = Math.ceil(most / 10);
  for (const key of known.keys()) {
    known.delete(key);
    if ((left -= 1) === 0) return;
  }
}

/** A map that drops its oldest entries when it has more than `max`. An entry is as old as its last `set`. */
export class BoundedMap<K, V> {
  readonly #max: number;
  readonly #entries = new Map<K, V>();

  constructor(max: number) {
    this.#max = max;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    dropOldest(this.#entries, this.#max);
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }
}

/** Keeps about `most` texts. */
export function createRecent(most: number): Recent {
  const known = new Set<string>();
  function add(text: string): void {
    known.delete(text);
    known.add(text);
    dropOldest(known, most);
  }
  return {
    has(text) {
      if (!known.has(text)) return false;
      add(text);
      return true;
    },
    add,
    remove: (text) => void known.delete(text),
  };
}
