import type { LabelChange } from "./colleagues.labels.contract.ts";

/** A label that somebody has. */
export interface Held {
  readonly name: string;
  /** The first instant after its last day. */
  readonly endsAt: number | null;
}

/** A change that has an effect. */
export interface Effect {
  readonly change: LabelChange;
  readonly endsAt: number | null;
  readonly before: Held | null;
}

export const pairOf = ({ id, label }: Pick<LabelChange, "id" | "label">): string => `${id} ${label}`;

/** Of the changes, those that change something; of several of one label and person, the last one counts. */
export function effectsOf(
  changes: readonly LabelChange[],
  held: ReadonlyMap<string, Held>,
  endOf: (until: string) => number,
): Effect[] {
  const last = new Map(changes.map((change) => [pairOf(change), change]));
  return [...last].flatMap(([pair, change]) => {
    const before = held.get(pair) ?? null;
    if (!change.given) return before === null ? [] : [{ change, endsAt: null, before }];
    const endsAt = change.until == null ? null : endOf(change.until);
    return before !== null && before.endsAt === endsAt ? [] : [{ change, endsAt, before }];
  });
}

/** Who has more than `most` labels after these effects, and would have more than before. */
export function overfull(effects: readonly Effect[], held: ReadonlyMap<string, Held>, most: number): number | null {
  const counts = new Map<number, number>();
  for (const pair of held.keys()) {
    const id = Number(pair.split(" ")[0]);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const grown = new Map<number, number>();
  for (const { change, before } of effects) {
    const step = change.given ? (before === null ? 1 : 0) : -1;
    grown.set(change.id, (grown.get(change.id) ?? 0) + step);
  }
  return [...grown].find(([id, step]) => step > 0 && (counts.get(id) ?? 0) + step > most)?.[0] ?? null;
}

/** The change that leads back. */
export function undoOf(
  { change: { id, label }, before }: Effect,
  lastDay: (endsAt: number | null) => string | null,
): LabelChange {
  return before === null ? { id, label, given: false } : { id, label, given: true, until: lastDay(before.endsAt) };
}
