import type { OfferedJob } from "./calls.policy.ts";

/** A job of the call that stays, which merging brought or raised; `before` is null for one that was not among its jobs. */
export interface MergedJob {
  readonly job: string;
  readonly before: string | null;
}

interface Aged {
  readonly id: number;
  readonly created_at: number;
}

/** The older one stays. */
export function olderFirst<T extends Aged>(one: T, other: T): readonly [T, T] {
  const isFirst = one.created_at < other.created_at || (one.created_at === other.created_at && one.id < other.id);
  return isFirst ? [one, other] : [other, one];
}

const levels = ["view", "participate", "dispatch"];
const rank = (level: string) => levels.indexOf(level);

/** What becomes of the jobs of the call that stays when it gets those of the other one: of a job on both, the higher level. */
export function unitedJobs<T extends OfferedJob>(stays: readonly T[], goes: readonly T[]): { changed: MergedJob[]; jobs: T[] } {
  const changed: MergedJob[] = [];
  const jobs = goes.flatMap((one) => {
    const own = stays.find(({ job }) => job === one.job);
    if (own !== undefined && rank(own.level) >= rank(one.level)) return [];
    changed.push({ job: one.job, before: own?.level ?? null });
    return [one];
  });
  return { changed, jobs };
}

/** What one merge did to a number of the call that stays: the lower one of both counts, the priority as the wait clock. */
interface Lowered {
  /** What it has without any merged call. */
  readonly base: number;
  readonly own: number;
}

/** What the call that stays has without merged ones: people may have changed it since the last merge. */
export function baseOf(present: number, merges: readonly Lowered[]): number {
  const base = merges.at(-1)?.base ?? present;
  return present === lowest(base, merges) ? base : present;
}

/** The number after one merge is undone; what people changed since stays. */
export function restored(present: number, undone: Lowered, others: readonly Lowered[]): number {
  const base = others.at(-1)?.base ?? undone.base;
  return present === lowest(base, [...others, undone]) ? lowest(base, others) : present;
}

/** Merges before the last change by people had another base, and no longer count. */
const lowest = (base: number, merges: readonly Lowered[]) =>
  Math.min(base, ...merges.filter((one) => one.base === base).map(({ own }) => own));

export const storedJobs = (jobs: readonly MergedJob[]): string => JSON.stringify({ v: 1, jobs });

export const changedJobs = (text: string): readonly MergedJob[] =>
  (JSON.parse(text) as { readonly jobs: readonly MergedJob[] }).jobs;
