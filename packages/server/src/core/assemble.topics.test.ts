import { Type, type TSchema } from "typebox";
import { expect, test } from "vitest";
import {
  access,
  defineOperation,
  defineTopic,
  type OperationDefinition,
  PageOf,
  type TopicDefinition,
  Version,
} from "./contract/index.ts";
import { assemble } from "./assemble.ts";
import { bind, defineFeature, type Ports } from "./feature.ts";

const Car = Type.Object({ id: Type.Integer(), version: Version, plate: Type.String(), photo: Type.Optional(Type.String()) });
const car = { id: 1, version: 1, plate: "AB 1" };

const list = defineOperation({
  id: "cars.list",
  method: "GET",
  path: "/api/cars",
  summary: "List",
  access: access.public(),
  rate: "read",
  input: {},
  output: PageOf(Car),
  example: { output: { items: [car], next: null, total: 1, totalCapped: false } },
});

function assembled(item: Record<string, ReturnType<typeof Type.Integer>>, apart: string[]) {
  const topic = defineTopic({
    name: "cars",
    kind: "event",
    access: access.public(),
    message: Type.Object({ items: Type.Array(Type.Object({ deleted: Type.Boolean(), ...item })) }),
    carries: { answers: [list], apart },
  });
  return assembledWith(list, topic);
}

function assembledWith(operation: OperationDefinition, topic: TopicDefinition) {
  const feature = defineFeature({
    name: "cars",
    about: "",
    needs: [],
    contract: { operations: [operation], topics: [topic] },
    tables: [],
    create: () => ({
      routes: [bind(operation as typeof list, async () => ({ items: [], next: null, total: 0, totalCapped: false }))],
      topics: [{ topic, authorize: async () => null }],
    }),
  });
  return () => assemble([feature], {} as Ports, () => ({ run: async () => new Map<string, number>() }));
}

const { id, version, plate } = Car.properties as unknown as Record<string, ReturnType<typeof Type.Integer>>;

test("a topic carries every field of the answers that it keeps current, but for those of other topics", () => {
  expect(assembled({ id: id!, version: version!, plate: plate! }, ["photo"])).not.toThrow();
  expect(assembled({ id: id!, version: version!, plate: plate! }, [])).toThrow(
    "topic cars carries the answers of cars.list, but its items lack photo",
  );
  expect(assembled({ id: id!, plate: plate! }, ["photo"])).toThrow("its items lack version");
});

test("no message carries abilities, which are those of one viewer", () => {
  expect(assembled({ id: id!, version: version!, plate: plate!, abilities: id! }, ["photo"])).toThrow(
    "topic cars: abilities are those of one viewer",
  );
});

test("what a topic shows of new objects is whole, and read afterwards", () => {
  const Whole = Type.Object({ id: Type.Integer(), plate: Type.String() });
  const listWhole = defineOperation({
    ...list,
    output: Type.Object({ items: Type.Array(Whole) }),
    example: { output: { items: [] } },
  });
  const previewing = (created: TSchema, isStale: boolean) =>
    assembledWith(
      listWhole,
      defineTopic({
        name: "cars",
        kind: "event",
        access: access.public(),
        message: Type.Object({ created: Type.Array(created) }),
        previews: { answers: [listWhole] },
        ...(isStale ? { invalidates: { answers: [listWhole] } } : {}),
      }),
    );
  expect(previewing(Whole, true)).not.toThrow();
  expect(previewing(Type.Object({ id: Type.Integer() }), true)).toThrow("its new objects lack plate");
  expect(previewing(Whole, false)).toThrow("previews the answers of cars.list, but does not make them stale");
});
