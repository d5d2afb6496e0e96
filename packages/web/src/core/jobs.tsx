import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from "react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { OutputOf } from "@rollcall/server/contract/core";
import { jobsTopic, listJobs } from "@rollcall/server/contract/jobs";
import { useActiveIdentity } from "#core/abilities.ts";
import { systemClock } from "#core/clock.ts";
import { queryOf } from "#core/queries.ts";
import { useLive } from "#core/realtime/live.tsx";
import { session } from "#core/services.ts";

/** A job with its grades and its current appearance. */
export type Job = OutputOf<typeof listJobs>["jobs"][number];

const JobsContext = createContext<ReadonlyMap<string, Job>>(new Map());

/** The signed URLs of logos expire after some hours. Milliseconds. */
const RENEW = 60 * 60_000;
/** A change reaches all open pages at once; their reloads are spread over this time. Milliseconds. */
const SPREAD = 500;

/** Jobs change rarely: read once, and reloaded when one changes. */
export function useJobs() {
  return useQuery({ ...queryOf(listJobs, {}), staleTime: RENEW, refetchInterval: RENEW });
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
  const queries = useQueryClient();
  const { data } = useJobs();
  const [changed, setChanged] = useState(false);
  useLive(jobsTopic, {
    onEvent({ names }) {
      setChanged(true);
      // The pages take the colour of the active character's job.
      if (names.includes(character.job.name)) session.renewRights().catch(() => undefined);
    },
    onSnapshot: () => setChanged(true),
  });
  useEffect(() => {
    if (!changed) return;
    return systemClock.after(systemClock.random() * SPREAD, () => {
      setChanged(false);
      void queries.invalidateQueries({ queryKey: [listJobs.id] });
    });
  }, [changed, queries]);
  const known = useMemo(() => new Map((data?.jobs ?? []).map((job) => [job.name, job])), [data]);
  return <JobsContext value={known}>{children}</JobsContext>;
}
