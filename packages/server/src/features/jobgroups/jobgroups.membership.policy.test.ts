import { describe, expect, test } from "vitest";
import { type GroupNode, nestingFault, nextEnd, type PersonFacts, ruleKey, standings } from "./jobgroups.membership.policy.ts";

const rule = { kind: "grade", id: null, from: 3, to: null };
const other = { kind: "label", id: 7, from: null, to: null };
const group = (id: number, more: Partial<GroupNode> = {}): GroupNode => ({
  ...{ id, membership: "both", rules: [], contains: [] },
  ...more,
});
const facts = (more: Partial<PersonFacts> = {}): PersonFacts => ({
  ...{ byHand: new Set<number>(), excluded: new Map<number, number | null>(), met: new Map<string, number | null>() },
  ...more,
});
const hand = facts({ byHand: new Set([1]) });
const met = facts({ met: new Map([[ruleKey(rule), 50]]) });

describe("somebody is in a group", () => {
  test.each<[string, GroupNode[], PersonFacts, boolean, string[]]>([
    ["by nothing", [group(1, { rules: [rule] })], facts(), false, []],
    ["by hand", [group(1)], hand, true, ["hand"]],
    ["by hand, where only rules count", [group(1, { membership: "rule" })], hand, false, []],
    ["by a rule", [group(1, { membership: "rule", rules: [other, rule] })], met, true, ["rule"]],
    ["by a rule, where only the hand counts", [group(1, { membership: "hand", rules: [rule] })], met, false, []],
    ["by both", [group(1, { rules: [rule] })], facts({ ...met, byHand: hand.byHand }), true, ["hand", "rule"]],
    ["in spite of an exclusion", [group(1)], facts({ byHand: hand.byHand, excluded: new Map([[1, null]]) }), false, ["hand"]],
    [
      "with an exclusion from another",
      [group(1)],
      facts({ byHand: hand.byHand, excluded: new Map([[2, null]]) }),
      true,
      ["hand"],
    ],
    ["through another", [group(1, { contains: [2] }), group(2, { rules: [rule] })], met, true, ["group"]],
    [
      "through one that only takes people by hand",
      [group(1, { membership: "hand", contains: [2] }), group(2, { rules: [rule] })],
      met,
      true,
      ["group"],
    ],
    [
      "through two others",
      [group(1, { contains: [2] }), group(2, { contains: [3] }), group(3, { rules: [rule] })],
      met,
      true,
      ["group"],
    ],
    [
      "through one from which they are excluded",
      [group(1, { contains: [2] }), group(2, { rules: [rule] })],
      facts({ ...met, excluded: new Map([[2, 90]]) }),
      false,
      [],
    ],
    ["through one that is gone", [group(1, { contains: [9] })], met, false, []],
  ])("%s", (_name, groups, person, member, because) => {
    const standing = standings(groups, person).get(1)!;
    expect([standing.member, standing.because.map(({ kind }) => kind)]).toEqual([member, because]);
  });

  test("in the same way in whatever order groups are read", () => {
    const groups = [group(1, { contains: [2] }), group(2, { contains: [3] }), group(3, { rules: [rule] })];
    const membersIn = (all: GroupNode[]) =>
      [...standings(all, met)].flatMap(([id, { member }]) => (member ? [id] : [])).toSorted((a, b) => a - b);
    expect(membersIn(groups)).toEqual([1, 2, 3]);
    expect(membersIn(groups.toReversed())).toEqual([1, 2, 3]);
  });
});

test("the next end is the first of exclusions and rules that have one", () => {
  expect(nextEnd(facts())).toBe(null);
  expect(nextEnd(facts({ excluded: new Map([[1, null]]) }))).toBe(null);
  expect(nextEnd(facts({ ...met, excluded: new Map([[1, 70]]) }))).toBe(50);
  expect(nextEnd(facts({ ...met, excluded: new Map([[1, 40]]) }))).toBe(40);
});

describe("groups one in the other", () => {
  const nested = (...edges: [number, number[]][]) => edges.map(([id, contains]) => ({ id, contains }));
  test.each([
    ["are none", nested([1, []], [2, []]), null],
    ["may be three", nested([1, [2]], [2, [3]], [3, []]), null],
    ["may meet again", nested([1, [2, 3]], [2, [4]], [3, [4]], [4, []]), null],
    ["are not four", nested([1, [2]], [2, [3]], [3, [4]], [4, []]), { kind: "tooDeep", chain: [1, 2, 3, 4] }],
    [
      "are not four, from whichever is read first",
      nested([4, []], [3, [4]], [2, [3]], [1, [2]]),
      { kind: "tooDeep", chain: [1, 2, 3, 4] },
    ],
    ["do not contain themselves", nested([1, [1]]), { kind: "circle", chain: [1, 1] }],
    ["are no circle", nested([1, [2]], [2, [3]], [3, [1]]), { kind: "circle", chain: [1, 2, 3, 1] }],
    ["are no circle below another", nested([9, [1]], [1, [2]], [2, [1]]), { kind: "circle", chain: [1, 2, 1] }],
    ["count without those that are gone", nested([1, [2]], [2, [3]], [3, [8]]), null],
  ])("%s", (_name, groups, expected) => {
    expect(nestingFault(groups, 3)).toEqual(expected);
  });
});
