import { describe, expect, test } from "vitest";
import { entryOf, namesWanted, rowOf, withNames } from "./audit.output.policy.ts";
import type { StoredEntry } from "./audit.repo.ts";

const system: StoredEntry = {
  ...{ id: 3, at: 1000, actor_kind: "system", actor_name: "cleanup", account_id: null, character_id: null },
  ...{ character_name: null, job: null, grade: null, admin_reason: null, seen_as: null, address: null, user_agent: null },
  ...{ trace_id: null, action: "files.cleaned", result: "ok", object_kind: null, object_id: null, target_kind: null },
  ...{ target_id: null, target_name: null, object_name: null, data: null, folded: 1 },
};
const person: StoredEntry = {
  ...system,
  ...{ actor_kind: "character", actor_name: "ann", account_id: 4, character_id: 12, character_name: "Ann Lee", job: "police" },
  ...{ grade: 0, admin_reason: "ticket 7", seen_as: "police/1", address: "10.0.0.1", user_agent: "Firefox, Windows" },
  ...{
    trace_id: "t1",
    action: "notices.updated",
    result: "denied",
    object_kind: "notice",
    object_id: "9",
    target_kind: "citizen",
  },
  ...{ target_id: 0, target_name: "Bo Ek", folded: 6 },
};

describe("an entry as it is listed", () => {
  test("has everything that is stored of who, what and whom", () => {
    expect(rowOf(person)).toEqual({
      id: 3,
      at: 1000,
      actor: {
        ...{ kind: "character", name: "ann", accountId: 4, characterId: 12, characterName: "Ann Lee", job: "police", grade: 0 },
        ...{ adminReason: "ticket 7", seenAs: "police/1" },
      },
      ...{ address: "10.0.0.1", program: "Firefox, Windows", traceId: "t1", action: "notices.updated", result: "denied" },
      object: { kind: "notice", id: "9", name: null },
      target: { kind: "citizen", id: 0, name: "Bo Ek" },
      folded: 6,
    });
  });

  test("of the program names no object and nobody", () => {
    expect(rowOf(system)).toMatchObject({
      object: null,
      target: null,
      address: null,
      actor: { kind: "system", accountId: null },
    });
  });

  test("about all objects of a kind has an object without an id", () => {
    expect(rowOf({ ...person, object_id: null }).object).toEqual({ kind: "notice", id: "", name: null });
  });

  test.each([{ target_kind: null }, { target_id: null }])("concerns nobody when half of the person is missing: %j", (half) => {
    expect(rowOf({ ...person, ...half }).target).toBeNull();
  });

  test("does not hold what was changed", () => {
    expect(JSON.stringify(rowOf({ ...person, data: '{"v":1,"before":{"title":"earlier"}}' }))).not.toContain("earlier");
  });
});

describe("an entry alone", () => {
  test.each<[string | null, object]>([
    [null, {}],
    ['{"v":1}', {}],
    ['{"v":1,"before":{"a":1},"after":{"a":2},"info":{"why":"x"}}', { before: { a: 1 }, after: { a: 2 }, info: { why: "x" } }],
    ['{"v":1,"before":null,"after":{"a":2}}', { before: null, after: { a: 2 } }],
    ['{"v":1,"after":false,"info":0}', { after: false, info: 0 }],
    ['{"v":1,"id":99,"result":"ok","secret":"x"}', {}],
  ])("with %s shows %j", (data, shown) => {
    expect(entryOf({ ...person, data })).toEqual({ ...rowOf(person), ...shown });
  });
});

test("objects and people without a stored name get the present one; a stored name stays", () => {
  const entry = (object_kind: string, object_id: string, target_name: string | null): StoredEntry => ({
    ...system,
    object_kind,
    object_id,
    target_kind: "citizen",
    target_id: 12,
    target_name,
  });
  const rows = [entry("account", "7", null), entry("account", "8", "Ann Lee"), entry("account", "manifest", "x")].map(rowOf);
  expect([namesWanted(rows, "account"), namesWanted(rows, "citizen"), namesWanted(rows, "role")]).toEqual([[7, 8], [12], []]);
  const names = new Map([
    ["account", new Map([[7, "mara"]])],
    ["citizen", new Map([[12, "Ann Married"]])],
  ]);
  expect(rows.map((row) => withNames(row, names)).map(({ object, target }) => [object?.name, target?.name])).toEqual([
    ["mara", "Ann Married"],
    [null, "Ann Lee"],
    [null, "x"],
  ]);
  const renamed = rowOf({ ...entry("account", "7", null), object_name: "mara then" });
  expect([namesWanted([renamed], "account"), withNames(renamed, names).object?.name]).toEqual([[], "mara then"]);
});
