import { describe, expect, test } from "vitest";
import type { Viewer } from "#core/actor.ts";
import { abilitiesOf, isVisible, requireAbility, requireShape } from "./jobgroups.policy.ts";

const viewerWith = (...rights: string[]) =>
  ({ job: "police", rights: { has: (id: string) => rights.includes(id.replace("jobgroups.", "")) } }) as unknown as Viewer;
const nothing = { own: false, leads: false };
const all = ["see", "explain", "hand", "exclude", "manage"];

describe("who may do what with a group", () => {
  test.each([
    ["nobody", [], nothing, false, []],
    ["a member", [], { own: true, leads: false }, true, []],
    ["a leader", [], { own: false, leads: true }, true, ["see", "explain", "hand"]],
    ["with list", ["list"], nothing, true, ["see"]],
    ["with members", ["members"], nothing, true, ["see", "explain", "hand", "exclude"]],
    ["with manage", ["manage"], nothing, true, ["see", "explain", "manage"]],
    ["with all", ["list", "members", "manage"], nothing, true, all],
    ["a leader who manages", ["manage"], { own: true, leads: true }, true, ["see", "explain", "hand", "manage"]],
  ])("%s", (_name, rights, relation, visible, abilities) => {
    const viewer = viewerWith(...rights);
    expect([isVisible(viewer, relation), abilitiesOf(viewer, relation)]).toEqual([visible, abilities]);
  });

  test.each([
    ["see", "jobgroups.list"],
    ["explain", "jobgroups.members"],
    ["hand", "jobgroups.members"],
    ["exclude", "jobgroups.members"],
    ["manage", "jobgroups.manage"],
  ] as const)("a refusal to %s names %s", (ability, permission) => {
    const refused = () => requireAbility(viewerWith(), ability, { leads: false });
    expect(refused).toThrow(expect.objectContaining({ params: { permission, job: "police" } }));
  });
});

test.each([
  [{ kind: "grade", id: null, from: 2, to: null }, true],
  [{ kind: "grade", id: null, from: 2, to: 2 }, true],
  [{ kind: "grade", id: null, from: 2, to: 1 }, false],
  [{ kind: "grade", id: null, from: null, to: 1 }, false],
  [{ kind: "grade", id: 3, from: 1, to: null }, false],
  [{ kind: "label", id: 3, from: null, to: null }, true],
  [{ kind: "label", id: null, from: null, to: null }, false],
  [{ kind: "label", id: 3, from: 1, to: null }, false],
])("the rule %j is one: %s", (rule, isOne) => {
  if (isOne) expect(() => requireShape(rule)).not.toThrow();
  else expect(() => requireShape(rule)).toThrow();
});
