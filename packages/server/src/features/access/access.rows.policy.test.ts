import { describe, expect, test } from "vitest";
import { definePermission } from "#core/contract/index.ts";
import {
  addedRows,
  idsBySource,
  namedRows,
  valuesOfChanges,
  valuesOfDecisions,
  valuesOfGrants,
  valuesOfLimitChanges,
} from "./access.rows.policy.ts";

const permissions = [
  definePermission("a.read", {
    rows: { type: "data", source: "x.rows" },
    others: { type: "data", source: "y.rows" },
    fields: { type: "strings", values: ["p"] },
  }),
  definePermission("a.write", { rows: { type: "data", source: "x.rows" } }),
];
const row = (id: string, permission = "a.read", attribute = "rows", source = "x.rows") => ({ permission, attribute, source, id });

describe("the rows that values name", () => {
  test("are those of attributes of data, without the name of every row", () => {
    const values = { rows: ["p", "*", "q"], fields: ["p"], unknown: ["r"] };
    expect(namedRows(permissions, [["a.read", values]])).toEqual([row("p"), row("q")]);
    expect(namedRows(permissions, [["a.gone", values]])).toEqual([]);
    expect(namedRows(permissions, [["a.read", { rows: { p: 3 } }]])).toEqual([]);
  });

  test("are added where that attribute of that permission did not name them before", () => {
    const before = [["a.read", { rows: ["p"] }]] as const;
    const after = [
      ["a.read", { rows: ["p", "q"], others: ["p"] }],
      ["a.write", { rows: ["p"] }],
    ] as const;
    expect(addedRows(permissions, before, after)).toEqual([
      row("q"),
      row("p", "a.read", "others", "y.rows"),
      row("p", "a.write"),
    ]);
    expect(addedRows(permissions, after, before)).toEqual([]);
  });

  test("are read once from each source", () => {
    const named = [row("p"), row("p", "a.write"), row("q"), row("p", "a.read", "others", "y.rows")];
    expect([...idsBySource(named)]).toEqual([
      ["x.rows", ["p", "q"]],
      ["y.rows", ["p"]],
    ]);
  });
});

describe("values are taken", () => {
  test("from grants, which may be missing", () => {
    expect(valuesOfGrants(new Map([["a.read", { allow: true, attributes: { rows: ["p"] } }]]))).toEqual([
      ["a.read", { rows: ["p"] }],
    ]);
    expect(valuesOfGrants(null)).toEqual([]);
  });

  test("from decisions, with what limits made smaller", () => {
    const attributes = [{ name: "rows", value: ["p"], from: null, unclipped: ["p", "q"] }];
    const decision = { permission: "a.read", held: true, reason: "role", from: null, clipped: null, attributes } as const;
    expect(valuesOfDecisions([decision])).toEqual([
      ["a.read", { rows: ["p"] }],
      ["a.read", { rows: ["p", "q"] }],
    ]);
  });

  test("from histories, before and after each change", () => {
    const [was, is] = [{ rows: ["p"] }, { rows: ["q"] }];
    expect(valuesOfLimitChanges([{ changes: [{ permission: "a.read", before: was, after: is }] }])).toEqual([
      ["a.read", was],
      ["a.read", is],
    ]);
    expect(valuesOfChanges([{ changes: [{ permission: "a.read", before: null, after: { attributes: is } }] }])).toEqual([
      ["a.read", is],
    ]);
  });
});
