import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSearch, stringifySearch } from "#core/search.ts";
import { auditSearch, queryOfFilters } from "./audit.search.ts";

describe("the address of the audit log", () => {
  it.each<[string, Record<string, unknown>, object]>([
    [
      "keeps its filters",
      { q: "ann", action: "notices.updated", result: "denied", account: "4" },
      { q: "ann", action: "notices.updated", result: "denied", account: "4" },
    ],
    ["drops what is no filter", { tablet: "1", page: "2" }, {}],
    ["drops a result that does not exist", { result: "okay" }, {}],
    ["drops ids that are no numbers", { account: "0", character: "-1", target: "x", top: "07" }, {}],
    ["takes numbers", { account: 4, top: 30 }, { account: "4", top: "30" }],
    ["drops a kind of person that does not exist", { targetKind: "job" }, {}],
    ["keeps a day", { from: "2026-02-28" }, { from: "2026-02-28" }],
    ["drops a day that no calendar has", { from: "2026-02-30", to: "2026-13-01" }, {}],
    ["drops a day in another form", { from: "28.2.2026", to: "2026-2-8" }, {}],
    [
      "cuts a text to what the server accepts",
      { q: "x".repeat(65), address: "y".repeat(65) },
      { q: "x".repeat(64), address: "y".repeat(64) },
    ],
  ])("%s", (_what, given, kept) => {
    expect(auditSearch(given)).toEqual(kept);
  });

  it("means the same after it was read and written again", () => {
    const anything = fc.dictionary(
      fc.constantFrom("q", "action", "result", "account", "from", "to", "targetKind", "target", "top", "evil"),
      fc.oneof(fc.string(), fc.constantFrom("ok", "7", "2026-02-28", "citizen"), fc.integer()),
    );
    fc.assert(
      fc.property(anything, (given) => {
        const once = auditSearch(given);
        expect(auditSearch(parseSearch(stringifySearch({ ...once })))).toEqual(once);
      }),
      { seed: 41, numRuns: 300 },
    );
  });
});

describe("the filters as the operation takes them", () => {
  it("have the contract's names, and leave the others as they are", () => {
    const filters = { q: "ann", kind: "notice", object: "9", targetKind: "citizen", target: "12" };
    expect(queryOfFilters(filters)).toEqual({
      ...{ q: "ann", objectKind: "notice", objectId: "9", targetKind: "citizen", targetId: "12" },
      ...{ from: undefined, to: undefined },
    });
  });

  it("include the whole of both days, in the viewer's zone", () => {
    const { from, to } = queryOfFilters({ from: "2026-02-28", to: "2026-02-28" });
    expect(from).toBe(new Date(2026, 1, 28, 0, 0, 0, 0).getTime());
    expect(to).toBe(new Date(2026, 1, 28, 23, 59, 59, 999).getTime());
  });

  it("end before the next day begins, also at the end of a year", () => {
    expect(queryOfFilters({ to: "2026-12-31" })["to"]).toBe(Number(queryOfFilters({ from: "2027-01-01" })["from"]) - 1);
  });

  it("leave out a day before time is counted", () => {
    expect(queryOfFilters({ from: "1950-01-01" })["from"]).toBeUndefined();
  });
});
