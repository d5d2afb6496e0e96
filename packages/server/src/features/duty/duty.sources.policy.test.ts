import { describe, expect, it } from "vitest";
import {
  afterCall,
  afterDown,
  bootSaid,
  fallenSilent,
  isShared,
  isSilent,
  mostBoots,
  neverCalled,
  nextCheck,
  onItsWayMs,
  reporterOf,
  restartEndsMs,
  sharedForMs,
  silenceEndsMs,
  silentAfterMs,
  type Source,
} from "./duty.sources.policy.ts";

const t0 = 1_790_000_000_000;
const source: Source = {
  sendsEvents: true,
  boot: "b1",
  bootCount: 0,
  bootSince: null,
  bootFrom: t0,
  earlier: [],
  lastCallAt: t0,
  silentFrom: null,
  behindMs: null,
};

describe("a source", () => {
  it("is silent a minute after its last call; its silence counts from that call", () => {
    expect(fallenSilent(source, t0 + silentAfterMs - 1)).toBeNull();
    expect(fallenSilent(source, t0 + silentAfterMs)?.silentFrom).toBe(t0);
    expect(fallenSilent({ ...source, silentFrom: t0 }, t0 + silentAfterMs)).toBeNull();
  });

  it("that could not call because Rollcall was down is silent from now on", () => {
    expect(fallenSilent(source, t0 + 3_600_000)?.silentFrom).toBe(t0 + 3_600_000);
  });

  it("is silent from the first start after its last call, however often Rollcall starts after it", () => {
    const first = afterDown(source, t0 + 90_000);
    expect(first.silentFrom).toBe(t0 + 90_000);
    expect(afterDown(first, t0 + 900_000)).toEqual(first);
    const called = afterCall(first, "b1", t0 + 950_000);
    expect(afterDown(called, t0 + 990_000).silentFrom).toBe(t0 + 990_000);
  });

  it("is no restart when the boot before calls again; two servers share its name once that goes on", () => {
    const second = afterCall(source, "b2", t0);
    const late = afterCall(second, "b1", t0 + onItsWayMs - 1);
    expect(late).toMatchObject({ boot: "b2", bootCount: 1, bootSince: t0 });
    expect([isShared(late), reporterOf("city", late, "b1").saysBoot, reporterOf("city", late, "b2").saysBoot]).toEqual([
      false,
      false,
      true,
    ]);
    const shared = afterCall(late, "b1", t0 + onItsWayMs);
    expect([isShared(shared), reporterOf("city", shared, "b1").saysBoot, shared.bootCount]).toEqual([true, true, 1]);
    expect(afterCall(shared, "b1", t0 + onItsWayMs + sharedForMs + 1)).toMatchObject({ boot: "b1", bootCount: 2 });
  });

  it("remembers more boots than one: three servers that share its name are no restarts, and are found", () => {
    let shared = ["b2", "b3"].reduce((one, boot, i) => afterCall(one, boot, t0 + i), source);
    for (let at = t0 + 20_000; at <= t0 + 120_000; at += 20_000)
      for (const boot of ["b1", "b2", "b3"]) shared = afterCall(shared, boot, at);
    expect(shared).toMatchObject({ boot: "b3", bootCount: 2, bootSince: t0 + 1 });
    expect([isShared(shared), ...["b1", "b2", "b3"].map((boot) => reporterOf("city", shared, boot).saysBoot)]).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it("keeps a limited number of boots, those that called last, and none that was not used for so long", () => {
    let looping = source;
    for (let i = 0; i < 3 * mostBoots; i += 1) looping = afterCall(looping, `run${i}`, t0 + i);
    expect(looping.earlier.map(({ boot }) => boot)).toEqual(
      Array.from({ length: mostBoots }, (_none, i) => `run${2 * mostBoots - 1 + i}`),
    );
    const later = afterCall(looping, "run", t0 + 2 * sharedForMs);
    expect(later.earlier.map(({ boot }) => boot)).toEqual([`run${3 * mostBoots - 1}`]);
  });

  it("is not restarted by events of before its present boot, which say nothing about two servers either", () => {
    const events = (...instants: number[]) => ({ first: Math.min(...instants), last: Math.max(...instants) });
    const second = afterCall(source, "b2", t0 + 100);
    expect(second.bootFrom).toBe(t0 + 100);
    const queued = afterCall(second, "b0", t0 + 30_000, events(t0 + 99, t0 + 5));
    expect(queued).toEqual({ ...second, lastCallAt: t0 + 30_000 });
    expect(afterCall(second, "b1", t0 + 200_000, events(t0 + 99))).toEqual({ ...second, lastCallAt: t0 + 200_000 });
    expect(bootSaid(second, "b0", events(t0 + 99))).toBeNull();
    expect(afterCall(second, "b3", t0 + 30_000, events(t0 + 99, t0 + 100))).toMatchObject({ boot: "b3", bootFrom: t0 + 99 });
    // Events that waited for the first call of their boot are of that one.
    expect(afterCall(second, "b2", t0 + 500, events(t0 + 40)).bootFrom).toBe(t0 + 40);
  });

  it("that calls again is silent no more; with another boot, people have to be named again", () => {
    const again = afterCall({ ...source, silentFrom: t0 }, "b1", t0 + 90_000);
    expect(again).toMatchObject({ silentFrom: null, bootSince: null });
    expect(afterCall(source, "b2", t0 + 5)).toMatchObject({ boot: "b2", bootSince: t0 + 5 });
    expect(afterCall(neverCalled, "b1", t0)).toMatchObject({ boot: "b1", bootSince: null, sendsEvents: false });
    expect(afterCall({ ...source, boot: null }, "b1", t0 + 5).bootSince).toBeNull();
  });

  it("counts as silent as soon as its time is over, whether a task has looked or not", () => {
    expect(isSilent(source, t0 + silentAfterMs - 1)).toBe(false);
    expect(isSilent(source, t0 + silentAfterMs)).toBe(true);
    expect(isSilent({ ...source, silentFrom: t0 }, t0)).toBe(true);
  });

  it("is looked at when it may fall silent, when its silence ends duties, and when its people had to be named", () => {
    expect(nextCheck(source, t0)).toBe(t0 + silentAfterMs);
    expect(nextCheck({ ...source, silentFrom: t0 }, t0 + silentAfterMs)).toBe(t0 + silenceEndsMs);
    const rebooted = { ...source, lastCallAt: t0 + restartEndsMs, bootSince: t0 + 5 };
    expect(nextCheck(rebooted, t0 + restartEndsMs)).toBe(t0 + 5 + restartEndsMs);
    expect(nextCheck({ ...source, silentFrom: t0 }, t0 + silenceEndsMs)).toBeNull();
  });
});
