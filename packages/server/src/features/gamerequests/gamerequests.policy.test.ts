import { describe, expect, test } from "vitest";
import { isConnected, isForeign, openKey, serverState, stateAfter } from "./gamerequests.policy.ts";

describe("the state of a request", () => {
  test.each([
    ["open", "deadline", "expired"],
    ["delivered", "deadline", "unknown"],
    ["expired", "deadline", null],
    ["unknown", "deadline", null],
    ["done", "deadline", null],
    ["refused", "deadline", null],
    ["open", "done", "done"],
    ["delivered", "done", "done"],
    ["delivered", "refused", "refused"],
    ["delivered", "unknown", "unknown"],
    ["unknown", "unknown", null],
    ["unknown", "done", "done"],
    ["unknown", "refused", "refused"],
    ["expired", "done", "done"],
    ["done", "done", null],
    ["done", "refused", null],
    ["refused", "done", null],
    ["refused", "unknown", null],
  ] as const)("%s, then %s: %s", (state, happening, after) => expect(stateAfter(state, happening)).toBe(after));
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

test("a game server is silent for a day, and then gone", () => {
  const day = 86_400_000;
  expect([60_000, 60_001, day, day + 1].map((now) => serverState(0, now))).toEqual(["connected", "silent", "silent", "gone"]);
});
