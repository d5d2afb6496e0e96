import { expect, it } from "vitest";
import { foldedInto, foldKey } from "./calls.fold.policy.ts";

const at = (x: number, y: number) => ({ x, y });
const nowhere = { x: null, y: null };

it("adds an alert to the nearest call within 45 metres, of equally near ones to the oldest", () => {
  const alert = { ...at(0, 0), citizenId: 7, anonymous: false };
  const call = (id: number, x: number, y: number) => ({ id, ...at(x, y), callers: [{ citizenId: 1, anonymous: false }] });
  expect(foldedInto(alert, [call(1, 27, 36)])).toBe(1);
  expect(foldedInto(alert, [call(1, 27, 36.1)])).toBe(null);
  expect(foldedInto(alert, [call(1, 40, 0), call(2, 10, 0)])).toBe(2);
  expect(foldedInto(alert, [call(3, 10, 0), call(2, -10, 0)])).toBe(2);
  expect(foldedInto(alert, [])).toBe(null);
});

it("without a place adds only what the same caller says", () => {
  const by = (citizenId: number | null, anonymous = false) => ({ citizenId, anonymous });
  const named = { id: 1, ...at(0, 0), callers: [by(7), by(null), by(9, true)] };
  expect(foldedInto({ ...nowhere, ...by(7) }, [named])).toBe(1);
  expect(foldedInto({ ...nowhere, ...by(8) }, [named])).toBe(null);
  expect(foldedInto({ ...nowhere, ...by(null) }, [named])).toBe(null);
  expect(foldedInto({ ...nowhere, ...by(7, true) }, [named])).toBe(null);
  expect(foldedInto({ ...nowhere, ...by(9) }, [named])).toBe(null);
  expect(foldedInto({ ...nowhere, ...by(9, true) }, [named])).toBe(1);
  expect(foldedInto({ ...at(0, 0), ...by(7) }, [{ ...named, ...nowhere }])).toBe(1);
  // Somebody who is far away from the own first call tells of something else.
  expect(foldedInto({ ...at(500, 0), ...by(7) }, [named])).toBe(null);
});

it("has one key for the same type and jobs, in whatever order", () => {
  expect(foldKey(3, ["police", "ems"])).toBe(foldKey(3, ["ems", "police"]));
  const others = [foldKey(3, ["police"]), foldKey(4, ["ems", "police"]), foldKey(null, ["ems", "police"])];
  expect(others).not.toContain(foldKey(3, ["ems", "police"]));
  expect(new Set(others).size).toBe(3);
});
