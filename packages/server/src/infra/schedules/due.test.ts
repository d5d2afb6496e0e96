import { describe, expect, test } from "vitest";
import type { Recurrence } from "#core/contract/index.ts";
import { dueOf } from "./due.ts";

const recurrence = (when: Recurrence["when"], jitterMs = 0): Recurrence => ({
  id: "people.nightly",
  when,
  jitterMs,
  missed: "once",
});
const at = Date.UTC(2026, 10, 20, 12);

describe("when a schedule is due", () => {
  test("by its expression, in the zone", () => {
    expect(dueOf(recurrence({ cron: "0 4 * * *" }), "Europe/Berlin")(at)).toBe(Date.UTC(2026, 10, 21, 3));
  });

  test("by the time since the last run began", () => {
    expect(dueOf(recurrence({ everyMs: 90_000 }), "UTC")(at)).toBe(at + 90_000);
  });

  test("up to its jitter later, equal on every worker and different for each run", () => {
    const due = dueOf(recurrence({ everyMs: 60_000 }, 10_000), "UTC");
    const late = Array.from({ length: 50 }, (_run, i) => (due(at + i) ?? 0) - (at + i + 60_000));
    expect(late.every((ms) => ms >= 0 && ms <= 10_000)).toBe(true);
    expect(new Set(late).size).toBeGreaterThan(25);
    expect(dueOf(recurrence({ everyMs: 60_000 }, 10_000), "UTC")(at)).toBe(due(at));
  });

  test("an invalid expression is reported with its schedule", () => {
    expect(() => dueOf(recurrence({ cron: "at four" }), "UTC")).toThrow(
      'schedule people.nightly: "at four" is not a cron expression',
    );
  });
});
