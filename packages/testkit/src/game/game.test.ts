import type { DutyEvent, Position, SyncClient } from "@rollcall/sync-sdk";
import { describe, expect, it } from "vitest";
import { SimulatedGame } from "./game.ts";
import { makeResidents } from "./residents.ts";

/** A client that keeps what it gets, as Rollcall would know it. */
function recorder() {
  const calls: string[] = [];
  const places = new Map<string, Position>();
  const duty = new Map<string, string>();
  const connect = (boot: string): SyncClient => {
    calls.push(`open ${boot}`);
    const client = {
      duty: async (events: readonly DutyEvent[]) => {
        for (const { identifier, event, job } of events) {
          calls.push(`${event} ${identifier} ${job ?? ""}`);
          if (event === "on") duty.set(identifier, job!);
          if (event === "off") duty.delete(identifier);
        }
        return { accepted: events.length, unchanged: 0, rejected: [], queued: 0 };
      },
      positions: {
        set: (all: readonly Position[]) => {
          for (const place of all) places.set(place.identifier, place);
        },
        remove: (all: readonly string[]) => {
          for (const identifier of all) places.delete(identifier);
        },
        clear: () => places.clear(),
      },
      close: async () => void calls.push("close"),
    };
    return client as unknown as SyncClient;
  };
  return { calls, places, duty, connect };
}

const lively = { off: 60, on: 30, hide: 60, drop: 120, freeze: 120 };

async function run(seed: number, seconds: number) {
  const seen = recorder();
  const game = new SimulatedGame({ seed, every: lively, connect: seen.connect });
  await game.start();
  for (let i = 0; i < seconds; i += 1) await game.step(1000);
  return { game, ...seen };
}

describe("a simulated game server", () => {
  it("does the same for the same seed, and something else for another one", async () => {
    const [first, same, other] = [await run(7, 60), await run(7, 60), await run(8, 60)];
    expect([same.calls, [...same.places]]).toEqual([first.calls, [...first.places]]);
    expect([...other.places]).not.toEqual([...first.places]);
  });

  it("reports what its players do", async () => {
    const { game, places, duty, calls } = await run(7, 240);
    const there = game.players.filter(({ job, presence }) => job !== null && presence !== "gone");
    expect([...places.keys()].sort()).toEqual(there.map(({ identifier }) => identifier).sort());
    expect([...places.values()].filter(({ hidden }) => hidden === true).length).toBe(there.filter((one) => one.isHidden).length);
    const onDuty = game.players.filter(({ job }) => job !== null).map(({ identifier, job }) => [identifier, job]);
    expect(Object.fromEntries(duty)).toEqual(Object.fromEntries(onDuty));
    for (const event of ["on", "off", "dropped", "loaded"]) expect(calls.some((call) => call.startsWith(event))).toBe(true);
    expect(calls.some((call) => / off(?:police|taxi)$/.test(call))).toBe(true);
    expect(game.players.some(({ presence }) => presence === "frozen")).toBe(true);
  });

  it("says nothing after a crash, and who is on duty after a restart, with another boot", async () => {
    const { game, calls, places } = await run(7, 30);
    await game.crash();
    const before = calls.length;
    await game.step(1000);
    expect(calls.slice(before)).toEqual([]);
    await game.start();
    expect(calls[before]).toBe("open boot-2");
    const on = game.players.filter(({ job, presence }) => job !== null && presence !== "gone");
    expect(calls.slice(before + 1).map((call) => call.split(" ").slice(0, 2))).toEqual(
      on.map(({ identifier }) => ["on", identifier]),
    );
    expect(places.size).toBe(0);
    await game.step(1000);
    expect(places.size).toBeGreaterThan(on.length - 20);
  });

  it("moves two thousand players", async () => {
    const seen = recorder();
    const game = new SimulatedGame({ seed: 1, residents: makeResidents(2000).residents, connect: seen.connect });
    await game.start();
    await game.step(1000);
    expect(seen.places.size).toBeGreaterThan(1500);
  });
});
