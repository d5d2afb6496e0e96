import { describe, expect, it } from "vitest";
import { mostToasts, sendToasts, toastMs } from "./ingame.contract.ts";
import { leftMs, oneMore, shortened, type Toasts } from "./ingame.policy.ts";

describe("toasts of one character", () => {
  it("are at most six in any minute; those beyond are counted, and the count begins again with the next", () => {
    let toasts: Toasts = { sent: [], missed: 0 };
    const sent: number[] = [];
    const missed: number[] = [];
    for (let now = 0; now < 5 * toastMs; now += 3_000) {
      const { outcome, after } = oneMore(toasts, now, now);
      if (outcome === "sent") [sent, missed].forEach((list, i) => list.push(i === 0 ? now : toasts.missed));
      toasts = after;
    }
    for (const at of sent) expect(sent.filter((one) => one >= at && one < at + toastMs).length).toBeLessThanOrEqual(mostToasts);
    expect(sent).toHaveLength(5 * mostToasts);
    expect(missed.slice(0, mostToasts + 2)).toEqual([0, 0, 0, 0, 0, 0, 14, 0]);
    expect(sent.length + missed.reduce((a, b) => a + b, 0) + toasts.missed).toBe(100);
  });

  it("are news for a minute, by whatever clock; one that comes later is counted as missed", () => {
    const ages = [-5_000, 0, 20_000, toastMs - 1, toastMs, 10 * toastMs];
    expect(ages.map((age) => leftMs(1_000_000, 1_000_000 + age))).toEqual([toastMs, toastMs, 40_000, 1, 0, 0]);
    const before = { sent: [999_000], missed: 2 };
    expect(oneMore(before, 1_000_000 - toastMs, 1_000_000)).toEqual({ outcome: "late", after: { ...before, missed: 3 } });
    expect(oneMore(before, 1_000_001 - toastMs, 1_000_000)).toMatchObject({ outcome: "sent", after: { missed: 0 } });
  });

  it("are tried again while they are news, and once when they are not", () => {
    const { attempts, firstMs, maxMs } = sendToasts.retry!;
    const pauses = Array.from({ length: attempts - 1 }, (_none, i) => Math.min(maxMs, firstMs * 2 ** i));
    const last = pauses.reduce((sum, pause) => sum + pause, 0);
    expect(last).toBeGreaterThanOrEqual(toastMs);
    expect(last - pauses.at(-1)!).toBeLessThan(toastMs);
  });

  it("are shortened, never in the middle of a character", () => {
    expect(shortened("short", 5)).toBe("short");
    expect(shortened("too long", 5)).toBe("too …");
    expect(shortened("abc🚓def", 5)).toBe("abc…");
  });
});
