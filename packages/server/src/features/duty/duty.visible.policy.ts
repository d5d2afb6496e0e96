import type { Viewer } from "#core/actor.ts";
import { AppError } from "#core/errors.ts";
import { dutyErrors, type DutyPerson, dutyPermissions } from "./duty.contract.ts";

/** The jobs of which a viewer sees who is on duty; null for all. */
export function visibleJobs({ job, jobAdmin, rights }: Viewer): ReadonlySet<string> | null {
  if (jobAdmin !== null) return null;
  const { id } = dutyPermissions.view;
  const more = rights.has(id) ? rights.attribute(id, "jobs") : undefined;
  return new Set([job, ...(Array.isArray(more) ? (more as readonly string[]) : [])]);
}

export function requireVisible(viewer: Viewer, job: string): void {
  if (visibleJobs(viewer)?.has(job) === false) throw new AppError(dutyErrors.notVisible, { params: { job } });
}

export interface DutyChanges {
  readonly items: readonly DutyPerson[];
  /** Of `items`, those who were on duty in another job, as ended there. */
  readonly left?: readonly DutyPerson[];
}

/** What a viewer of these jobs gets of a message: who has changed to a job that is not among them has left. */
export function visibleItems(visible: ReadonlySet<string> | null, { items, left = [] }: DutyChanges): readonly DutyPerson[] {
  if (visible === null) return items;
  const seen = items.filter(({ job }) => visible.has(job.name));
  const ids = new Set(seen.map(({ id }) => id));
  return [...seen, ...left.filter(({ id, job }) => visible.has(job.name) && !ids.has(id))];
}

/** Viewers with an equal one see the same. */
export const visibleClass = (visible: ReadonlySet<string> | null): string =>
  visible === null ? "*" : JSON.stringify([...visible].toSorted());
