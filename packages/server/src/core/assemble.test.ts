import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { access, defineJob, defineOperation } from "./contract/index.ts";
import { assemble } from "./assemble.ts";
import { apiToken, bind, defineFeature, type Feature, type FeatureParts, type Ports } from "./feature.ts";

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

const start = (...features: Feature[]) => assemble(features, {} as Ports);

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

  test.each<[string, Feature[], RegExp]>([
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
