import { describe, expect, it } from "vitest";
import { createTestClock } from "#testkit/clock.ts";
import { createIds } from "./ids.ts";

describe("ids", () => {
  it("have 26 characters and increase, within a millisecond and when the clock steps back", () => {
    const clock = createTestClock();
    const ids = createIds(clock);
    const made = Array.from({ length: 500 }, () => ids.next());
    clock.step(1);
    made.push(ids.next());
    clock.step(-60_000);
    made.push(ids.next());
    expect(new Set(made).size).toBe(made.length);
    expect([...made].sort()).toEqual(made);
    for (const id of made) expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
  });

  it("differ between processes, and so do secrets", () => {
    const clock = createTestClock();
    const [a, b] = [createIds(clock), createIds(clock)];
    expect(a.next().slice(0, 10)).toBe(b.next().slice(0, 10));
    expect(a.next()).not.toBe(b.next());
    expect(a.secret(32)).toMatch(/^[\w-]{43}$/);
    expect(a.secret(32)).not.toBe(a.secret(32));
  });
});
