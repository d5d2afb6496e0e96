import { describe, expect, it } from "vitest";
import { changesBetween, changesOfLimits, copyOf, limitsOf, pasted, withGrant } from "./grants.ts";

const allow = (attributes = {}) => ({ allow: true, attributes });
const deny = { allow: false, attributes: {} };

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
