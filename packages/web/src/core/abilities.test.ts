import { expect, test } from "vitest";
import { everyRow } from "@rollcall/server/contract/core";
import { abilitiesOf } from "./abilities.ts";

const list = { id: "citizens.list" };

test.each([
  ["nothing of the kind", {}, false],
  ["every row", { licenceTypes: [everyRow] }, false],
  ["every row beside single ones", { licenceTypes: ["drive", everyRow] }, false],
  ["some rows", { licenceTypes: ["drive"] }, true],
  ["no row", { licenceTypes: [] }, true],
])("a right whose role names %s", (_what, attributes, limited) => {
  expect(abilitiesOf({ [list.id]: attributes }).isLimited(list, "licenceTypes")).toBe(limited);
});

test("a right that is not held is limited to nothing", () => {
  const abilities = abilitiesOf({});
  expect([abilities.has(list), abilities.isLimited(list, "licenceTypes")]).toEqual([false, false]);
});
