import type { SentKind } from "./colleagues.sync.contract.ts";

/** What the game says and what Rollcall saw within this time is one activity. */
export const togetherMs = 10 * 60_000;

/** How an activity is stored that the game sent before Rollcall saw what changed. */
export const nothingSeen = JSON.stringify({ v: 1, before: {}, after: {} });

/** A stored activity, as far as it decides what belongs to it. */
export interface Recorded {
  readonly id: number;
  readonly citizen_id: number;
  readonly job: string;
  readonly kind: string;
  readonly at: number;
  readonly actor_id: number | null;
  readonly reason: string | null;
  readonly game_key: string | null;
  readonly unseen: 0 | 1;
}

interface Wanted {
  readonly citizenId: number;
  readonly job: string;
  readonly kind: string;
  /** Who did it, as far as it is said. */
  readonly actorId: number | null;
}

const isOf = (one: Recorded, { citizenId, job, kind }: Wanted, at: number): boolean =>
  one.citizen_id === citizenId && one.job === job && one.kind === kind && one.at >= at - togetherMs;

/** Two do not speak of one change where they name different people who did it. */
const isOfSame = (one: Recorded, actorId: number | null): boolean =>
  one.actor_id === null || actorId === null || one.actor_id === actorId;

/**
 * What Rollcall saw, and of which the game has not said who did it. Of what somebody asked for from here that is known,
 * and the game repeats it.
 */
export function seenBefore(
  recorded: readonly Recorded[],
  wanted: Wanted & { readonly kind: SentKind },
  at: number,
): Recorded | null {
  if (wanted.kind === "remark") return null;
  const free = recorded.filter(
    (one) =>
      isOf(one, wanted, at) &&
      one.game_key === null &&
      (one.actor_id !== null || one.reason === null) &&
      isOfSame(one, wanted.actorId),
  );
  return free.findLast((one) => one.actor_id !== null && one.actor_id === wanted.actorId) ?? free.at(-1) ?? null;
}

/** What the game said of it before Rollcall saw it. */
export function sentBefore(recorded: readonly Recorded[], wanted: Wanted, at: number): Recorded | null {
  const sent = (one: Recorded) => isOf(one, wanted, at) && one.unseen === 1;
  return recorded.find((one) => sent(one) && isOfSame(one, wanted.actorId)) ?? null;
}

/** Different for each pair. */
export function keyOf(source: string, key: string): string {
  return `${source.length} ${source} ${key}`;
}
