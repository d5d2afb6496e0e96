import type { Colleague, ColleagueRow } from "./colleagues.queries.ts";

/** The name with what the job writes before and behind it. */
export function fullName({ prefix, name, suffix }: Pick<ColleagueRow, "prefix" | "name" | "suffix">): string {
  return [prefix, name, suffix].filter(Boolean).join(" ");
}

/** What stands around the name of somebody. */
export interface Affixes {
  readonly id: number;
  readonly prefix: string | null;
  readonly suffix: string | null;
}

const byAnswer = new WeakMap<readonly Affixes[], ReadonlyMap<number, Affixes>>();

/** Found by the id, which the rows of a page do many times in one answer. */
export function affixesOf(items: readonly Affixes[] | undefined, id: number): Affixes | undefined {
  if (items === undefined) return undefined;
  const all = byAnswer.get(items) ?? new Map(items.map((one) => [one.id, one]));
  byAnswer.set(items, all);
  return all.get(id);
}

/** Changes when anything that a row shows changed: labels and duty have no version of their own. */
export function rowVersionOf({ version, onDuty, labels, job }: ColleagueRow): number {
  const shown = JSON.stringify([version, onDuty, labels, job.gradeLabel]);
  let hash = 0;
  for (let at = 0; at < shown.length; at++) hash = (Math.imul(hash, 31) + shown.charCodeAt(at)) | 0;
  return hash;
}

export const mayChange = ({ may }: Pick<Colleague, "may">, field: Colleague["may"][number]): boolean => may.includes(field);

/** A note that the viewer may not read is not shown to be written over. */
export const editsNote = (colleague: Colleague): boolean => mayChange(colleague, "note") && colleague.note !== undefined;
