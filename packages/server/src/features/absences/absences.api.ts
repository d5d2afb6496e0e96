import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";

/** Until when somebody is absent, without why. */
export interface AbsentNow {
  readonly citizenId: number;
  /** The first instant after it. Milliseconds UTC. */
  readonly until: number;
  /** The last day, in the zone of `loc`. */
  readonly lastDay: string;
  readonly substituteId: number | null;
}

/** An approved absence, as instants: the first is included, the other is not. */
export interface AbsentSpan {
  readonly citizenId: number;
  readonly from: number;
  readonly until: number;
}

export interface AbsencesApi {
  /** Of these citizens, those who are absent in the job at an instant. One statement. */
  of(tx: Tx, job: string, citizenIds: readonly number[], at: number): Promise<Map<number, AbsentNow>>;
  /** When these citizens were absent in the job, as far as it touches a time; the latest where they are too many. One statement. */
  during(tx: Tx, job: string, citizenIds: readonly number[], from: number, until: number): Promise<AbsentSpan[]>;
  /** Everybody who is absent in the job at an instant. One statement. */
  in(tx: Tx, job: string, at: number): Promise<AbsentNow[]>;
}

export const absencesApi = apiToken<AbsencesApi>("absences");
