import { describe, expect, it } from "vitest";
import { mostToasts, toastMs } from "./ingame.contract.ts";
import { oneMore, shortened, type Toasts } from "./ingame.policy.ts";

describe("toasts of one character", () => {
  it("are at most six in any minute; those beyond are counted, and the count begins again with the next", () => {
    let toasts: Toasts = { sent: [], missed: 0 };
    const sent: number[] = [];
    const missed: number[] = [];
    for (let now = 0; now < 5 * toastMs; now += 3_000) {
      const { sends, after } = oneMore(toasts, now);
      if (sends) [sent, missed].forEach((list, i) => list.push(i === 0 ? now : toasts.missed));
      toasts = after;
    }
    for (const at of sent) expect(sent.filter((one) => one >= at && one < at + toastMs).length).toBeLessThanOrEqual(mostToasts);
    expect(sent).toHaveLength(5 * mostToasts);
    expect(missed.slice(0, mostToasts + 2)).toEqual([0, 0, 0, 0, 0, 0, 14, 0]);
    expect(sent.length + missed.reduce((a, b) => a + b, 0) + toasts.missed).toBe(100);
  });

  it("are shortened, never in the middle of a character", () => {
    expect(shortened("short", 5)).toBe("short");
    expect(shortened("too long", 5)).toBe("too …");
    expect(shortened("abc🚓def", 5)).toBe("abc…");
  });
});
