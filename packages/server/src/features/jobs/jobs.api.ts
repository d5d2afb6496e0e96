import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";
import type { JobBadge, JobInfo } from "./jobs.contract.ts";

/** Labels of jobs and grades, found by name and grade number, never by position. */
export interface JobLabels {
  /** Falls back to the name and the number of what is not stored. Deleted jobs keep their labels until they are purged. */
  badge(job: string, grade: number): JobBadge;
  label(job: string): string;
}

export interface JobsApi {
  labels(tx: Tx): Promise<JobLabels>;
  /** Null for an unknown or deleted job. */
  job(tx: Tx, name: string): Promise<JobInfo | null>;
  /** Live jobs by name. */
  list(tx: Tx): Promise<readonly JobInfo[]>;
}

/** How a job and a grade are called together, in order: once where both have the same label, as "Unemployed" has. */
export const namesOfBadge = ({ label, gradeLabel }: Pick<JobBadge, "label" | "gradeLabel">): string[] =>
  label === gradeLabel ? [label] : [label, gradeLabel];

export const jobsApi = apiToken<JobsApi>("jobs");
