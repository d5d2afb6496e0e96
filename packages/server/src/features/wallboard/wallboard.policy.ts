import { callsChanged } from "#features/calls/calls.contract.ts";
import { assignmentsChanged } from "#features/assignments/assignments.contract.ts";
import { dutyChanged, type DutyPerson } from "#features/duty/duty.contract.ts";
import { type BaseKind, baseKinds, unitsChanged } from "#features/units/units.contract.ts";

const ofJobs: ReadonlySet<string> = new Set([callsChanged.id, assignmentsChanged.id, unitsChanged.id]);

/** The jobs whose boards an event changes; null for one that changes none. */
export function changedJobs({ type, payload }: { readonly type: string; readonly payload: unknown }): readonly string[] | null {
  if (ofJobs.has(type)) return (payload as { readonly jobs: readonly string[] }).jobs;
  if (type !== dutyChanged.id) return null;
  const { items, left = [] } = payload as { readonly items: readonly DutyPerson[]; readonly left?: readonly DutyPerson[] };
  return [...new Set([...items, ...left].map(({ job }) => job.name))];
}

/** Units with a crew, by status; each status is there. */
export function countByBase(units: readonly { readonly base: BaseKind; readonly crew: readonly number[] }[]) {
  const crewed = units.filter(({ crew }) => crew.length > 0);
  return baseKinds.map((base) => ({ base, count: crewed.filter((unit) => unit.base === base).length }));
}
