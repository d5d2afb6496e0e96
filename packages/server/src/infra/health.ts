import type { Clock, Health, PartCondition } from "#core/ports/index.ts";

/** The state of each part, with the instant of its last change. */
export function createHealth(clock: Clock): Health {
  const parts = new Map<string, { state: PartCondition; since: number; reason: string | null }>();
  const doubted = new Map<string, () => void>();
  return {
    doubt: (part) => doubted.get(part)?.(),
    onDoubt(part, listener) {
      doubted.set(part, listener);
      return () => void doubted.delete(part);
    },
    report(part, state, reason) {
      const known = parts.get(part);
      const since = known?.state === state ? known.since : clock.now();
      parts.set(part, { state, since, reason });
    },
    parts: () =>
      [...parts].map(([part, { state, since, reason }]) => ({
        part,
        state,
        age: Math.max(0, clock.now() - since),
        reason,
      })),
  };
}
