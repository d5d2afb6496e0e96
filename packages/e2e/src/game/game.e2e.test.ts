import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createSyncClient } from "@rollcall/sync-sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { stateFields, StateTable } from "@rollcall/server/contract/core";
import { positionsTopic } from "@rollcall/server/contract/positions";
import { person, type Person, sendTo, userToken } from "@rollcall/testkit/api.ts";
import { SimulatedGame } from "@rollcall/testkit/game/game.ts";
import { makeResidents } from "@rollcall/testkit/game/residents.ts";
import { connectLive, type LiveClient } from "@rollcall/testkit/live.ts";
import { type Instance, makeInstance, type Program, run, secrets, serve } from "@rollcall/testkit/program.ts";

const { jobs, users, residents } = makeResidents(60);
const chief = { identifier: "char1:licence-of-chief", jobs: [{ name: "police", grade: 4 }], isSteady: true };
const seenJobs: ReadonlySet<string | null> = new Set(["police", "taxi"]);
const lively = { off: 60, on: 30, hide: 200, drop: 400, freeze: 400 };

let instance: Instance;
let program: Program;
let viewer: Person;
const queueDir = mkdtempSync(path.join(tmpdir(), "rollcall-game-"));

beforeAll(async () => {
  instance = await makeInstance();
  program = await serve(instance);
  await sendTo(instance.url, "jobs", jobs);
  await sendTo(instance.url, "users", users);
  viewer = await person(instance, { username: "chief", job: "police", grade: 4 });
  const { code, stderr } = await run(["role", "allow", "positions.view", "--attributes", "jobs=police:4,taxi:4"], instance);
  if (code !== 0) throw new Error(stderr);
}, 60_000);

afterAll(async () => {
  await program.stop();
  instance.remove();
  rmSync(queueDir, { recursive: true, force: true });
});

/** The places that the viewer has now. */
class Places {
  readonly #live: LiveClient;
  readonly #table = new StateTable(stateFields(positionsTopic.message));
  #read = 0;

  private constructor(live: LiveClient) {
    this.#live = live;
  }

  static async open(): Promise<Places> {
    const live = await connectLive(instance.url, await userToken(instance.url, viewer));
    live.send({ type: "subscribe", topic: "positions" });
    await live.seen("subscribed");
    return new Places(live);
  }

  get names(): string[] {
    for (; this.#read < this.#live.frames.length; this.#read += 1) this.#table.apply(this.#live.frames[this.#read]!);
    return [...this.#table.values.values()].map(({ value }) => String(value["name"])).sort();
  }

  close(): void {
    this.#live.close();
  }
}

const nameOf = (identifier: string) => (identifier === chief.identifier ? "Per chief" : `Sim No${identifier.split("-")[1]}`);

test("a city of players is shown as it is, also after its server, or Rollcall, has crashed", async () => {
  const game = new SimulatedGame({
    seed: 5,
    residents: [chief, ...residents],
    every: lively,
    connect: (boot) =>
      createSyncClient({
        ...{ url: instance.url, token: secrets.sync, source: "game", boot, queueDir, positionsPerSecond: 5 },
        retry: { baseMs: 50, maxMs: 500 },
      }),
  });
  const expected = () =>
    game.players
      .filter(({ job, presence, isHidden }) => seenJobs.has(job) && presence !== "gone" && !isHidden)
      .map(({ identifier }) => nameOf(identifier))
      .sort();
  const drive = async (seconds: number) => {
    for (let i = 0; i < seconds; i += 1) await game.step(1000);
  };
  const driveMore = async (rounds: number, places: Places) => {
    for (let i = 0; i < rounds; i += 1) {
      await drive(10);
      await expect.poll(() => places.names).toEqual(expected());
    }
  };

  await game.start();
  await drive(1);
  const before = await Places.open();
  await driveMore(5, before);
  expect(before.names.length).toBeGreaterThan(5);

  await game.crash();
  await game.start();
  await driveMore(3, before);
  before.close();

  await program.stop();
  await drive(20);
  program = await serve(instance);
  const after = await Places.open();
  await drive(1);
  await driveMore(3, after);
  after.close();
  await game.stop();
});
