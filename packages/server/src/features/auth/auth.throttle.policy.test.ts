import { describe, expect, test } from "vitest";
import {
  accountSubjects,
  afterFailure,
  count,
  type Counter,
  countersAfter,
  factorSubjects,
  nameSubjects,
  networkSubjects,
  noFailures,
  refunded,
  tokenSubjects,
  longestWait,
  waitOfSubjects,
  withoutAttempt,
} from "./auth.throttle.policy.ts";

function failed(kind: "pair" | "address" | "account", times: number, now = 1_000_000): Counter {
  let counter = noFailures;
  for (let i = 0; i < times; i += 1) counter = afterFailure(kind, counter, now);
  return counter;
}

describe("sign-in throttle", () => {
  test("five failures of one address and account are free, then the wait doubles", () => {
    expect(longestWait({ pair: failed("pair", 5) }, false, 1_000_000)).toBe(0);
    expect(longestWait({ pair: failed("pair", 6) }, false, 1_000_000)).toBe(5_000);
    expect(longestWait({ pair: failed("pair", 8) }, false, 1_000_000)).toBe(20_000);
  });

  test("no wait is longer than a quarter of an hour", () => {
    expect(longestWait({ pair: failed("pair", 500) }, false, 1_000_000)).toBe(15 * 60_000);
  });

  test("a counter is forgotten after a quiet quarter of an hour", () => {
    const later = 1_000_000 + 15 * 60_000 + 1;
    expect(afterFailure("pair", failed("pair", 40), later).failures).toBe(1);
  });

  test("unknown callers cannot lock an owner out of an address used before", () => {
    const account = failed("account", 10_000);
    expect(longestWait({ account }, false, 1_000_000)).toBeGreaterThan(0);
    expect(longestWait({ account }, true, 1_000_000)).toBe(0);
    expect(longestWait({ account, address: failed("address", 10_000) }, true, 1_000_000)).toBe(0);
  });

  test("an attempt that was right leaves the counter as it was, also when it began a wait", () => {
    const before = failed("pair", 5);
    const after = afterFailure("pair", before, 1_000_000);
    expect(after.blockedUntil).toBe(1_005_000);
    expect(withoutAttempt(after, { before, after })).toEqual(before);
  });

  test("an attempt that was right does not remove attempts that were counted since", () => {
    const before = failed("pair", 5);
    const after = afterFailure("pair", before, 1_000_000);
    const later = afterFailure("pair", after, 1_000_001);
    expect(withoutAttempt(later, { before, after })).toEqual({ ...later, failures: 6 });
    expect(withoutAttempt(noFailures, { before, after })).toEqual(noFailures);
  });
});

describe("the subjects of an attempt", () => {
  test("are the same for all spellings of a name", () => {
    expect(nameSubjects(" Anna ", "192.0.2.7")).toEqual(nameSubjects("anna", "192.0.2.7"));
    expect(nameSubjects("anna", "192.0.2.7")).not.toEqual(nameSubjects("anna", "198.51.100.7"));
  });

  test("follow a known browser, whatever its network is", () => {
    const [here, there] = ["192.0.2.7", "198.51.100.7"].map((address) => accountSubjects(7, address, "a browser"));
    expect([here?.pair, here?.account]).toEqual([there?.pair, there?.account]);
    expect(accountSubjects(7, "192.0.2.7").pair).not.toBe(accountSubjects(7, "198.51.100.7").pair);
  });

  test("differ by what is guessed at", () => {
    const address = "192.0.2.7";
    const all = [networkSubjects(address), tokenSubjects(address), factorSubjects(7, address), accountSubjects(7, address)];
    const names = all.flatMap((subjects) => Object.values(subjects));
    // The network of an account is the one that unknown names count under too.
    expect(new Set(names).size).toBe(names.length - 2);
  });
});

describe("counted attempts", () => {
  const now = 1_000_000;
  const subjects = { pair: "pair", account: "account" };
  const after = (times: number) => {
    let counters = new Map<string, Counter>();
    for (let i = 0; i < times; i += 1) counters = countersAfter(count(counters, subjects, false, now));
    return counters;
  };

  test("have to wait after the free failures, and are refused until then", () => {
    expect([waitOfSubjects(after(5), subjects, false, now), waitOfSubjects(after(6), subjects, false, now)]).toEqual([0, 5_000]);
    const refused = () => count(after(6), subjects, false, now + 1);
    expect(refused).toThrow(expect.objectContaining({ params: { seconds: 5 } }));
    expect(() => count(after(6), subjects, false, now + 5_000)).not.toThrow();
  });

  test("that were right leave no counter of their kinds, and the others as they were", () => {
    const counted = count(after(3), subjects, false, now);
    const { kept, removed } = refunded(countersAfter(counted), counted, ["pair"]);
    expect([[...kept], removed]).toEqual([[["account", after(3).get("account")]], ["pair"]]);
    const first = count(new Map(), subjects, false, now);
    expect(refunded(countersAfter(first), first, [])).toEqual({ kept: new Map(), removed: ["pair", "account"] });
  });
});
