import { expect, test } from "vitest";
import { conductSearch, filterOf } from "./conduct.search.ts";

test("an address keeps the filters that the list knows, and the list gets ids as numbers", () => {
  expect(conductSearch({ person: "12", kind: 4, state: "expired", new: 1, other: "x" })).toEqual({
    person: "12",
    kind: "4",
    state: "expired",
    new: "1",
  });
  expect(conductSearch({ person: "x", kind: "0", state: "gone", new: "2" })).toEqual({});
  expect(filterOf({ person: "12", kind: "4", state: "draft", new: "1" })).toEqual({ citizenId: 12, kindId: 4, state: "draft" });
});
