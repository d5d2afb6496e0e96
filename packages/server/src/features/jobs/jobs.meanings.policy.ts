import type { JobMeaning, JobMeanings } from "./jobs.api.ts";

/** A name before which this stands means: in that job, off duty. */
const offDutyName = /^off(.+)$/;

/** As the settings have it. */
export interface JobNames {
  /** Other names of being off duty, each as `name:job`. */
  readonly offDutyNames: readonly string[];
  /** Names that mean a job of their own, although they read as being off duty in another one. */
  readonly notOffDuty: readonly string[];
  readonly unemployed: readonly string[];
}

/** What names of jobs mean, while these jobs exist. */
export function meaningsOf(jobs: readonly string[], { offDutyNames, notOffDuty, unemployed }: JobNames): JobMeanings {
  const known = new Set(jobs);
  const named = new Map(
    offDutyNames.map((one) => {
      const colon = one.indexOf(":");
      return [one.slice(0, colon), one.slice(colon + 1)] as const;
    }),
  );
  return {
    of(name, held = []): JobMeaning {
      const other = notOffDuty.includes(name) ? undefined : (named.get(name) ?? offDutyName.exec(name)?.[1]);
      const isMeant = other !== undefined && (known.has(other) || held.includes(other));
      return isMeant ? { job: other, offDuty: true } : { job: name, offDuty: false };
    },
    exists: (job) => known.has(job),
    isWork: (job) => !unemployed.includes(job),
  };
}
