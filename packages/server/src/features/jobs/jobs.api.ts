import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";
import type { JobBadge, JobInfo } from "./jobs.contract.ts";

/** Labels of jobs and grades, found by name and grade number, never by position. */
export interface JobLabels {
  /** Falls back to the name and the number of what is not stored. Deleted jobs keep their labels until they are purged. */
  badge(job: string, grade: number): JobBadge;
  label(job: string): string;
}

/** What the game means by the name of a job. */
export interface JobMeaning {
  readonly job: string;
  /** The name says that the person has that job and is off duty. */
  readonly offDuty: boolean;
}

/** As the settings have it. */
export interface JobNames {
  /** Other names of being off duty, each as `name:job`. */
  readonly offDutyNames: readonly string[];
  /** Names that mean a job of their own, although they read as being off duty in another one. */
  readonly notOffDuty: readonly string[];
  readonly unemployed: readonly string[];
}

export interface JobMeanings {
  /** `held`: jobs of the person, which exist for this, also before the game has sent them. */
  of(name: string, held?: readonly string[]): JobMeaning;
  exists(job: string): boolean;
  /** False for what the game gives people who have no job: nobody is on duty in it. */
  isWork(job: string): boolean;
}

export interface JobsApi {
  labels(tx: Tx): Promise<JobLabels>;
  /** Null for an unknown or deleted job. */
  job(tx: Tx, name: string): Promise<JobInfo | null>;
  /** Live jobs by name. */
  list(tx: Tx): Promise<readonly JobInfo[]>;
  /** By the settings as they are known, or by these. */
  meanings(tx: Tx, names?: JobNames): Promise<JobMeanings>;
}

/** How a job and a grade are called together, in order: once where both have the same label, as "Unemployed" has. */
export const namesOfBadge = ({ label, gradeLabel }: Pick<JobBadge, "label" | "gradeLabel">): string[] =>
  label === gradeLabel ? [label] : [label, gradeLabel];

export const jobsApi = apiToken<JobsApi>("jobs");
