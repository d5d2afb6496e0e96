import type { Viewer } from "#core/actor.ts";
import { guardErrors } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { JobLabels } from "./jobs.api.ts";
import { type JobInfo, type JobLink, jobsErrors, jobsPermissions } from "./jobs.contract.ts";

/** Labels by job name and grade number; a job or grade that the game has not sent is shown by its name or number. */
export function labelsOf(jobs: readonly JobInfo[]): JobLabels {
  const byName = new Map(
    jobs.map((job) => [
      job.name,
      { label: job.label, colour: job.colour, icon: job.icon, grades: new Map(job.grades.map((one) => [one.grade, one.label])) },
    ]),
  );
  return {
    label: (job) => byName.get(job)?.label ?? job,
    badge(job, grade) {
      const known = byName.get(job);
      return {
        name: job,
        label: known?.label ?? job,
        grade,
        gradeLabel: known?.grades.get(grade) ?? String(grade),
        ...(known?.colour === undefined ? {} : { colour: known.colour }),
        ...(known?.icon === undefined ? {} : { icon: known.icon }),
      };
    },
  };
}

/** Returns the viewer's job, which is the entered one while job admin is on; throws for any other job. */
export function checkJob(viewer: Viewer, job: string, known: JobInfo | null): JobInfo {
  if (viewer.job !== job && viewer.jobAdmin === null) throw new AppError(jobsErrors.otherJob, { params: { job } });
  if (!known) throw new AppError(jobsErrors.jobUnknown, { params: { job } });
  return known;
}

interface StoredLinks {
  readonly v: 1;
  readonly links: JobLink[];
}

/** The links of a job as they are stored; null for none. */
export function linksText(links: readonly JobLink[]): string | null {
  return links.length === 0 ? null : JSON.stringify({ v: 1, links });
}

export const linksOf = (text: string | null): JobLink[] => (text === null ? [] : (JSON.parse(text) as StoredLinks).links);

export function requireProperties(viewer: Viewer): void {
  const permission = jobsPermissions.properties.id;
  if (!viewer.rights.has(permission))
    throw new AppError(guardErrors.permissionMissing, { params: { permission, job: viewer.job } });
}
