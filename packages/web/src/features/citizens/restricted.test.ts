import { expect, test } from "vitest";
import { restrictedPart } from "./restricted.ts";

const hidden = [{ field: "phone", permission: "citizens.list" }];

test.each([
  ["is shown with its number", { field: "licences", count: 2 }, { missing: null, count: 2 }],
  ["is shown without a number when the role shows only some", { field: "licences", count: 2, limited: true }, { missing: null }],
  ["is shown when the role shows none of what may be there", { field: "licences", count: 0, limited: true }, { missing: null }],
  ["names the missing right", { field: "phone", count: undefined }, { missing: hidden[0] }],
  ["is left out when the profile does not have it", { field: "jobs", count: undefined }, null],
])("a part of the profile %s", (_what, part, expected) => {
  expect(restrictedPart({ hidden }, part)).toEqual(expected);
});
