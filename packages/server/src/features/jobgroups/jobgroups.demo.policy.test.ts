import { expect, test } from "vitest";
import { demoGroups, demoPlaces } from "./jobgroups.demo.policy.ts";

test("the demo city has a group by grade, one by hand and one for both in it", () => {
  const groups = demoGroups([0, 1, 2, 3, 4, 5, 6]);
  expect(groups[demoPlaces.command]).toMatchObject({ membership: "rule", rules: [{ kind: "grade", from: 4, to: null }] });
  expect(groups[demoPlaces.training]).toMatchObject({ membership: "hand", rules: [] });
  expect(groups[demoPlaces.planning]!.membership).toBe("both");
  expect(demoGroups([1]).every(({ rules }) => rules.every(({ from }) => from === 0))).toBe(true);
});
