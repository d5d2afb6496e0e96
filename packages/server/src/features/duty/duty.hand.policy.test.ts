import { describe, expect, it } from "vitest";
import type { ByHandMode } from "./duty.contract.ts";
import { keptByGame, refusesByHand } from "./duty.hand.policy.ts";
import type { Duty } from "./duty.policy.ts";
import { neverCalled } from "./duty.sources.policy.ts";

const t0 = 1_790_000_000_000;
const rules = (byHand: ByHandMode, gameSince: number | null = null) => ({ job: "police", version: 1, byHand, gameSince });

describe("duty by hand", () => {
  it.each([
    ["on", null, null],
    ["on", t0, null],
    ["off", null, "off"],
    ["off", t0, "off"],
    ["untilSource", null, null],
    ["untilSource", t0, "game"],
  ] as const)("in a job whose rules say %s, reported since %s, is refused: %s", (byHand, gameSince, refused) => {
    expect(refusesByHand(rules(byHand, gameSince))).toBe(refused);
  });

  const ofJob = { job: "police", grade: 1, startGrade: 1, since: t0, bootCount: 0, missingAt: null, unnamedSince: null };
  const game: Duty = { ...ofJob, by: "game", source: "city" };
  const kept = (duty: Duty | null, silentFrom: number | null, one = rules("untilSource", t0)) =>
    keptByGame(duty, new Map([["city", { ...neverCalled, silentFrom }]]), new Map([["police", one]]));

  it("in another job is refused while a game server that calls decides about the present duty", () => {
    expect(kept(game, null)).toBe("police");
    expect(kept(game, t0)).toBeNull();
    expect(kept(game, null, rules("on", t0))).toBeNull();
    expect(kept({ ...ofJob, by: "hand", source: null }, null)).toBeNull();
    expect(kept(null, null)).toBeNull();
    expect(keptByGame(game, new Map(), new Map([["police", rules("off")]]))).toBe("police");
  });
});
