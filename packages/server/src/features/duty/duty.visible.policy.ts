import type { Viewer } from "#core/actor.ts";
import { type DutyPerson, dutyPermissions } from "./duty.contract.ts";

/** The jobs of which a viewer sees who is on duty; null for all. */
export function visibleJobs({ job, jobAdmin, rights }: Viewer): ReadonlySet<string> | null {
  if (jobAdmin !== null) return null;
  const { id } = dutyPermissions.view;
  const more = rights.has(id) ? rights.attribute(id, "jobs") : undefined;
  return new Set([job, ...(Array.isArray(more) ? (more as readonly string[]) : [])]);
}

/** What a viewer of these jobs gets of a message. */
export function visibleItems(visible: ReadonlySet<string> | null, items: readonly DutyPerson[]): readonly DutyPerson[] {
  return visible === null ? items : items.filter(({ job }) => visible.has(job.name));
}

/** Viewers with an equal one see the same. */
export const visibleClass = (visible: ReadonlySet<string> | null): string =>
  visible === null ? "*" : JSON.stringify([...visible].toSorted());
