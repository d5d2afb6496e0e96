import { expect, test } from "vitest";
import type { ConductEntry } from "./conduct.queries.ts";
import { stateOf } from "./stateText.ts";

test("an entry is called by what matters most about it now", () => {
  const entry = { state: "released", expired: false, left: false, acknowledge: true, acknowledgedAt: null } as ConductEntry;
  expect(stateOf(entry)).toBe("unacknowledged");
  expect(stateOf({ ...entry, acknowledgedAt: 1 })).toBe("released");
  expect(stateOf({ ...entry, acknowledge: false })).toBe("released");
  expect(stateOf({ ...entry, expired: true })).toBe("expired");
  expect(stateOf({ ...entry, expired: true, left: true })).toBe("left");
  expect(stateOf({ ...entry, state: "withdrawn", expired: true })).toBe("withdrawn");
  expect(stateOf({ ...entry, state: "draft", left: true })).toBe("draft");
});
