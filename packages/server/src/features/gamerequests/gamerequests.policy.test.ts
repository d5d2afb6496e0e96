import { describe, expect, test } from "vitest";
import { isConnected, isForeign, mayServe, openKey, serverState, stateAfter } from "./gamerequests.policy.ts";

const ends = ["done", "refused"];

/** What becomes of a request, told without the table: the game has the last word, and then nobody has. */
function expected(state: string, event: string): string | null {
  if (ends.includes(state)) return null;
  if (ends.includes(event)) return event;
  if (event === "deliver") return state === "open" ? "delivered" : null;
  const inTime = state === "open" || state === "delivered";
  if (event === "deadline") return inTime ? (state === "open" ? "expired" : "unknown") : null;
  return state === "unknown" ? null : "unknown";
}

describe("the state of a request", () => {
  for (const state of ["open", "delivered", "done", "refused", "expired", "unknown"] as const)
    for (const event of ["deliver", "deadline", "done", "refused", "unknown"] as const)
      test(`${state}, then ${event}`, () => expect(stateAfter(state, event)).toBe(expected(state, event)));
});

const stream = { epoch: "e", last_position: 7 };

test.each([
  [{ epoch: "e", after: 0 }, false],
  [{ epoch: "e", after: 7 }, false],
  [{ epoch: "e", after: 8 }, true],
  [{ epoch: "other", after: 3 }, true],
  [{ epoch: undefined, after: 3 }, true],
])("the position %j is foreign: %s", (given, foreign) => expect(isForeign(given, stream)).toBe(foreign));

test("a game server is connected for a minute after it polled", () => {
  expect([isConnected(1000, 61_000), isConnected(1000, 61_001)]).toEqual([true, false]);
});

test("requests without a key do not replace each other", () => {
  expect([openKey("a.b", undefined), openKey("a.b", "1"), openKey("a.c", "1")]).toEqual([null, "a.b:1", "a.c:1"]);
});

describe("a game server that polls with the token old", () => {
  const now = 1_000_000;
  const silent = { token: "old", previous_token: null, last_polled_at: now - 60_001 };
  const polling = { ...silent, last_polled_at: now - 60_000 };
  const served = (token: string, previous_token: string | null) => ({ token, previous_token, last_polled_at: now });
  test.each([
    ["one that never polled", null, [], true],
    ["one of before tokens were noted", { ...polling, token: null }, [], true],
    ["one that polls", polling, [], false],
    ["a silent one", silent, [], true],
    ["a silent one, by the token of another game server", silent, [served("new", null)], false],
    ["a silent one, by the token that replaced old elsewhere", silent, [served("new", "old")], true],
    ["a silent one, by a token that also replaced another", silent, [served("new", "old"), served("new", "third")], false],
  ] as const)("%s", (_what, server, others, may) => {
    expect(mayServe(server, "new", { others, configured: ["old", "new"], now })).toBe(may);
    expect(mayServe(server, "old", { others: [], configured: ["old", "new"], now })).toBe(true);
    // The old token is no longer valid, so nobody else is served with it.
    expect(mayServe(server, "new", { others, configured: ["new"], now })).toBe(true);
  });
});

test("a game server is silent for a day, and then gone", () => {
  const day = 86_400_000;
  expect([60_000, 60_001, day, day + 1].map((now) => serverState(0, now))).toEqual(["connected", "silent", "silent", "gone"]);
});
