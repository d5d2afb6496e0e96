import { lazy, Suspense } from "react";
import { TextInput } from "@mantine/core";
import { useJobs } from "#core/jobs.tsx";
import type { JobSelectProps } from "./jobSelect.tsx";

const JobSelect = lazy(() => import("./jobSelect.tsx"));

/** A filter for one of the jobs, or none. */
export function JobFilter(props: Omit<JobSelectProps, "jobs" | "loading">) {
  const jobs = useJobs();
  return (
    <Suspense fallback={<TextInput label={props.label} disabled />}>
      <JobSelect jobs={jobs.data?.jobs ?? []} loading={jobs.isPending} {...props} />
    </Suspense>
  );
}
