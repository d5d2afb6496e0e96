import { describe, expect, test } from "vitest";
import type { Decider } from "#core/ports/index.ts";
import { classOf, concerns, listsChangeOf } from "./approvals.live.policy.ts";
import type { Standing } from "./approvals.policy.ts";

const mara: Standing = {
  accountId: 1,
  characterId: 11,
  job: "police",
  grade: 3,
  permissions: ["notices.create", "citizens.list"],
  configAdmin: false,
  jobAdmin: false,
};
const nobody = { deciders: [], accountIds: [], delegateIds: [] };

describe("whom a change of a request concerns", () => {
  const deciders: readonly [string, Decider, boolean][] = [
    ["config admins", { by: "configAdmins" }, false],
    ["a right", { by: "right", permission: "notices.create" }, true],
    ["a right in another job", { by: "right", permission: "notices.create", job: "justice" }, false],
    ["a right that is missing", { by: "right", permission: "jobs.edit" }, false],
    ["the own grade", { by: "grade", job: "police", minGrade: 3 }, true],
    ["a higher grade", { by: "grade", job: "police", minGrade: 4 }, false],
    ["the own character", { by: "citizen", id: 11 }, true],
    ["another citizen", { by: "citizen", id: 12 }, false],
  ];
  test.each(deciders)("who decides by %s", (_name, decider, expected) => {
    expect(concerns({ ...nobody, deciders: [decider] }, mara)).toBe(expected);
  });

  test("the requester, who decided before, and delegates; nobody else", () => {
    expect(concerns(nobody, mara)).toBe(false);
    expect(concerns({ ...nobody, accountIds: [2], delegateIds: [3] }, mara)).toBe(false);
    expect(concerns({ ...nobody, accountIds: [2, 1] }, mara)).toBe(true);
    expect(concerns({ ...nobody, delegateIds: [1] }, mara)).toBe(true);
  });

  test("both sides of a delegation", () => {
    const change = listsChangeOf({ accountIds: [1, 2] });
    expect([1, 2, 3].map((accountId) => concerns(change, { ...mara, accountId }))).toEqual([true, true, false]);
  });
});

test("viewers are of one class only when the same requests are theirs", () => {
  expect(classOf({ ...mara, permissions: ["citizens.list", "notices.create"] })).toBe(classOf(mara));
  const others = [
    { accountId: 2 },
    { characterId: 12 },
    { job: "justice" },
    { grade: 2 },
    { configAdmin: true },
    { jobAdmin: true },
    { permissions: [] },
  ];
  expect(others.filter((other) => classOf({ ...mara, ...other }) === classOf(mara))).toEqual([]);
});
