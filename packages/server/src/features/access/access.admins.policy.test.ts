import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { AdminLists } from "./access.api.ts";
import { adminPowers, adminStanding, groupsInForce, mergeLists, powerEntries, powerSources } from "./access.admins.policy.ts";

const runs = { seed: 28, numRuns: 400 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1) };
const none: AdminLists = { jobAdminGroups: [], jobAdminUsers: [], configAdminGroups: [], configAdminUsers: [] };

describe("the powers of an account", () => {
  test.each<[string, Partial<AdminLists>, { licence: string; groups: string[] }, boolean, boolean]>([
    ["nobody by default", {}, { licence: "0a1b", groups: ["admin"] }, false, false],
    [
      "a config admin may also enter job admin",
      { configAdminGroups: ["admin"] },
      { licence: "0a1b", groups: ["admin"] },
      true,
      true,
    ],
    ["a job admin is no config admin", { jobAdminGroups: ["lead"] }, { licence: "0a1b", groups: ["lead"] }, false, true],
    ["a licence with its prefix", { configAdminUsers: ["license:0a1b"] }, { licence: "0a1b", groups: [] }, true, true],
    ["a licence without it", { configAdminUsers: ["0a1b"] }, { licence: "license:0a1b", groups: [] }, true, true],
    ["a part of a licence is none", { configAdminUsers: ["0a1"] }, { licence: "0a1b", groups: [] }, false, false],
    [
      "groups are compared exactly",
      { configAdminGroups: ["admin"] },
      { licence: "0a1b", groups: ["Admin", "admin2"] },
      false,
      false,
    ],
    ["a group is no user", { configAdminUsers: ["admin"] }, { licence: "0a1b", groups: ["admin"] }, false, false],
    [
      "an account without a licence is named by no entry",
      { configAdminUsers: ["", "license:"] },
      { licence: "", groups: [] },
      false,
      false,
    ],
    ["nor is one with a bare prefix", { jobAdminUsers: [""] }, { licence: "license:", groups: [] }, false, false],
  ])("%s", (_what, lists, account, configAdmin, mayJobAdmin) => {
    expect(adminPowers({ ...none, ...lists }, account)).toEqual({ configAdmin, mayJobAdmin });
  });
});

describe("groups that the game sent and nobody confirmed", () => {
  const lists = { ...none, configAdminGroups: ["admin"], jobAdminGroups: ["lead"] };
  const claim = (groups: string[], confirmedGroups: string[]) => ({ licence: "0a1b", groups, confirmedGroups });

  test.each([
    [
      "count where no confirmation is asked for",
      claim(["admin"], []),
      false,
      { configAdmin: true, mayJobAdmin: true, waiting: null },
    ],
    ["wait for it where it is", claim(["admin"], []), true, { configAdmin: false, mayJobAdmin: false, waiting: "config" }],
    [
      "wait with the higher power",
      claim(["admin", "lead"], []),
      true,
      { configAdmin: false, mayJobAdmin: false, waiting: "config" },
    ],
    [
      "wait beside a power that is held",
      claim(["admin", "lead"], ["lead"]),
      true,
      { configAdmin: false, mayJobAdmin: true, waiting: "config" },
    ],
    ["wait for job admin", claim(["lead"], []), true, { configAdmin: false, mayJobAdmin: false, waiting: "job" }],
    [
      "add nothing to a config admin",
      claim(["admin", "lead"], ["admin"]),
      true,
      { configAdmin: true, mayJobAdmin: true, waiting: null },
    ],
    [
      "do not wait when they give no power",
      claim(["driver"], []),
      true,
      { configAdmin: false, mayJobAdmin: false, waiting: null },
    ],
    [
      "are not those that were confirmed and taken away",
      claim([], ["admin"]),
      true,
      { configAdmin: false, mayJobAdmin: false, waiting: null },
    ],
  ])("%s", (_what, account, confirm, standing) => {
    expect(adminStanding(lists, account, confirm)).toEqual(standing);
  });

  test("of an account that is named as a user do not wait", () => {
    const named = { ...lists, configAdminUsers: ["0a1b"] };
    expect(adminStanding(named, claim(["admin"], []), true)).toEqual({ configAdmin: true, mayJobAdmin: true, waiting: null });
  });
});

const name = fc.constantFrom<string>("a", "b", "license:a", "");
const someNames = fc.array(name, { maxLength: 3 });
const anyLists = fc.record({
  ...{ jobAdminGroups: someNames, jobAdminUsers: someNames, configAdminGroups: someNames, configAdminUsers: someNames },
});
const anyClaim = fc.record({ licence: name, groups: someNames, confirmedGroups: someNames });

describe("whatever the lists are", () => {
  test("confirmation only takes powers away, and what waits is what it took", () => {
    fc.assert(
      fc.property(anyLists, anyClaim, (lists, account) => {
        const [held, free] = [adminStanding(lists, account, true), adminStanding(lists, account, false)];
        const took = { config: free.configAdmin && !held.configAdmin, job: free.mayJobAdmin && !held.mayJobAdmin };
        expect([held.configAdmin && !free.configAdmin, held.mayJobAdmin && !free.mayJobAdmin]).toEqual([false, false]);
        expect(held.waiting).toBe(took.config ? "config" : took.job ? "job" : null);
        expect(free.waiting).toBeNull();
        expect(groupsInForce(account, true).every((one) => account.groups.includes(one))).toBe(true);
      }),
      runs,
    );
  });

  test("an entry explains each power, and no entry one that is not held", () => {
    fc.assert(
      fc.property(anyLists, anyLists, anyClaim, (config, panel, account) => {
        const entries = [...powerEntries(config, "config"), ...powerEntries(panel, "panel")];
        const powers = new Set(powerSources(entries, account).map(({ power }) => power));
        const held = adminPowers(mergeLists(config, panel), account);
        expect(held).toEqual({
          configAdmin: powers.has("configAdmin"),
          mayJobAdmin: powers.has("configAdmin") || powers.has("jobAdmin"),
        });
      }),
      runs,
    );
  });
});
