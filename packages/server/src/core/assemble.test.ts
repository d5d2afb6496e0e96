import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { access, defineJob, defineOperation, defineRetention } from "./contract/index.ts";
import { col, defineTable } from "./db/table.ts";
import { assemble } from "./assemble.ts";
import { apiToken, bind, defineFeature, type Feature, type FeatureParts, type Ports } from "./feature.ts";
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
const nightly = defineJob({ id: "a.nightly", payload: Type.Object({}), schedule: "0 4 * * *" });
const routes = [bind(read, async () => ({ id: 1 }))];

function feature(name: string, more: Partial<Feature> = {}, parts: FeatureParts = {}): Feature {
  return defineFeature({ name, needs: [], contract: {}, tables: [], create: () => parts, ...more });
}

const people = defineTable("a_people", { id: col.id(), deleted_at: col.int().orNull() }, { primary: ["id"] });
const step = { tables: ["a_people"], kept: { ms: 1000 } };
const purge = defineRetention({ id: "a.purge", schedule: "0 4 * * *", jitterMs: 0, steps: { people: step } });
const bound = [bindRetention(purge, { people: async () => 0 })];
const ran: string[] = [];
const runner: RetentionRunner = {
  run: async ({ retention }, actor) => {
    ran.push(`${retention.id} ${JSON.stringify(actor)}`);
    return new Map([["people", 3]]);
  },
};

const start = (...features: Feature[]) => assemble(features, {} as Ports, () => runner);

describe("features at boot", () => {
  test("a complete feature is taken", () => {
    const assembly = start(
      feature(
        "a",
        { contract: { operations: [read], jobs: [nightly] } },
        { routes, jobs: [{ job: nightly, run: async () => undefined }] },
      ),
    );
    expect(assembly.bindings.map(({ operation }) => operation.id)).toEqual(["a.read"]);
  });

  test("what is kept for a time is a job like any other, and can be run at once in somebody's name", async () => {
    const assembly = start(feature("a", { contract: { retention: [purge] }, tables: [people] }, { retention: bound }));
    expect(assembly.registry.recurring()).toEqual([{ id: "a.purge", when: { cron: "0 4 * * *" }, jitterMs: 0, missed: "once" }]);
    await assembly.jobs.find(({ job }) => job.id === "a.purge")?.run({}, new AbortController().signal);
    expect(await assembly.retain("a.purge", { kind: "cli", user: "mara" })).toEqual(new Map([["people", 3]]));
    expect(ran).toEqual(['a.purge {"kind":"system","name":"a.purge"}', 'a.purge {"kind":"cli","user":"mara"}']);
    await expect(assembly.retain("a.nothing", { kind: "cli", user: "mara" })).rejects.toThrow(/no retention a\.nothing/);
  });

  test("a table whose soft deletes are kept for good says so", () => {
    const keptForGood = [{ kind: "people", tables: ["a_people"] }];
    expect(start(feature("a", { contract: { keptForGood }, tables: [people] })).jobs).toEqual([]);
  });

  test.each<[string, Feature[], RegExp]>([
    [
      "a table with soft deletes whose rows are kept nobody says how long",
      [feature("a", { tables: [people] })],
      /the table a_people has deleted_at, but a declares neither in retention .* nor in keptForGood/,
    ],
    [
      "retention of a table that is not the feature's",
      [feature("a", { contract: { retention: [purge] } }, { retention: bound })],
      /a keeps rows of a_people, which is no table of it/,
    ],
    [
      "retention that nothing carries out",
      [feature("a", { contract: { retention: [purge] }, tables: [people] })],
      /job a\.purge is declared but nothing serves it/,
    ],
    [
      "one kind kept for a time and for good",
      [
        feature(
          "a",
          { contract: { retention: [purge], keptForGood: [{ kind: "people", tables: [] }] }, tables: [people] },
          { retention: bound },
        ),
      ],
      /what a keeps: people is there twice/,
    ],
    [
      "a job and retention with one id",
      [
        feature(
          "a",
          { contract: { jobs: [{ ...nightly, id: "a.purge" }], retention: [purge] }, tables: [people] },
          { jobs: [{ job: { ...nightly, id: "a.purge" }, run: async () => undefined }], retention: bound },
        ),
      ],
      /job a\.purge is there twice/,
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
      /operation a\.read is there twice/,
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
      /route GET .* is there twice/,
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
      "a job without a handler",
      [feature("a", { contract: { jobs: [nightly] } })],
      /job a\.nightly is declared but nothing serves it/,
    ],
    [
      "a job with two handlers",
      [
        feature(
          "a",
          { contract: { jobs: [nightly] } },
          {
            jobs: [
              { job: nightly, run: async () => undefined },
              { job: nightly, run: async () => undefined },
            ],
          },
        ),
      ],
      /job a\.nightly is there twice/,
    ],
    [
      "an api that is not named in needs",
      [feature("a", {}, { api: {} }), feature("b", { create: ({ use }) => ({ api: use(apiToken("a")) }) })],
      /b uses a without needing it/,
    ],
  ])("%s is refused", (_what, features, problem) => {
    expect(() => start(...features)).toThrow(problem);
  });
});
