import { dutyPermissions } from "@rollcall/server/contract/duty";
import type { ActiveIdentity } from "#core/session/session.ts";

/** The first of a person's names, as colleagues call each other. */
export const firstName = (name: string): string => name.trim().split(/\s+/)[0] ?? "";

/** Whether a viewer does not see who is on duty in this job; a job admin sees all. */
export function isUnseen(job: string, identity: Pick<ActiveIdentity, "character" | "jobAdmin" | "rights">): boolean {
  return identity.jobAdmin === null && !seenJobs(identity).includes(job);
}

/** The jobs of which a viewer sees who is on duty, the own one first; a job admin's mode names its own. */
export function seenJobs({ character, jobAdmin, rights }: Pick<ActiveIdentity, "character" | "jobAdmin" | "rights">): string[] {
  const more = rights[dutyPermissions.view.id]?.["jobs"];
  const own = jobAdmin?.job ?? character.job.name;
  return [...new Set([own, ...(Array.isArray(more) ? (more as string[]) : [])])];
}
