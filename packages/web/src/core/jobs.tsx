import { createContext, useContext, useMemo, type ReactNode } from "react";
import { useQuery } from "@tanstack/react-query";
import type { OutputOf } from "@rollcall/server/contract/core";
import { jobsTopic, listJobs } from "@rollcall/server/contract/jobs";
import { useActiveIdentity } from "#core/abilities.ts";
import { queryOf } from "#core/queries.ts";
import { useFollow } from "#core/realtime/lists.ts";
import { useLive } from "#core/realtime/live.tsx";
import { session, useSession } from "#core/services.ts";

/** A job with its grades and its current appearance. */
export type Job = OutputOf<typeof listJobs>["jobs"][number];

const JobsContext = createContext<ReadonlyMap<string, Job>>(new Map());

/** The signed URLs of logos expire after some hours. Milliseconds. */
const RENEW = 60 * 60_000;

/** Jobs change rarely: read once, and reloaded when one changes. Nobody sees them before a character is chosen. */
export function useJobs() {
  const enabled = useSession().phase === "active";
  return useQuery({ ...queryOf(listJobs, {}), enabled, staleTime: RENEW, refetchInterval: RENEW });
}

/** A job by its name; undefined for an unknown one, and before a character is chosen. */
export function useJob(name: string): Job | undefined {
  return useContext(JobsContext).get(name);
}

/** Label of a job by its name. */
export function useJobLabels(): (name: string) => string {
  const jobs = useContext(JobsContext);
  return (name) => jobs.get(name)?.label || name;
}

/** Provides the current labels and appearance of jobs to all components below it. */
export function JobsProvider({ children }: { children: ReactNode }) {
  const { character } = useActiveIdentity();
  const { data } = useJobs();
  useFollow(jobsTopic);
  useLive(jobsTopic, {
    onEvent({ names }) {
      // The pages take the colour of the active character's job.
      if (names.includes(character.job.name)) session.renewRights().catch(() => undefined);
    },
    onSnapshot: () => undefined,
  });
  const known = useMemo(() => new Map((data?.jobs ?? []).map((job) => [job.name, job])), [data]);
  return <JobsContext value={known}>{children}</JobsContext>;
}
