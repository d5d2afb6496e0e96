import { expect, test } from "vitest";
import { activitySearch, colleaguesSearch } from "./colleagues.search.ts";

test.each([
  [
    { label: "3", fromGrade: "0", duty: "on" },
    { label: "3", fromGrade: "0", duty: "on" },
  ],
  [{ label: "3,14" }, { label: "3,14" }],
  [{ label: "3," }, {}],
  [{ label: Array.from({ length: 11 }, (_none, at) => at + 1).join(",") }, {}],
  [{ label: "x", fromGrade: "-1", duty: "maybe" }, {}],
  [{ label: "0", order: "-rank" }, { order: "-rank" }],
  [{ q: "lind", order: "salary" }, { q: "lind" }],
])("%j keeps of the filters those that the server takes", (given, expected) => {
  expect(colleaguesSearch(given)).toEqual(expected);
});

test("a kind of activity is kept if there is such a one", () => {
  expect([activitySearch({ kind: "left" }), activitySearch({ kind: "fired" })]).toEqual([{ kind: "left" }, {}]);
});
