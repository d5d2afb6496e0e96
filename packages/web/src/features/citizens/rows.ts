import type { OutputOf } from "@rollcall/server/contract/core";
import type { listCitizens } from "@rollcall/server/contract/citizens";
import { type CitizensSearch, isRanked } from "./citizens.search.ts";

type Row = OutputOf<typeof listCitizens>["items"][number];
type Job = NonNullable<Row["job"]>;
type WithJobs = Pick<Row, "job" | "jobs">;

/** All jobs that the viewer sees. A server of the version before names only the first one in lists. */
const jobsOf = ({ job, jobs }: WithJobs): readonly Job[] => jobs ?? (job ? [job] : []);

/** What a row shows of the jobs: the one that the list is filtered by, else the first, and which others there are. */
export function shownJobs(row: WithJobs, filter: string | undefined): { readonly job: Job; readonly others: Job[] } | null {
  const all = jobsOf(row);
  const job = all.find(({ name }) => name === filter) ?? row.job;
  return job ? { job, others: all.filter(({ name }) => name !== job.name) } : null;
}

/** Whether a row belongs in the list with these filters; null where only the server knows. */
export function fitsFilters(search: CitizensSearch, row: WithJobs & Pick<Row, "dateOfBirth">): boolean | null {
  const { dateOfBirth, job, phone } = search;
  if (job !== undefined && !jobsOf(row).some(({ name }) => name === job)) return false;
  if (dateOfBirth !== undefined && row.dateOfBirth !== dateOfBirth) return false;
  return isRanked(search) || phone !== undefined ? null : true;
}
