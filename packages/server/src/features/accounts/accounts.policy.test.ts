import { expect, test } from "vitest";
import { adminNames, charactersMeant, confirmedOf, mayBeName, usernameKey, usernameValid } from "./accounts.policy.ts";

test("the compared form of a user name fits its column, however long its letters become", () => {
  for (const name of ["mara", "İbrahim", "ÄÖÜ.ß-1", "李小龙", "x".repeat(24), "İ".repeat(24)]) {
    expect([name, usernameValid(name)]).toEqual([name, true]);
    expect(usernameKey(name).length).toBeLessThanOrEqual(64);
  }
  expect(usernameValid("\uFDFA".repeat(24))).toBe(false);
  expect(usernameValid("ab")).toBe(false);
});

test("the names of admins are those of the configuration and of the panel, for both powers", () => {
  const lists = (name: string) => ({
    jobAdminGroups: [`${name} job`],
    jobAdminUsers: [`license:${name}1`],
    configAdminGroups: [`${name} config`],
    configAdminUsers: [`${name}2`],
  });
  expect(adminNames(lists("a"), lists("b"))).toEqual({
    groups: ["a config", "a job", "b config", "b job"],
    licences: ["a2", "a1", "b2", "b1"],
  });
});

test("new groups count at once unless they wait for a confirmation", () => {
  expect(confirmedOf(["old", "new"], ["old", "gone"], true)).toEqual(["old"]);
  expect(confirmedOf(["old", "new"], ["old", "gone"], false)).toEqual(["old", "new"]);
});

test("similar names count where nobody has the name itself, and licences are no names", () => {
  const whole = { id: 1, match: "whole", score: 2 } as const;
  const similar = { id: 2, match: "similar", score: 1 } as const;
  expect(charactersMeant([whole, similar])).toEqual([1]);
  expect(charactersMeant([similar])).toEqual([2]);
  expect(["mara lind", "Øystein", "", "0a1b2c3d", "actor5"].filter(mayBeName)).toEqual(["mara lind", "Øystein"]);
});
