import type { JobLabels } from "./jobs.api.ts";
import type { JobInfo } from "./jobs.contract.ts";

/** Labels by job name and grade number; what the game has not sent yet is shown by name and number. */
export function labelsOf(jobs: readonly JobInfo[]): JobLabels {
  const byName = new Map(
    jobs.map((job) => [
      job.name,
      { label: job.label, colour: job.colour, grades: new Map(job.grades.map((one) => [one.grade, one.label])) },
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
      };
    },
  };
}
