import type { JobMeaning, JobMeanings, JobNames } from "./jobs.api.ts";

/** A name before which this stands means: in that job, off duty. */
const offDutyName = /^off(.+)$/;

/** By the name of the game. */
function namedJobs(offDutyNames: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    offDutyNames.map((one) => {
      const colon = one.indexOf(":");
      return [one.slice(0, colon), one.slice(colon + 1)] as const;
    }),
  );
}

/** Jobs whose names read as being off duty in another job, where the settings say nothing about them. */
export function foldedJobs(jobs: readonly string[], names: JobNames): { readonly name: string; readonly job: string }[] {
  const { of } = meaningsOf(jobs, names);
  const named = namedJobs(names.offDutyNames);
  return jobs.flatMap((name) => {
    const { job, offDuty } = of(name);
    return offDuty && !named.has(name) ? { name, job } : [];
  });
}

/** What names of jobs mean, while these jobs exist. */
export function meaningsOf(jobs: readonly string[], { offDutyNames, notOffDuty, unemployed }: JobNames): JobMeanings {
  const known = new Set(jobs);
  const named = namedJobs(offDutyNames);
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
