/** A small seeded generator: the same seed gives the same values on every machine. */
export interface Random {
  /** From 0 up to 1. */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** A value by its weight. */
  weighted<T>(list: readonly (readonly [value: T, weight: number])[]): T;
  /** Another one that begins here: what it draws does not change what this one draws. */
  fork(): Random;
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: <T>(list: readonly T[]) => list[between(0, list.length - 1)] as T,
    weighted<T>(list: readonly (readonly [T, number])[]) {
      let rest = next() * list.reduce((sum, [, weight]) => sum + weight, 0);
      const found = list.find(([, weight]) => (rest -= weight) < 0) ?? list[list.length - 1];
      return (found as readonly [T, number])[0];
    },
    fork: () => createRandom(state),
  };
}

/** Returns values of `draw` without repetition. */
export function unique(draw: () => string): () => string {
  const used = new Set<string>();
  return () => {
    for (;;) {
      const value = draw();
      if (used.has(value)) continue;
      used.add(value);
      return value;
    }
  };
}
