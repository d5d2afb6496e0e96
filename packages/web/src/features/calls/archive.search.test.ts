import { expect, it } from "vitest";
import { archiveFilters, archiveSearch } from "./archive.search.ts";

it("takes from the address what the server takes", () => {
  const search = { q: "robbery", from: "2026-03-10", until: "2026-02-31", state: "open", unitId: 7, postal: "204", odd: "x" };
  expect(archiveSearch(search)).toEqual({ q: "robbery", from: "2026-03-10", unitId: "7", postal: "204" });
  expect(archiveSearch({ state: "cancelled" })).toEqual({ state: "cancelled" });
});

it("shows ended calls, the latest first, unless another state or order is chosen", () => {
  expect(archiveFilters({ top: "3", hide: "-" })).toEqual({ state: "ended", order: "-createdAt" });
  expect(archiveFilters({ state: "merged", order: "endedAt" })).toEqual({ state: "merged", order: "endedAt" });
});
