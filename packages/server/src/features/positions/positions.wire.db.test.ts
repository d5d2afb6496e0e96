import { setTimeout as pause } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { Config } from "#config/index.ts";
import { decodeStateFrame, stateFields } from "#core/contract/index.ts";
import { defineFeature } from "#core/feature.ts";
import { authApi } from "#features/auth/auth.api.ts";
import { syncDuty } from "#features/duty/duty.contract.ts";
import { TestClient } from "#infra/realtime/realtime.testkit.ts";
import { testSecrets } from "#testkit/app.ts";
import { settled } from "#testkit/rechecks.ts";
import { type AppUnderTest, describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { positionsTopic, syncPositions } from "./positions.contract.ts";

/** Of both databases together 30, or 2,000. */
/** The instants of calls count from here. */
const begun = Date.now() - 3_600_000;
const sequences = Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1) > 1 ? 1000 : 15;
const seed = 20_261_125;

const jobs = ["wirepolice", "wiremedics"] as const;
type Job = (typeof jobs)[number];
type Grades = Readonly<Partial<Record<Job, number>>>;

/** Job and grade of each person; the first ones also look. */
const people: readonly (readonly [Job, number])[] = [
  [jobs[0], 1],
  [jobs[0], 3],
  [jobs[1], 2],
  [jobs[0], 2],
  [jobs[1], 1],
  [jobs[1], 3],
];
const viewers = 3;
const frameMs = 200;

type Action =
  | { readonly what: "move" | "hide" | "remove" | "on" | "off" | "dropped" | "loaded"; readonly who: number }
  | { readonly what: "role"; readonly who: number; readonly sees: Grades }
  | { readonly what: "settle" };

const who = fc.nat(people.length - 1);
const grade = fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined });
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ what: fc.constant("move" as const), who }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constantFrom("hide" as const, "remove" as const), who }) },
  {
    weight: 5,
    arbitrary: fc.record({ what: fc.constantFrom("on" as const, "off" as const, "dropped" as const, "loaded" as const), who }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ what: fc.constant("role" as const), who: fc.nat(viewers - 1) },
      sees: fc.record({ [jobs[0]]: grade, [jobs[1]]: grade }, { requiredKeys: [] }),
    }),
  },
  { weight: 6, arbitrary: fc.constant({ what: "settle" as const }) },
);

/** What is true of one person, written again from the rules. */
interface Truth {
  readonly isOnDuty: boolean;
  readonly place: "none" | "open" | "hidden";
  readonly sees: Grades;
}

function maySee(truths: readonly Truth[], viewer: number, of: number): boolean {
  const [own, other] = [truths[viewer]!, truths[of]!];
  if (!own.isOnDuty || own.place !== "open" || !other.isOnDuty || other.place !== "open") return false;
  const [job, rank] = people[of]!;
  return (own.sees[job] ?? -1) >= rank;
}

function after(truths: readonly Truth[], done: Action): readonly Truth[] {
  if (done.what === "settle") return truths;
  const change = (truth: Truth): Truth => {
    switch (done.what) {
      case "move":
        return { ...truth, place: "open" };
      case "hide":
        return { ...truth, place: "hidden" };
      case "remove":
        return { ...truth, place: "none" };
      case "on":
        return { ...truth, isOnDuty: true };
      case "off":
        return { ...truth, isOnDuty: false };
      case "role":
        return { ...truth, sees: done.sees };
      case "dropped":
      case "loaded":
        return truth;
    }
  };
  return truths.map((truth, i) => (i === done.who ? change(truth) : truth));
}

const every = { [jobs[0]]: 3, [jobs[1]]: 3 };
const settle = { what: "settle" } as const;
const role = (sees: Grades) => ({ what: "role", who: 0, sees }) as const;

/** Checks of rights that others overtake, and places that are hidden while a check runs. */
const directed: readonly (readonly Action[])[] = [
  [role({}), settle, role(every), role({}), settle],
  [settle, role({ [jobs[0]]: 2 }), { what: "move", who: 3 }, { what: "hide", who: 3 }, settle],
  [settle, role({ [jobs[0]]: 2 }), { what: "move", who: 3 }, role(every), { what: "remove", who: 3 }, settle],
];

/** How long the rights of connections are on their way before they are read, and behind that, in turn. Milliseconds. */
interface Delays {
  readonly before: readonly number[];
  readonly behind: readonly number[];
}

/** The next change begins while the rights of the last one are on their way. */
const late: Delays = { before: [0], behind: [300] };
const mixed: Delays = { before: [0, 0, 40], behind: [60, 0, 120, 20] };
let delays = mixed;

/** Reads rights late, as a busy database does, while positions need no statement. */
const lateRights = defineFeature<Config>({
  name: "laterights",
  about: "A feature of this test.",
  needs: ["auth"],
  contract: {},
  tables: [],
  create(context) {
    const api = context.use(authApi);
    const { refresh } = api;
    let turn = 0;
    api.refresh = async (viewer) => {
      turn += 1;
      await pause(delays.before[turn % delays.before.length]);
      const found = await refresh(viewer);
      await pause(delays.behind[turn % delays.behind.length]);
      return found;
    };
    return {};
  },
});

const fields = stateFields(positionsTopic.message);

/** One viewer's connection: what it has now, and who was in the frames since the last look. */
class Wire {
  readonly client: TestClient;
  readonly #keys = new Map<number, string>();
  readonly has = new Map<string, number>();
  #read = 0;

  constructor(client: TestClient) {
    this.client = client;
  }

  /** Character and coordinate of each place in new frames. */
  look(): { readonly key: string; readonly x: number }[] {
    const found: { key: string; x: number }[] = [];
    const frames = this.client.frames();
    for (; this.#read < frames.length; this.#read += 1) {
      const { full, removed, entries } = decodeStateFrame(fields, frames[this.#read]!);
      if (full) for (const map of [this.#keys, this.has]) map.clear();
      for (const index of removed) {
        this.has.delete(this.#keys.get(index)!);
        this.#keys.delete(index);
      }
      for (const { index, key, fields: one } of entries) {
        if (key !== null) this.#keys.set(index, key);
        const name = this.#keys.get(index)!;
        const x = (one["x"] as number | undefined) ?? this.has.get(name)!;
        this.has.set(name, x);
        found.push({ key: name, x });
      }
    }
    return found;
  }

  close(): void {
    this.client.leave();
  }
}

/** People, and connections of those who look, for all sequences of a database. */
class Scene {
  readonly #under: AppUnderTest;
  readonly #actors: readonly TestActor[];
  readonly #wires: readonly Wire[];
  /** Coordinates that were sent while their person was hidden. */
  readonly #hidden = new Set<number>();
  /** The coordinate that was sent last of each person. */
  readonly #sent: number[] = [];
  readonly #faults: string[] = [];
  #count = 0;
  #truths: readonly Truth[] = [];

  private constructor(under: AppUnderTest, actors: readonly TestActor[], wires: readonly Wire[]) {
    [this.#under, this.#actors, this.#wires] = [under, actors, wires];
  }

  static async open(under: AppUnderTest): Promise<Scene> {
    const { app, world } = under;
    for (const job of jobs) await world.job(job, [1, 2, 3]);
    const actors: TestActor[] = [];
    for (const [job, rank] of people) {
      const rights = { "positions.view": { jobs: {} } };
      actors.push(await world.actor({ job, grade: rank, rights }));
    }
    const wires: Wire[] = [];
    for (const actor of actors.slice(0, viewers)) {
      const client = await TestClient.signedIn(app.process.hub, await world.tokenOf(actor));
      await client.subscribe("positions");
      wires.push(new Wire(client));
    }
    return new Scene(under, actors, wires);
  }

  close(): void {
    for (const wire of this.#wires) wire.close();
  }

  /** Everybody is on duty and somewhere, and those who look see everything. */
  async reset(): Promise<void> {
    for (let i = 0; i < viewers; i += 1) await this.#do({ what: "role", who: i, sees: every });
    for (const i of people.keys()) {
      await this.#do({ what: "on", who: i });
      await this.#do({ what: "move", who: i });
    }
    this.#truths = people.map(() => ({ isOnDuty: true, place: "open", sees: every }));
    // What is on its way is as of the sequence before.
    for (const wire of this.#wires) wire.look();
    await this.#settle();
  }

  async run(actions: readonly Action[]): Promise<void> {
    await this.reset();
    for (const one of [...actions, { what: "settle" as const }]) {
      const before = this.#truths;
      await this.#do(one);
      // What arrived while the call ran may be as of before it.
      this.#check([before, after(before, one)], JSON.stringify(one));
      this.#truths = after(before, one);
      expect(this.#faults).toEqual([]);
    }
    // A frame that is late would come now.
    await pause(2 * frameMs);
    this.#check([this.#truths], "the end");
    expect(this.#faults).toEqual([]);
  }

  /** No place that nobody may have, and none of a time when its person was hidden. */
  #check(times: readonly (readonly Truth[])[], what: string): void {
    for (const [viewer, wire] of this.#wires.entries()) {
      for (const { key, x } of wire.look()) {
        const of = this.#actors.findIndex(({ characterId }) => String(characterId) === key);
        const allowed = times.some((truths) => maySee(truths, viewer, of));
        if (!allowed || this.#hidden.has(x)) this.#faults.push(`viewer ${viewer} got the place ${x} of ${of} after ${what}`);
      }
    }
  }

  async #do(one: Action): Promise<void> {
    if (one.what === "settle") return await this.#settle();
    if (one.what === "role") {
      const [job, rank] = people[one.who]!;
      const seen = Object.fromEntries(Object.entries(one.sees).filter(([, most]) => most !== undefined));
      return await this.#under.world.grant(job, rank, { "positions.view": { jobs: seen } });
    }
    this.#count += 1;
    const token = { token: testSecrets.sync };
    const identifier = `char1:${this.#actors[one.who]!.licence}`;
    if (one.what === "move" || one.what === "hide" || one.what === "remove") {
      const x = this.#count;
      this.#sent[one.who] = x;
      if (one.what === "hide") this.#hidden.add(x);
      const item = { identifier, x, y: 0, hidden: one.what === "hide", remove: one.what === "remove" };
      const body = { source: "wire", boot: "1", at: begun + this.#count, items: [item] };
      expect((await this.#under.app.call(syncPositions, { body }, token)).body).toMatchObject({ accepted: 1 });
      return;
    }
    const [job] = people[one.who]!;
    const item = { identifier, event: one.what, job, at: Date.now(), key: `wire-${this.#count}` };
    const answer = await this.#under.app.call(syncDuty, { body: { source: "wire", boot: "1", items: [item] } }, token);
    expect(answer.body).toMatchObject({ rejected: [] });
  }

  /** Each viewer has exactly the places that it may see, as they were sent last, and gets nothing else on the way there. */
  async #settle(): Promise<void> {
    const truths = this.#truths;
    const expected = this.#wires.map((_, viewer) =>
      Object.fromEntries(
        this.#actors.flatMap(({ characterId }, of) => (maySee(truths, viewer, of) ? [[characterId, this.#sent[of]]] : [])),
      ),
    );
    const had = () => {
      this.#check([truths], "settle");
      return { faults: this.#faults, had: this.#wires.map(({ has }) => Object.fromEntries(has)) };
    };
    await expect.poll(had, { interval: 20 }).toEqual({ faults: [], had: expected });
    // Checks of rights that still run change nothing more.
    await settled(this.#wires.map(({ client }) => client));
    expect(had()).toEqual({ faults: [], had: expected });
  }
}

describeApps(
  "places on the wire",
  (get) => {
    let scene: Scene | null = null;
    afterAll(() => {
      scene?.close();
      scene = null;
    });

    const opened = async () => (scene ??= await Scene.open(get()));

    test.each(directed)(
      "are those of now, whatever comes while rights are checked (%#)",
      { timeout: 30_000 },
      async (...actions) => {
        const at = await opened();
        delays = late;
        await at.run(actions).finally(() => (delays = mixed));
      },
    );

    test(
      `are those that the viewer may see at that time (${sequences} sequences)`,
      { timeout: 60_000 + sequences * 5000 },
      async () => {
        const at = await opened();
        const drawn = fc.asyncProperty(
          fc.array(action, { minLength: 5, maxLength: 40 }),
          async (actions) => await at.run(actions),
        );
        await fc.assert(drawn, { seed, numRuns: sequences, endOnFailure: true });
      },
    );
  },
  {},
  { features: [lateRights] },
);
