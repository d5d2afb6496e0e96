import { describe, expect, test } from "vitest";
import { CachedMap, CachedValue, SharedLoads } from "./cached.ts";

function manualClock() {
  let now = 0;
  return { monotonic: () => now, advance: (ms: number) => void (now += ms) };
}

/** Loads that end when the test resolves them. */
function pendingLoads<T>() {
  const loads: ((value: T) => void)[] = [];
  return { loads, load: async () => await new Promise<T>((resolve) => loads.push(resolve)) };
}

describe("a cached value", () => {
  test("is loaded once within its TTL, and again after it", async () => {
    const clock = manualClock();
    let loads = 0;
    const cached = new CachedValue({ clock, ttlMs: 100, load: async () => ++loads });
    expect([cached.last, cached.fresh]).toEqual([null, null]);
    expect([await cached.get(), await cached.get()]).toEqual([1, 1]);
    clock.advance(99);
    expect(cached.fresh).toBe(1);
    clock.advance(1);
    expect([cached.fresh, cached.last]).toEqual([null, 1]);
    expect(await cached.get()).toBe(2);
  });

  test("is shared by concurrent callers of one load", async () => {
    const { loads, load } = pendingLoads<string>();
    const cached = new CachedValue({ clock: manualClock(), ttlMs: 100, load });
    const both = Promise.all([cached.get(), cached.get()]);
    expect(loads).toHaveLength(1);
    loads[0]?.("a");
    expect(await both).toEqual(["a", "a"]);
  });

  test("that was invalidated during its load is loaded again before it is returned", async () => {
    const { loads, load } = pendingLoads<string>();
    const cached = new CachedValue({ clock: manualClock(), ttlMs: 100, load });
    const result = cached.get();
    cached.invalidate();
    loads[0]?.("old");
    await expect.poll(() => loads.length).toBe(2);
    loads[1]?.("new");
    expect(await result).toBe("new");
    expect(cached.fresh).toBe("new");
  });

  test("that is asked for after an invalidation does not come from a load that began before it", async () => {
    const { loads, load } = pendingLoads<string>();
    const cached = new CachedValue({ clock: manualClock(), ttlMs: 100, load });
    const before = cached.get();
    cached.invalidate();
    const after = cached.get();
    loads[0]?.("old");
    await expect.poll(() => loads.length).toBe(2);
    loads[1]?.("new");
    expect(await Promise.all([before, after])).toEqual(["new", "new"]);
    expect(loads).toHaveLength(2);
  });

  test("stays after a failed load, and the next call retries", async () => {
    const results: (() => Promise<string>)[] = [async () => "a", () => Promise.reject(new Error("down")), async () => "b"];
    const clock = manualClock();
    const cached = new CachedValue({ clock, ttlMs: 100, load: async () => await (results.shift() ?? (async () => "none"))() });
    expect(await cached.get()).toBe("a");
    cached.invalidate();
    await expect(cached.get()).rejects.toThrow("down");
    expect(cached.last).toBe("a");
    expect(await cached.get()).toBe("b");
  });

  test("may be loaded by the caller, and is not fresh when it was invalidated meanwhile", async () => {
    const { loads, load } = pendingLoads<string>();
    const clock = manualClock();
    const cached = new CachedValue({ clock, ttlMs: 100, load: async () => "by itself" });
    const [first, second] = [cached.getBy(1, load), cached.getBy(1, load)];
    cached.invalidate();
    loads[0]?.("old");
    loads[1]?.("old too");
    expect(await Promise.all([first, second])).toEqual(["old", "old too"]);
    expect(cached.fresh).toBeNull();
    clock.advance(2);
    expect(await cached.getBy(2, async () => "new")).toBe("new");
    expect(await cached.get()).toBe("new");
  });

  test("is not kept when the caller's snapshot began before the last invalidation", async () => {
    const clock = manualClock();
    const cached = new CachedValue({ clock, ttlMs: 100, load: async () => "stored now" });
    clock.advance(5);
    cached.invalidate();
    for (const began of [4, 5]) expect(await cached.getBy(began, async () => "of an old snapshot")).toBe("of an old snapshot");
    expect(cached.fresh).toBeNull();
    expect(await cached.get()).toBe("stored now");
  });

  test("passes the previous value to its load", async () => {
    const seen: (string | null)[] = [];
    const load = async (previous: string | null) => {
      seen.push(previous);
      return `${previous ?? ""}+`;
    };
    const cached = new CachedValue({ clock: manualClock(), ttlMs: 100, load });
    await cached.get();
    cached.invalidate();
    await cached.get();
    expect(seen).toEqual([null, "+"]);
  });
});

describe("a cached map", () => {
  test("keeps each key for the TTL", async () => {
    const clock = manualClock();
    let loads = 0;
    const cached = new CachedMap<string, number>({ clock, ttlMs: 100, max: 10 });
    const get = async (key: string) => await cached.get(key, async () => ++loads);
    expect([await get("a"), await get("a"), await get("b")]).toEqual([1, 1, 2]);
    clock.advance(100);
    expect([await get("a"), cached.fresh("a"), cached.fresh("b")]).toEqual([3, 3, undefined]);
  });

  test("keeps what is set for the TTL, and returns an older value as the last one", () => {
    const clock = manualClock();
    const cached = new CachedMap<string, number>({ clock, ttlMs: 100, max: 2 });
    expect(cached.last("a")).toBeUndefined();
    cached.set("a", 1);
    clock.advance(99);
    expect(cached.fresh("a")).toBe(1);
    clock.advance(1);
    expect([cached.fresh("a"), cached.last("a")]).toEqual([undefined, 1]);
    cached.set("a", 2);
    expect(cached.fresh("a")).toBe(2);
    cached.invalidate("a");
    expect(cached.last("a")).toBeUndefined();
  });

  test("drops what was set longest ago when there are too many", () => {
    const cached = new CachedMap<string, number>({ clock: manualClock(), ttlMs: 100, max: 2 });
    for (const [i, key] of ["a", "b", "a", "c"].entries()) cached.set(key, i);
    expect(["a", "b", "c"].map((key) => cached.fresh(key))).toEqual([2, undefined, 3]);
  });

  test("shares one load among concurrent callers of a key", async () => {
    const { loads, load } = pendingLoads<string>();
    const cached = new CachedMap<string, string>({ clock: manualClock(), ttlMs: 100, max: 10 });
    const results = Promise.all([cached.get("a", load), cached.get("a", load), cached.get("b", load)]);
    expect(loads).toHaveLength(2);
    for (const [i, end] of loads.entries()) end(`load ${i}`);
    expect(await results).toEqual(["load 0", "load 0", "load 1"]);
  });

  test("loads again after a load that failed for all of its callers", async () => {
    const cached = new CachedMap<string, string>({ clock: manualClock(), ttlMs: 100, max: 10 });
    const down = async () => await Promise.reject<string>(new Error("down"));
    const both = await Promise.allSettled([cached.get("a", down), cached.get("a", down)]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(await cached.get("a", async () => "up")).toBe("up");
  });

  test.each<[string, (cached: CachedMap<string, string>) => void]>([
    ["its key", (cached) => cached.invalidate("a")],
    ["keys by their value", (cached) => cached.invalidateWhere(() => false)],
    ["all keys", (cached) => cached.invalidateAll()],
  ])("starts another load after an invalidation of %s, and keeps only that one", async (_what, invalidate) => {
    const { loads, load } = pendingLoads<string>();
    const cached = new CachedMap<string, string>({ clock: manualClock(), ttlMs: 100, max: 10 });
    const before = cached.get("a", load);
    invalidate(cached);
    const after = Promise.all([cached.get("a", load), cached.get("a", load)]);
    expect(loads).toHaveLength(2);
    loads[1]?.("new");
    expect(await after).toEqual(["new", "new"]);
    loads[0]?.("old");
    expect([await before, cached.fresh("a")]).toEqual(["old", "new"]);
  });

  test("keeps what was loaded while another key was invalidated", async () => {
    const { loads, load } = pendingLoads<string>();
    const cached = new CachedMap<string, string>({ clock: manualClock(), ttlMs: 100, max: 10 });
    const result = cached.get("a", load);
    cached.invalidate("b");
    loads[0]?.("value");
    expect([await result, cached.fresh("a")]).toEqual(["value", "value"]);
  });

  test("does not keep what was loaded while something was invalidated", async () => {
    const { loads, load } = pendingLoads<string>();
    const cached = new CachedMap<string, string>({ clock: manualClock(), ttlMs: 100, max: 10 });
    const result = cached.get("a", load);
    cached.invalidate("a");
    loads[0]?.("old");
    expect(await result).toBe("old");
    expect(cached.fresh("a")).toBeUndefined();
  });

  test("drops single keys, keys by their value, or all", async () => {
    const cached = new CachedMap<string, number>({ clock: manualClock(), ttlMs: 100, max: 10 });
    const kept = () => ["a", "b", "c"].filter((key) => cached.fresh(key) !== undefined);
    const fill = async () => {
      for (const [i, key] of ["a", "b", "c"].entries()) await cached.get(key, async () => i);
    };
    await fill();
    cached.invalidate("b");
    expect(kept()).toEqual(["a", "c"]);
    await fill();
    cached.invalidateWhere((value) => value > 0);
    expect(kept()).toEqual(["a"]);
    cached.invalidateAll();
    expect(kept()).toEqual([]);
  });

  test("drops what was loaded longest ago when there are too many", async () => {
    const cached = new CachedMap<number, number>({ clock: manualClock(), ttlMs: 100, max: 2 });
    for (const key of [1, 2, 3]) await cached.get(key, async () => key);
    expect([1, 2, 3].map((key) => cached.fresh(key))).toEqual([undefined, 2, 3]);
  });
});

test("shared loads keep nothing: a caller after the end of a load starts the next one", async () => {
  const shared = new SharedLoads<string, number>();
  let loads = 0;
  const get = async () => await shared.get("a", async () => ++loads);
  expect(await Promise.all([get(), get()])).toEqual([1, 1]);
  expect(await get()).toBe(2);
});
