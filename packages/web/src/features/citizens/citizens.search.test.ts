import { expect, it } from "vitest";
import { isRanked } from "./citizens.search.ts";

it.each([
  ["a text", { q: "berg" }, true],
  ["a plate", { plate: "AB 12" }, true],
  ["a phone number, by which the list stays in its order", { phone: "0123" }, false],
  ["nothing", { job: "police" }, false],
])("the best matches come first for %s: %j is %s", (_what, search, ranked) => {
  expect(isRanked(search)).toBe(ranked);
});
