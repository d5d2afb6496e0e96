import { describe, expect, test } from "vitest";
import type { RecurringJob } from "#core/contract/index.ts";
import { dueOf } from "./due.ts";

const job = (when: RecurringJob["when"], jitterMs = 0): RecurringJob => ({
  id: "people.nightly",
  when,
  jitterMs,
  missed: "once",
});
const at = Date.UTC(2026, 10, 20, 12);

describe("when a job is due", () => {
  test("by its expression, in the zone", () => {
    expect(dueOf(job({ cron: "0 4 * * *" }), "Europe/Berlin")(at)).toBe(Date.UTC(2026, 10, 21, 3));
  });

  test("by the time since the last run began", () => {
    expect(dueOf(job({ everyMs: 90_000 }), "UTC")(at)).toBe(at + 90_000);
  });

  test("up to its jitter later, the same on every worker and another one each time", () => {
    const due = dueOf(job({ everyMs: 60_000 }, 10_000), "UTC");
    const late = Array.from({ length: 50 }, (_run, i) => (due(at + i) ?? 0) - (at + i + 60_000));
    expect(late.every((ms) => ms >= 0 && ms <= 10_000)).toBe(true);
    expect(new Set(late).size).toBeGreaterThan(25);
    expect(dueOf(job({ everyMs: 60_000 }, 10_000), "UTC")(at)).toBe(due(at));
  });

  test("an expression that is none names the job", () => {
    expect(() => dueOf(job({ cron: "at four" }), "UTC")).toThrow('job people.nightly: "at four" is no cron expression');
  });
});
