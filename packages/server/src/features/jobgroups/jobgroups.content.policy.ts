import { foldLetters } from "#core/contract/fold.ts";
import { AppError } from "#core/errors.ts";
import { keptRows } from "#core/ordered.ts";
import { type GroupContent, jobgroupsErrors, mostGroups, mostLevels } from "./jobgroups.base.contract.ts";
import { type GroupNode, nestingFault } from "./jobgroups.membership.policy.ts";
import type { GroupRow } from "./jobgroups.repo.ts";

export const kept = keptRows<GroupRow>(mostGroups, {
  notFound: jobgroupsErrors.notFound,
  nameTaken: jobgroupsErrors.nameTaken,
  full: jobgroupsErrors.groupsFull,
  deletedFull: jobgroupsErrors.deletedFull,
});

/** Without what else the caller sent. */
export const trimmed = ({ name, short, ...content }: GroupContent): GroupContent => ({
  ...{ name: name.trim(), short: short.trim(), description: content.description.trim() },
  ...{ colour: content.colour, icon: content.icon, membership: content.membership },
  ...{ rules: content.rules, contains: content.contains },
});

export const contentOf = ({ name, short, colour, icon, description, membership }: GroupRow) => {
  return { name, short, colour, icon, description, membership };
};

export const columnsOf = ({ name, short, colour, icon, description, membership }: GroupContent) => {
  return { name, name_key: foldLetters(name), short, colour, icon, description, membership };
};

/** Rules and groups as texts, in which the audit log compares them. */
export function audited({ rules, contains, ...content }: GroupContent): Record<string, string | null> {
  const ruleText = ({ kind, id, from, to }: GroupContent["rules"][number]) =>
    id === null ? `${kind} ${from}–${to ?? ""}` : `${kind} ${id}`;
  return { ...content, rules: rules.map(ruleText).join(", "), contains: contains.map((id) => `GRP-${id}`).join(", ") };
}

/** Throws for a circle, and for too many groups one in the other, with their names. `fresh`: of one that has no row yet. */
export function requireNesting(nodes: readonly GroupNode[], rows: readonly Pick<GroupRow, "id" | "name">[], fresh: string): void {
  const fault = nestingFault(nodes, mostLevels);
  if (fault === null) return;
  const names = new Map(rows.map(({ id, name }) => [id, name]));
  const chain = fault.chain.map((id) => names.get(id) ?? fresh).join(" > ");
  throw fault.kind === "circle"
    ? new AppError(jobgroupsErrors.circle, { params: { chain } })
    : new AppError(jobgroupsErrors.tooDeep, { params: { chain, most: mostLevels } });
}
