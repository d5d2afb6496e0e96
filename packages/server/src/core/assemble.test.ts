import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import {
  access,
  defineEvent,
  definePermission,
  definePreference,
  defineSchedule,
  defineOperation,
  defineOrders,
  defineRetention,
  defineSecretLink,
  defineSyncKind,
  defineTopic,
} from "./contract/index.ts";
import { col, defineTable } from "./db/table.ts";
import { assemble } from "./assemble.ts";
import {
  apiToken,
  type AttributeSource,
  bind,
  defineFeature,
  type Feature,
  type FeatureParts,
  listenTo,
  type Ports,
} from "./feature.ts";
import type { EventMessage, NotificationDelivery } from "./ports/index.ts";
import { bindRetention, type RetentionRunner } from "./retention.ts";

const read = defineOperation({
  id: "a.read",
  method: "GET",
  path: "/api/a/:id",
  summary: "Read",
  access: access.public(),
  rate: "read",
  input: { params: Type.Object({ id: Type.Integer() }) },
  output: Type.Object({ id: Type.Integer() }),
  example: { params: { id: 1 }, output: { id: 1 } },
});
const nightly = defineSchedule({ id: "a.nightly", payload: Type.Object({}), cron: "0 4 * * *" });
const papers = defineSyncKind({ kind: "papers", manifest: true, key: "no", operations: [] });
const routes = [bind(read, async () => ({ id: 1 }))];

function feature(name: string, more: Partial<Feature> = {}, parts: FeatureParts = {}): Feature {
  return defineFeature({ name, about: "", needs: [], contract: {}, tables: [], create: () => parts, ...more });
}

const byName = defineOrders(["name"], { default: "name" });

const people = defineTable("a_people", { id: col.id(), deleted_at: col.int().orNull() }, { primary: ["id"] });
const step = { tables: ["a_people"], kept: { ms: 1000 } };
const purge = defineRetention({ id: "a.purge", cron: "0 4 * * *", jitterMs: 0, steps: { people: step } });
const bound = [bindRetention(purge, { people: async () => 0 })];
const ran: string[] = [];
const runner: RetentionRunner = {
  run: async ({ retention }, actor) => {
    ran.push(`${retention.id} ${JSON.stringify(actor)}`);
    return new Map([["people", 3]]);
  },
};

const way = (id: string, channel: string): NotificationDelivery => ({
  id,
  channels: [{ id: channel, label: "" }],
  availableFor: async () => true,
  deliver: async () => undefined,
});

const named = definePermission("a.read", { papers: { type: "data", source: "b.papers" } });
const rows: AttributeSource = { source: "b.papers", list: async () => [], labels: async () => new Map() };
const seen = definePreference({ id: "a.seen", schema: Type.Boolean(), default: false, per: "account", version: 1 });

const start = (...features: Feature[]) => assemble(features, {} as Ports, () => runner);

const link = (operations: readonly string[], topics: readonly string[]) =>
  defineSecretLink({ id: "a.link", operations, topics, maxAgeMs: 1, uses: null, budget: { perMinute: 1 } });
const open = { ...read, access: access.link(link([], [])) };
const board = defineTopic({ name: "board", kind: "event", access: access.account(), message: Type.Object({}) });
const linkedBoard = { ...board, access: access.link(link([], [])) };
const grant = async () => ({ class: "", view: (data: unknown) => data });

describe("secret links at boot", () => {
  const linked = (links: ReturnType<typeof link>[], { operation = read, topic = board, authorizeLink = false } = {}) => {
    const binding = { topic, authorize: grant, ...(authorizeLink ? { authorizeLink: grant } : {}) };
    return () =>
      start(
        feature(
          "a",
          { contract: { operations: [operation], topics: [topic], links } },
          { routes: [bind(operation, async () => ({ id: 1 }))], topics: [binding] },
        ),
      );
  };

  test("that name what says so itself are accepted", () => {
    const authorizeLink = true;
    const both = link(["a.read"], ["board"]);
    expect(linked([both], { operation: open, authorizeLink })().registry.links()).toEqual([both]);
    expect(linked([both], { operation: open, topic: linkedBoard, authorizeLink })).not.toThrow();
  });

  test.each<[string, () => unknown, RegExp]>([
    ["an operation for others", linked([link(["a.read"], [])]), /operation a\.read of the link a\.link is declared but nothing/],
    ["no operation that it opens", linked([link([], [])], { operation: open }), /a\.read of the link a\.link is served but not/],
    ["an operation that nobody has", linked([link(["a.gone"], [])]), /operation a\.gone of the link a\.link is declared but/],
    ["a topic for others", linked([link([], ["board"])]), /topic of links board is declared but nothing serves it/],
    ["no topic that admits links", linked([link([], [])], { authorizeLink: true }), /topic of links board is served but not/],
    [
      "no topic that it opens",
      linked([link([], [])], { topic: linkedBoard }),
      /topic board of the link a\.link is served but not/,
    ],
    ["the same as another", linked([link([], []), link([], [])]), /secret link a\.link is defined twice/],
  ])("that name %s are refused", (_what, boot, message) => {
    expect(boot).toThrow(message);
  });
});

describe("features at boot", () => {
  test("a complete feature is accepted", () => {
    const assembly = start(
      feature(
        "a",
        { contract: { operations: [read], schedules: [nightly] } },
        { routes, schedules: [{ schedule: nightly, run: async () => undefined }] },
      ),
    );
    expect(assembly.bindings.map(({ operation }) => operation.id)).toEqual(["a.read"]);
  });

  test("listeners are in the order of the features, so those of a feature come after those of what it needs", () => {
    const event = defineEvent({ id: "a.changed", version: 1, payload: Type.Object({}) });
    const called: string[] = [];
    const listening = (name: string, needs: string[]) =>
      feature(name, { needs }, { listeners: [listenTo({ event, onEvent: () => void called.push(name) })] });
    const { listeners } = start(listening("a", []), listening("b", ["a"]), listening("c", ["a", "b"]));
    for (const listener of listeners) listener.onEvent({} as EventMessage);
    expect(called).toEqual(["a", "b", "c"]);
  });

  test("retention is an ordinary schedule, and can be run at once on behalf of an actor", async () => {
    const assembly = start(feature("a", { contract: { retention: [purge] }, tables: [people] }, { retention: bound }));
    expect(assembly.registry.recurring()).toEqual([{ id: "a.purge", when: { cron: "0 4 * * *" }, jitterMs: 0, missed: "once" }]);
    await assembly.schedules.find(({ schedule }) => schedule.id === "a.purge")?.run({}, new AbortController().signal);
    expect(await assembly.retain("a.purge", { kind: "cli", user: "mara" })).toEqual(new Map([["people", 3]]));
    expect(ran).toEqual(['a.purge {"kind":"system","name":"a.purge"}', 'a.purge {"kind":"cli","user":"mara"}']);
    await expect(assembly.retain("a.nothing", { kind: "cli", user: "mara" })).rejects.toThrow(/no retention a\.nothing/);
  });

  test("a table with soft deletes may be declared as kept for good", () => {
    const keptForGood = [{ kind: "people", tables: ["a_people"] }];
    expect(start(feature("a", { contract: { keptForGood }, tables: [people] })).schedules).toEqual([]);
  });

  test.each<[string, Feature[], RegExp]>([
    [
      "an operation of the Sync API that does not say what a repeated call does",
      [feature("a", { contract: { operations: [{ ...read, method: "POST", access: access.sync() }] } })],
      /operation a\.read: declare in idempotent what a repeated call does/,
    ],
    [
      "an operation with orders whose indexes nobody declares",
      [feature("a", { contract: { operations: [{ ...read, input: { query: Type.Object(byName.query) } }] } }, { routes })],
      /operation a\.read has orders, but a declares no list with their indexes/,
    ],
    [
      "an idempotency key elsewhere",
      [feature("a", { contract: { operations: [{ ...read, idempotent: "key" }] } })],
      /operation a\.read: only operations of the Sync API that change something declare idempotent/,
    ],
    [
      "a table with soft deletes without a declared retention",
      [feature("a", { tables: [people] })],
      /the table a_people has deleted_at, but a declares neither in retention .* nor in keptForGood/,
    ],
    [
      "retention of a table that is not the feature's",
      [feature("a", { contract: { retention: [purge] } }, { retention: bound })],
      /a keeps rows of a_people, which is not one of its tables/,
    ],
    [
      "retention that nothing carries out",
      [feature("a", { contract: { retention: [purge] }, tables: [people] })],
      /schedule a\.purge is declared but nothing serves it/,
    ],
    [
      "one kind kept both for a time and for good",
      [
        feature(
          "a",
          { contract: { retention: [purge], keptForGood: [{ kind: "people", tables: [] }] }, tables: [people] },
          { retention: bound },
        ),
      ],
      /what a keeps: people is defined twice/,
    ],
    [
      "a schedule and a retention with the same id",
      [
        feature(
          "a",
          { contract: { schedules: [{ ...nightly, id: "a.purge" }], retention: [purge] }, tables: [people] },
          { schedules: [{ schedule: { ...nightly, id: "a.purge" }, run: async () => undefined }], retention: bound },
        ),
      ],
      /schedule a\.purge is defined twice/,
    ],
    [
      "a channel of notifications that two ways offer",
      ["a", "b"].map((name) => feature(name, {}, { deliveries: [way(name, "letter")] })),
      /channel of notifications letter is defined twice/,
    ],
    [
      "an attribute that names rows which no feature has",
      [feature("a", { contract: { permissions: [named] } })],
      /a\.read names rows of b\.papers in papers, but no feature has them/,
    ],
    [
      "rows of attributes that two features have",
      [
        feature("a", { contract: { permissions: [named] } }, { attributeSources: [rows] }),
        feature("b", {}, { attributeSources: [rows] }),
      ],
      /source of attributes b\.papers is defined twice/,
    ],
    [
      "a preference that two features have",
      [feature("a", { contract: { preferences: [seen] } }), feature("b", { contract: { preferences: [seen] } })],
      /preference a\.seen is defined twice/,
    ],
    [
      "a channel of notifications that no choice can store",
      [feature("a", {}, { deliveries: [way("a", "letters-by-pigeon")] })],
      /the channel letters-by-pigeon of notifications has more than 16 characters/,
    ],
    [
      "a declared operation that nothing serves",
      [feature("a", { contract: { operations: [read] } })],
      /operation a\.read is declared but nothing serves it/,
    ],
    ["a served operation that is not declared", [feature("a", {}, { routes })], /operation a\.read is served but not declared/],
    [
      "an operation bound twice",
      [feature("a", { contract: { operations: [read] } }, { routes: [...routes, ...routes] })],
      /operation a\.read is defined twice/,
    ],
    [
      "two operations on one route",
      [
        feature(
          "a",
          { contract: { operations: [read, { ...read, id: "a.again" }] } },
          { routes: [...routes, bind({ ...read, id: "a.again" }, async () => ({ id: 1 }))] },
        ),
      ],
      /route GET .* is defined twice/,
    ],
    [
      "an example without its path parameter",
      [feature("a", { contract: { operations: [{ ...read, example: { output: { id: 1 } } }] } }, { routes })],
      /its example lacks params/,
    ],
    [
      "an example without its output",
      [feature("a", { contract: { operations: [{ ...read, example: { params: { id: 1 } } }] } }, { routes })],
      /its example lacks the output/,
    ],
    [
      "an object of the audit log with another feature in its name",
      [feature("a", { contract: { objects: ["b.entry"] } })],
      /a declares the object b\.entry of the audit log, which begins with another feature/,
    ],
    [
      "an object of the audit log that two features declare",
      ["a", "b"].map((name) => feature(name, { contract: { objects: ["entry"] } })),
      /object of the audit log entry is defined twice/,
    ],
    [
      "a sync kind that nothing serves",
      [feature("a", { contract: { sync: [papers] } })],
      /sync kind papers is declared but nothing serves it/,
    ],
    [
      "a sync kind with a manifest that cannot name its ids",
      [feature("a", { contract: { sync: [papers] } }, { sync: [{ kind: "papers", count: async () => 0 }] })],
      /sync kind papers has a manifest, but lacks liveIds or remove/,
    ],
    [
      "a schedule without a handler",
      [feature("a", { contract: { schedules: [nightly] } })],
      /schedule a\.nightly is declared but nothing serves it/,
    ],
    [
      "a schedule with two handlers",
      [
        feature(
          "a",
          { contract: { schedules: [nightly] } },
          {
            schedules: [
              { schedule: nightly, run: async () => undefined },
              { schedule: nightly, run: async () => undefined },
            ],
          },
        ),
      ],
      /schedule a\.nightly is defined twice/,
    ],
    [
      "an api that is not named in needs",
      [feature("a", {}, { api: {} }), feature("b", { create: ({ use }) => ({ api: use(apiToken("a")) }) })],
      /b uses a, which it does not list in needs/,
    ],
  ])("%s is refused", (_what, features, problem) => {
    expect(() => start(...features)).toThrow(problem);
  });
});
