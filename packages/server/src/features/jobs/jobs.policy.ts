import type { Viewer } from "#core/actor.ts";
import { doorErrors } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import type { JobLabels } from "./jobs.api.ts";
import { type JobInfo, jobsErrors, jobsPermissions } from "./jobs.contract.ts";

/** Labels by job name and grade number; what the game has not sent yet is shown by name and number. */
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

/** One's own job, which is the entered one while job admin is on; throws for any other. Returns what is known of it. */
export function checkJob(viewer: Viewer, job: string, known: JobInfo | null): JobInfo {
  if (viewer.job !== job && viewer.jobAdmin === null) throw new AppError(jobsErrors.otherJob, { params: { job } });
  if (!known) throw new AppError(jobsErrors.jobUnknown, { params: { job } });
  return known;
}

export function needProperties(viewer: Viewer): void {
  const permission = jobsPermissions.properties.id;
  if (!viewer.rights.has(permission))
    throw new AppError(doorErrors.permissionMissing, { params: { permission, job: viewer.job } });
}
