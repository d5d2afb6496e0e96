import { days } from "#core/contract/index.ts";
import type { ActivityKind } from "./colleagues.base.contract.ts";
import type { ActivitySide } from "./colleagues.activity.contract.ts";

/** What was written of somebody who left returns within this time. */
export const returnMs = days(60);

/** A row as it is stored. */
export interface StoredColleague {
  readonly citizen_id: number;
  readonly job: string;
  readonly grade: number;
  readonly name_key: string;
  readonly since: number | null;
  readonly left_at: number | null;
  readonly note: string | null;
  readonly name_prefix: string | null;
  readonly name_suffix: string | null;
  readonly version: number;
}

/** What the game says of a person. */
export interface Person {
  readonly citizenId: number;
  readonly nameKey: string;
  /** Only work. Empty for somebody who is gone. */
  readonly jobs: readonly { readonly job: string; readonly grade: number }[];
  /** Nobody knows since when the person has these jobs: a new job is no hire that anybody saw. */
  readonly unknown: boolean;
}

export interface FollowedActivity {
  readonly kind: ActivityKind;
  readonly grade: number;
  readonly before: ActivitySide;
  readonly after: ActivitySide;
}

export interface Followed {
  readonly row: StoredColleague;
  readonly activity: FollowedActivity | null;
  /** Came back after the time: what was written before ends. */
  readonly forgets: boolean;
}

/** The highest grade first, in it by name. */
export function rankKey(grade: number, nameKey: string): string {
  return `${String(9999 - grade).padStart(4, "0")} ${nameKey}`;
}

function begun(
  person: Person,
  { job, grade }: Person["jobs"][number],
  at: number,
  before: StoredColleague | undefined,
): Followed {
  const forgets = before?.left_at != null && at - before.left_at > returnMs;
  const kept = before === undefined || forgets ? { note: null, name_prefix: null, name_suffix: null } : before;
  const since = person.unknown && before === undefined ? null : at;
  const row = {
    citizen_id: person.citizenId,
    job,
    grade,
    name_key: person.nameKey,
    since,
    left_at: null,
    note: kept.note,
    name_prefix: kept.name_prefix,
    name_suffix: kept.name_suffix,
    version: (before?.version ?? 0) + 1,
  };
  return { row, forgets, activity: since === null ? null : { kind: "hired", grade, before: {}, after: { grade } } };
}

function stayed(person: Person, grade: number, before: StoredColleague): Followed | null {
  if (before.grade === grade && before.name_key === person.nameKey) return null;
  const row = { ...before, grade, name_key: person.nameKey, version: before.version + 1 };
  const kind = grade > before.grade ? "promoted" : "demoted";
  const moved = { kind, grade, before: { grade: before.grade }, after: { grade } } as const;
  return { row, forgets: false, activity: grade === before.grade ? null : moved };
}

/** What changes in the rows of a person, who has these now. */
export function followed(person: Person, stored: readonly StoredColleague[], at: number): Followed[] {
  const byJob = new Map(stored.map((row) => [row.job, row]));
  const held = new Set(person.jobs.map(({ job }) => job));
  const present = person.jobs.flatMap((one) => {
    const before = byJob.get(one.job);
    return before === undefined || before.left_at !== null
      ? [begun(person, one, at, before)]
      : (stayed(person, one.grade, before) ?? []);
  });
  const gone = stored.filter((row) => row.left_at === null && !held.has(row.job));
  return [
    ...present,
    ...gone.map((row): Followed => {
      const activity = { kind: "left", grade: row.grade, before: { grade: row.grade }, after: {} } as const;
      return { row: { ...row, left_at: at, version: row.version + 1 }, forgets: false, activity };
    }),
  ];
}
