import { expect, test } from "vitest";
import { explainHeld, whyHeld } from "./held.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
const now = Date.UTC(2026, 10, 20, 12);

test.each([
  ["before the first start", now, null, null],
  ["while it goes on", now, now - minute, null],
  ["after a month without a process", now + minute, now - 30 * day, null],
  ["after longer", now, now - 31 * day, "ahead"],
  ["with a clock that was set back a little", now, now + 59 * minute, null],
  ["with one that was ahead", now, now + 2 * 60 * minute, "behind"],
  ["with a database whose clock is close", now + 9 * minute, now, null],
  ["with a database whose clock is not", now - 11 * minute, now, "database"],
] as const)("%s retention is held or not", (_name, databaseNow, seenAt, why) => {
  expect(whyHeld(now, databaseNow, seenAt)?.why ?? null).toBe(why);
});

test("the log names both times and what to do", () => {
  expect(explainHeld({ why: "ahead", now, other: now - 40 * day })).toBe(
    "retention is held, nothing was deleted: the clock of this machine shows 2026-11-20T12:00:00.000Z, and this installation " +
      "last ran at 2026-10-11T12:00:00.000Z. If the clock is wrong, set it right. If it is right, run one of the schedules " +
      "that delete by hand (control panel, Schedules); the others then go on",
  );
  expect(explainHeld({ why: "database", now, other: now - day })).toContain("that of the database 2026-11-19T12:00:00.000Z");
});
