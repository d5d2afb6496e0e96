import { describe, expect, it } from "vitest";
import type { Translate } from "#core/i18n.ts";
import {
  changesBetween,
  changesOfLimits,
  choiceOf,
  copyOf,
  effectOf,
  firstValue,
  found,
  gradesAs,
  grouped,
  limitsOf,
  pasted,
  type Permission,
  reasonText,
  valueSummary,
  withGrant,
} from "./grants.ts";

const allow = (attributes = {}) => ({ allow: true, attributes });
const deny = { allow: false, attributes: {} };

describe("what holds with a choice in a role", () => {
  const at = { job: "police", grade: 3 };
  const decision = (held: boolean, grade: number | null) => ({
    permission: "a.b",
    held,
    reason: grade === null ? ("none" as const) : ("role" as const),
    from: grade === null ? null : { job: "police", grade },
    clipped: null,
    attributes: [],
  });
  const nothing = decision(false, null);
  const cases = [
    ["the same as below", "inherit", decision(true, 0), false, true, 0],
    ["allowed where lower grades are not", "allow", nothing, false, true, 3],
    ["allowed where lower grades are too: from theirs", "allow", decision(true, 0), false, true, 0],
    ["denied where lower grades are allowed", "deny", decision(true, 0), false, false, 3],
    ["denied where lower grades are too: from theirs", "deny", decision(false, 1), false, false, 1],
    ["allowed beyond the limits of the job", "allow", nothing, true, false, undefined],
  ] as const;
  it.each(cases)("%s", (_name, choice, inherited, beyond, held, from) => {
    const effect = effectOf(choice, { inherited, at, beyond });
    expect([effect?.held, effect?.from?.grade]).toEqual([held, from]);
  });

  it("of the default role comes from it", () => {
    expect(effectOf("allow", { inherited: undefined, at: null, beyond: false })).toMatchObject({ held: true, reason: "default" });
  });
});

describe("grants of a role", () => {
  it("are compared regardless of the order of their attributes", () => {
    expect(changesBetween({ a: allow({ x: ["1"], y: [] }) }, { a: allow({ y: [], x: ["1"] }) })).toEqual([]);
    expect(changesBetween({ a: allow(), b: deny }, { a: deny, c: allow() }).map(({ permission }) => permission)).toEqual([
      "a",
      "b",
      "c",
    ]);
  });

  it("inherit again when a grant is removed", () => {
    expect(withGrant({ a: allow(), b: deny }, "a", null)).toEqual({ b: deny });
    expect(withGrant({}, "a", deny)).toEqual({ a: deny });
  });

  it("are read unchanged from a copied role, and from no other text", () => {
    const grants = { a: allow({ jobs: { police: [0, 2] } }), b: deny };
    expect(pasted(copyOf(grants))).toEqual(grants);
    for (const text of ["", "{}", "null", '{"rollcall":"role","v":2,"grants":{}}', '{"rollcall":"role","v":1,"grants":{"a":1}}'])
      expect(pasted(text)).toBeNull();
  });

  it("become limits that permit what they allow", () => {
    expect(limitsOf({ a: allow({ x: ["1"] }), b: deny })).toEqual({ a: { x: ["1"] } });
  });

  it("represent changes of limits: permitted or denied", () => {
    expect(changesOfLimits([{ permission: "a", before: { x: ["1"] }, after: null }])).toEqual([
      { permission: "a", before: allow({ x: ["1"] }), after: deny },
    ]);
  });
});

describe("a text that is no copied role", () => {
  const role = (grants: unknown) => JSON.stringify({ rollcall: "role", v: 1, grants });

  it.each<[string, string]>([
    ["without grants", role(null)],
    ["with a list of grants", role([])],
    ["with a grant that has no attributes", role({ a: { allow: true } })],
    ["with attributes that are null", role({ a: { allow: true, attributes: null } })],
    ["with attributes in a list", role({ a: { allow: true, attributes: ["x"] } })],
    ["with a grant that is null", role({ a: null })],
    ["with an answer in words", role({ a: { allow: "yes", attributes: {} } })],
  ])("%s", (_what, text) => {
    expect(pasted(text)).toBeNull();
  });

  it("an empty role is one", () => {
    expect(pasted(copyOf({}))).toEqual({});
  });
});

describe("the search for permissions", () => {
  const texts: Record<string, string> = {
    "citizens.permissions.list": "List and search",
    "citizens.name": "Citizens",
    "citizens.fields.phone": "Phone",
    "access.nothing": "nothing",
  };
  const t = ((key: string, params: Record<string, unknown> = {}) => {
    const { defaultValue, ...rest } = params;
    return texts[key] ?? defaultValue ?? [key, ...Object.values(rest)].join(" ");
  }) as unknown as Translate;
  const permissions = ["citizens.list", "citizens.view", "vehicles.list"].map(
    (id) => ({ id, feature: id.split(".", 1)[0], attributes: [] }) as unknown as Permission,
  );
  const ids = (text: string) => found(t, permissions, text).map(({ id }) => id);

  it.each([
    ["", ["citizens.list", "citizens.view", "vehicles.list"]],
    ["  ", ["citizens.list", "citizens.view", "vehicles.list"]],
    ["LIST", ["citizens.list", "vehicles.list"]],
    ["search citizens", ["citizens.list"]],
    ["citizens search", ["citizens.list"]],
    ["search vehicles", []],
  ])("%j finds %j", (text, wanted) => {
    expect(ids(text)).toEqual(wanted);
  });

  it("groups by feature, in the order of the catalogue", () => {
    expect(grouped(permissions).map(({ feature, permissions: own }) => [feature, own.length])).toEqual([
      ["citizens", 2],
      ["vehicles", 1],
    ]);
  });

  it.each([
    [{ name: "whose", type: "rank" as const, values: ["own", "lower"] }, ["own"]],
    [{ name: "fields", type: "strings" as const, values: ["phone"] }, []],
    [{ name: "where", type: "jobGrades" as const, values: [] }, {}],
  ])("the first value of %j is %j", (attribute, value) => expect(firstValue(attribute)).toEqual(value));

  it.each<[string, Parameters<typeof valueSummary>[2], string]>([
    ["names", ["phone", "wings"], "Phone, wings"],
    ["an empty list", [], "nothing"],
    ["no job", {}, "nothing"],
    ["a highest grade and a list of grades", { police: 3, fire: [0, 2] }, "access.upTo police 3; access.onlyGrades fire 0, 2"],
  ])("a value in one line: %s", (_what, value, text) => {
    expect(valueSummary(t, "citizens", value)).toBe(text);
  });

  it.each([
    [undefined, "access.reason.none"],
    [{ reason: "role", held: true, from: { job: "p", grade: 2 } }, "access.reason.roleAllows access.grade 2"],
    [{ reason: "role", held: false, from: { job: "p", grade: 0 } }, "access.reason.roleDenies access.grade 0"],
    [{ reason: "default", held: true, from: null }, "access.reason.defaultAllows"],
    [{ reason: "default", held: false, from: null }, "access.reason.defaultDenies"],
    [{ reason: "jobAdmin", held: true, from: null }, "access.reason.jobAdmin"],
    [{ reason: "ownGrade", held: false, from: null }, "access.reason.ownGrade"],
  ])("the reason of %j is %s", (decision, text) => {
    expect(reasonText(t, decision as Parameters<typeof reasonText>[1])).toBe(text);
  });

  it("the reason names the grade as people know it", () => {
    const from = { job: "police", grade: 5 };
    const decision = { reason: "role", held: true, from } as Parameters<typeof reasonText>[1];
    expect(reasonText(t, decision, { grades: [{ grade: 5, label: "Captain" }] })).toMatch(
      /^access\.reason\.roleAllows .*Captain 5/,
    );
  });
});

describe("grades of a job in the other form", () => {
  const police = { grades: [0, 1, 2, 5].map((grade) => ({ grade })) };

  it.each<[string, boolean, number | number[], number | number[]]>([
    ["a highest grade becomes the grades that exist up to it", true, 2, [0, 1, 2]],
    ["also when it lies between two", true, 4, [0, 1, 2]],
    ["a list becomes its highest grade", false, [0, 2], 2],
    ["whatever the order of the list", false, [5, 0], 5],
    ["an empty list becomes the lowest", false, [], 0],
    ["a list stays one", true, [5, 0], [5, 0]],
    ["a highest grade stays one", false, 4, 4],
  ])("%s", (_what, only, grades, expected) => {
    expect(gradesAs(only, grades, police)).toEqual(expected);
  });
});

it("a choice says what a grant is, and its absence inherits", () => {
  expect([choiceOf(undefined), choiceOf(allow()), choiceOf(deny)]).toEqual(["inherit", "allow", "deny"]);
});
