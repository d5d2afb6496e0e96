import { describe, expect, test } from "vitest";
import type { BaseKind } from "./units.machine.ts";
import {
  isGrey,
  matchOf,
  nextReminder,
  sameStatusMs,
  setByHand,
  settle,
  type Standing,
  type Status,
  workBegan,
  workEnded,
} from "./units.policy.ts";

const now = 1_000_000_000;
const unit = (more: Partial<Standing> = {}) => ({
  ...{ name: "Adam 1", base: "available" as const, id: null, since: now - sameStatusMs, isStatic: false, minCrew: 2 },
  ...{ crew: 2, hasWork: false, former: null },
  ...more,
});
const bases: readonly BaseKind[] = ["available", "busy", "break", "unavailable"];

describe("the status of a unit after its crew changed", () => {
  test.each([
    // base, crew before, crew now, static, returns: becomes
    ["available", 1, 0, false, true, "unavailable lastLeft"],
    ["busy", 2, 1, false, true, "unavailable underMinimum"],
    ["break", 2, 1, false, true, "unavailable underMinimum"],
    ["unavailable", 2, 1, false, true, null],
    ["unavailable", 1, 2, false, true, "available minimumReached"],
    ["unavailable", 1, 2, false, false, null],
    ["unavailable", 1, 2, true, true, null],
    ["unavailable", 2, 3, false, true, null],
    ["break", 2, 3, false, true, null],
    ["available", 2, 2, true, true, "unavailable madeStatic"],
    ["busy", 2, 2, true, true, null],
  ] as const)(
    "%s with a crew of %i and then %i (static: %s, returns: %s): %s",
    (base, crew, then, isStatic, returns, becomes) => {
      const change = settle(unit({ crew }), unit({ base, crew: then, isStatic }), returns);
      expect(change && `${change.to.base} ${change.event}`).toBe(becomes);
    },
  );

  test("follows a new minimum", () => {
    expect(settle(unit({ minCrew: 1 }), unit({ minCrew: 3 }), true)?.to.base).toBe("unavailable");
    expect(settle(unit({ minCrew: 3 }), unit({ base: "unavailable", minCrew: 1 }), true)?.to.base).toBe("available");
    expect(settle(unit({ minCrew: 0, crew: 1 }), unit({ minCrew: 0, crew: 0 }), true)?.event).toBe("lastLeft");
  });
});

describe("a status that is set", () => {
  const set = (from: Partial<Standing>, to: Status, stays = false) => setByHand(unit(from), to, stays, now)?.to ?? null;

  test.each(bases.flatMap((from) => bases.map((to) => [from, to] as const)))("from %s to %s counts", (base, to) => {
    expect(set({ base }, { base: to, id: null })).toEqual({ base: to, id: null });
  });

  test("is no entry where it was the same within two minutes, by the custom status", () => {
    const since = now - sameStatusMs + 1;
    expect(set({ base: "busy", since }, { base: "busy", id: null })).toBeNull();
    expect(set({ base: "busy", id: 4, since }, { base: "busy", id: 4 })).toBeNull();
    expect(set({ base: "busy", since }, { base: "busy", id: 4 })).toEqual({ base: "busy", id: 4 });
  });

  test("is refused with the reason", () => {
    expect(() => set({ base: "busy", isStatic: true }, { base: "available", id: 2 })).toThrow("units.staticUnit");
    expect(() => set({ base: "unavailable", crew: 1 }, { base: "available", id: null })).toThrow("units.underMinimum");
    expect(() => set({ base: "unavailable", crew: 0, minCrew: 0 }, { base: "break", id: null })).toThrow("units.underMinimum");
    expect(() => set({ base: "busy", hasWork: true }, { base: "break", id: null })).toThrow("units.openWork");
    expect(() => set({ base: "busy", hasWork: true }, { base: "unavailable", id: null })).toThrow("units.openWork");
    expect(set({ base: "busy", hasWork: true }, { base: "break", id: null }, true)?.base).toBe("break");
    expect(set({ base: "busy", hasWork: true }, { base: "available", id: null })?.base).toBe("available");
  });
});

describe("open work", () => {
  test.each(bases)("makes a unit that is %s busy", (base) => {
    expect(workBegan(unit({ base }))?.to ?? { base, id: null }).toEqual({ base: "busy", id: null });
  });

  test.each([
    [{ base: "available", id: null }, {}, { base: "available", id: null }],
    [{ base: "available", id: 4 }, {}, { base: "available", id: 4 }],
    [{ base: "break", id: 5 }, {}, { base: "break", id: 5 }],
    [{ base: "busy", id: 6 }, {}, { base: "available", id: null }],
    [{ base: "unavailable", id: null }, {}, { base: "available", id: null }],
    [{ base: "break", id: null }, { isStatic: true }, { base: "break", id: null }],
    [{ base: "unavailable", id: null }, { isStatic: true }, { base: "unavailable", id: null }],
    [{ base: "available", id: null }, { crew: 1 }, { base: "unavailable", id: null }],
  ] as const)("that ends gives back %o (%o): %o", (former, more, then) => {
    expect(workEnded(unit({ base: "busy", hasWork: true, former, ...more }))?.to).toEqual(then);
  });

  test("that ends leaves a status alone that was chosen in the meantime", () => {
    for (const base of ["break", "unavailable", "available"] as const)
      expect(workEnded(unit({ base, hasWork: true, former: { base: "available", id: null } }))).toBeNull();
  });
});

test("a unit is grey while nobody of its crew is there", () => {
  expect([isGrey([]), isGrey(["missing"]), isGrey(["missing", "uncertain"]), isGrey(["missing", "on"])]).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test("reminders come in their series, however often and late they are planned", () => {
  const series = { firstMs: 12, againMs: 15 };
  expect([0, 11, 12, 13, 26, 27, 100].map((now) => nextReminder(0, series, now))).toEqual([12, 12, 27, 27, 27, 42, 102]);
  expect(nextReminder(50, series, 50)).toBe(62);
});

test.each([
  // what is searched, folded: how it is found
  ["adam 1", "whole"],
  ["adam", "whole"],
  ["ada", "beginning"],
  ["ze-17", "whole"],
  ["17", "whole"],
  ["dam", null],
])("a search for %s finds a unit: %s", (wanted, how) => {
  expect(matchOf(wanted, { name: "Ádam 1", callsign: "Zé-17" })?.match ?? null).toBe(how);
});
