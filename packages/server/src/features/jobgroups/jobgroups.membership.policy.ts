import type { GroupRule, MembershipKind } from "./jobgroups.base.contract.ts";

/** A live group, as far as it decides who is in it. */
export interface GroupNode {
  readonly id: number;
  readonly membership: MembershipKind;
  readonly rules: readonly GroupRule[];
  readonly contains: readonly number[];
}

/** What is known of one person, by group. */
export interface PersonFacts {
  readonly byHand: ReadonlySet<number>;
  /** Running exclusions: when they end, null for never. */
  readonly excluded: ReadonlyMap<number, number | null>;
  /** Rules that are met, by `ruleKey`: until when, null where no end is known. */
  readonly met: ReadonlyMap<string, number | null>;
}

export type Because =
  | { readonly kind: "hand" }
  | { readonly kind: "rule"; readonly rule: GroupRule; readonly until: number | null }
  | { readonly kind: "group"; readonly id: number };

export interface Standing {
  readonly member: boolean;
  readonly because: readonly Because[];
}

export const ruleKey = ({ kind, id, from, to }: GroupRule): string => `${kind} ${id} ${from} ${to}`;

/**
 * How one person stands to each group: in it by hand, by a rule or through a group in it, unless an exclusion wins.
 * Groups that are gone count for nothing.
 */
export function standings(groups: readonly GroupNode[], facts: PersonFacts): Map<number, Standing> {
  const byId = new Map(groups.map((group) => [group.id, group]));
  const found = new Map<number, Standing>();
  const standingOf = (group: GroupNode): Standing => {
    const known = found.get(group.id);
    if (known !== undefined) return known;
    // Stored groups have no circles; one would end here instead of running on.
    found.set(group.id, { member: false, because: [] });
    const because = [...ownReasons(group, facts), ...through(group)];
    const standing = { member: because.length > 0 && !facts.excluded.has(group.id), because };
    found.set(group.id, standing);
    return standing;
  };
  const through = ({ contains }: GroupNode): Because[] =>
    contains.flatMap((id) => {
      const child = byId.get(id);
      return child !== undefined && standingOf(child).member ? [{ kind: "group", id } as const] : [];
    });
  for (const group of groups) standingOf(group);
  return found;
}

function ownReasons({ id, membership, rules }: GroupNode, { byHand, met }: PersonFacts): Because[] {
  const hand: Because[] = membership !== "rule" && byHand.has(id) ? [{ kind: "hand" }] : [];
  if (membership === "hand") return hand;
  const byRule = rules.flatMap((rule) => {
    const until = met.get(ruleKey(rule));
    return until === undefined ? [] : [{ kind: "rule", rule, until } as const];
  });
  return [...hand, ...byRule];
}

/** When a fact of this person ends next, so that the groups are computed again; null for no known end. */
export function nextEnd({ excluded, met }: PersonFacts): number | null {
  const ends = [...excluded.values(), ...met.values()].filter((one) => one !== null);
  return ends.length === 0 ? null : Math.min(...ends);
}

/** What is wrong with the way in which groups stand one in the other. */
export interface NestingFault {
  readonly kind: "circle" | "tooDeep";
  /** From the outermost group to the innermost; of a circle the first one comes twice. */
  readonly chain: readonly number[];
}

/** The first circle, or chain of more than `most` groups; null for neither. */
export function nestingFault(groups: readonly Pick<GroupNode, "id" | "contains">[], most: number): NestingFault | null {
  const byId = new Map(groups.map((group) => [group.id, group]));
  const longest = new Map<number, readonly number[]>();
  const walk = (id: number, above: readonly number[]): NestingFault | readonly number[] => {
    const at = above.indexOf(id);
    if (at >= 0) return { kind: "circle", chain: [...above.slice(at), id] };
    const known = longest.get(id);
    if (known !== undefined) return known;
    let deepest: readonly number[] = [];
    for (const child of byId.get(id)?.contains ?? []) {
      if (!byId.has(child)) continue;
      const below = walk(child, [...above, id]);
      if ("kind" in below) return below;
      if (below.length > deepest.length) deepest = below;
    }
    const chain = [id, ...deepest];
    longest.set(id, chain);
    return chain;
  };
  let tooDeep: NestingFault | null = null;
  for (const { id } of groups) {
    const chain = walk(id, []);
    if ("kind" in chain) return chain;
    if (chain.length > most && chain.length > (tooDeep?.chain.length ?? 0)) tooDeep = { kind: "tooDeep", chain };
  }
  return tooDeep;
}
