import type { RightsOf } from "#features/access/access.api.ts";

/** The modes of a session, as stored. */
export interface StoredModes {
  readonly admin_job: string | null;
  readonly admin_reason: string | null;
  readonly admin_until: number | null;
  readonly see_job: string | null;
  readonly see_grade: number | null;
  readonly see_until: number | null;
}

/** The job and grade in effect: the character's own, or those of a mode. */
export interface Standing {
  readonly job: string;
  readonly grade: number;
  readonly jobAdmin: { readonly reason: string; readonly until: number } | null;
  readonly seeAs: { readonly until: number } | null;
  readonly rightsOf: RightsOf;
}

/**
 * When a standing expires (milliseconds UTC), null when it does not. Seeing as a grade of a job that
 * was entered as job admin ends with whichever mode ends first.
 */
export function standingEnd(stored: StoredModes, { jobAdmin, seeAs, rightsOf }: Standing): number | null {
  if (jobAdmin !== null) return jobAdmin.until;
  if (seeAs === null) return null;
  const entered = rightsOf.within === undefined;
  return entered && stored.admin_until !== null ? Math.min(seeAs.until, stored.admin_until) : seeAs.until;
}

interface Own {
  readonly job: string;
  readonly grade: number;
}

/**
 * Seeing as a lower grade turns job admin off while it lasts; when it began in a job that was entered
 * as job admin, it ends with that mode. It never grants more than the character's own grade.
 */
export function standingOf(stored: StoredModes, own: Own, mayJobAdmin: boolean, topGrade: number, now: number): Standing {
  const { admin_job: adminJob, admin_until: adminUntil } = stored;
  const admin = mayJobAdmin && adminJob !== null && adminUntil !== null && adminUntil > now;
  const { see_job: job, see_grade: grade, see_until: until } = stored;
  if (job !== null && grade !== null && until !== null && until > now) {
    const entered = admin && job === adminJob;
    const below = job === own.job && grade < own.grade;
    if (below || (entered && grade <= topGrade)) {
      const ceiling = entered ? {} : { within: own.grade };
      return { job, grade, jobAdmin: null, seeAs: { until }, rightsOf: { job, grade, jobAdmin: false, ...ceiling } };
    }
  }
  if (!admin) return { ...own, jobAdmin: null, seeAs: null, rightsOf: { ...own, jobAdmin: false } };
  const entered = { job: adminJob, grade: topGrade };
  const jobAdmin = { reason: stored.admin_reason ?? "", until: adminUntil };
  return { ...entered, jobAdmin, seeAs: null, rightsOf: { ...entered, jobAdmin: true } };
}
