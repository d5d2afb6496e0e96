import { TextInput } from "@mantine/core";
import { useJobs } from "#core/jobs.tsx";
import { part } from "#core/part.ts";
import type { JobSelectProps } from "./jobSelect.tsx";

const JobSelect = part<JobSelectProps>(
  [],
  () => import("./jobSelect.tsx"),
  ({ label }) => <TextInput label={label} disabled />,
);

/** A filter for one of the jobs, or none. */
export function JobFilter(props: Omit<JobSelectProps, "jobs" | "loading">) {
  const jobs = useJobs();
  return <JobSelect jobs={jobs.data?.jobs ?? []} loading={jobs.isPending} {...props} />;
}
