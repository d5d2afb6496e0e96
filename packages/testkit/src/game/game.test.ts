import type { DutyEvent, Position, SyncClient, User } from "@rollcall/sync-sdk";
import { describe, expect, it } from "vitest";
import { SimulatedGame } from "./game.ts";
import { makeResidents } from "./residents.ts";

/** A client that keeps what it gets, as Rollcall would know it. */
function recorder() {
  const calls: string[] = [];
  const places = new Map<string, Position>();
  const duty = new Map<string, string>();
  const requests = new Map<string, (payload: unknown, call: { readonly id: string }) => void>();
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
      users: async ([one]: readonly User[]) => {
        calls.push(`user ${one!.identifier} ${(one!.jobs ?? []).map(({ name, grade }) => `${name} ${grade}`).join(", ")}`);
        return { accepted: 1, unchanged: 0, rejected: [], queued: 0 };
      },
      requests: {
        on: (kind: string, handler: (payload: unknown, call: { readonly id: string }) => void) =>
          void requests.set(kind, handler),
        start: async () => void calls.push("requests"),
      },
      close: async () => void calls.push("close"),
    };
    return client as unknown as SyncClient;
  };
  return { calls, places, duty, requests, connect };
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

  it("has players who go on while it is down, of whom the next start says only who is on duty then", async () => {
    const { game, calls, duty } = await run(7, 30);
    const working = () => game.players.filter(({ job, presence }) => job !== null && presence !== "gone");
    const named = () => working().map(({ identifier, job }) => `on ${identifier} ${job}`);
    const [before, said] = [named(), calls.length];
    await game.crash();
    for (let i = 0; i < 120; i += 1) await game.step(1000);
    expect(calls.slice(said)).toEqual(["close"]);
    expect(named()).not.toEqual(before);
    expect([...duty].map(([identifier, job]) => `on ${identifier} ${job}`)).not.toEqual(named());
    await game.start();
    expect(calls.slice(said + 2)).toEqual(named());
  });

  it("shows toasts and waypoints to players who are there, and refuses those of others", async () => {
    const { requests, connect, calls } = recorder();
    const game = new SimulatedGame({ seed: 7, every: lively, takesRequests: true, connect });
    await game.start();
    expect(calls.at(-1)).toBe("requests");
    for (let i = 0; i < 240; i += 1) await game.step(1000);
    const { identifier } = game.players.find(({ presence }) => presence === "there")!;
    const { identifier: away } = game.players.find(({ presence }) => presence === "gone")!;
    const [toast, waypoint] = [requests.get("ingame.toast")!, requests.get("ingame.waypoint")!];
    const both = { en: "Hello", de: "Hallo" };
    toast({ identifier, tone: "info", title: both, text: both, missed: 0 }, { id: "1" });
    waypoint({ identifier, x: 1, y: 2, label: "204" }, { id: "2" });
    expect(game.screens.toasts.map(({ id, toast: { title } }) => [id, title.de])).toEqual([["1", "Hallo"]]);
    expect(game.screens.waypoints.get(identifier)).toMatchObject({ x: 1, label: "204" });
    expect(() => toast({ identifier: away, title: both }, { id: "3" })).toThrow("not in the game");
    expect(() => waypoint({ identifier: away, x: 1, y: 2 }, { id: "4" })).toThrow("not in the game");
  });

  it("changes jobs as it is asked, unless the character stands elsewhere by then", async () => {
    const { requests, connect, calls } = recorder();
    const { residents, users } = makeResidents(8);
    const game = new SimulatedGame({ seed: 7, residents, people: users, takesRequests: true, connect });
    await game.start();
    const { identifier } = users[0]!;
    const change = async (expectedGrade: number | null, grade: number | null): Promise<void> => {
      const payload = { identifier, job: "police", expectedGrade, grade, reason: "", by: "" };
      await (requests.get("colleagues.job") as (of: unknown) => Promise<void>)(payload);
    };
    await change(1, 3);
    expect(calls.at(-1)).toBe(`user ${identifier} police 3`);
    await expect(change(1, 2)).rejects.toThrow("another grade");
    await change(3, null);
    expect(calls.at(-1)).toBe(`user ${identifier} unemployed 0`);
    await change(null, 1);
    expect(calls.at(-1)).toBe(`user ${identifier} police 1`);
  });

  it("moves two thousand players", async () => {
    const seen = recorder();
    const game = new SimulatedGame({ seed: 1, residents: makeResidents(2000).residents, connect: seen.connect });
    await game.start();
    await game.step(1000);
    expect(seen.places.size).toBeGreaterThan(1500);
  });
});
