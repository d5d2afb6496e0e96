import { expect, test } from "vitest";
import { factsOf, inOrder, type ManifestFacts } from "./features.ts";

const facts = (name: string, ...needs: string[]): ManifestFacts => ({ name, exported: `${name}Feature`, needs });
const order = (...manifests: ManifestFacts[]) => inOrder(manifests).map(({ name }) => name);

test("a feature comes after the ones it needs, otherwise by name", () => {
  expect(order(facts("a", "c"), facts("b"), facts("c", "d"), facts("d"))).toEqual(["b", "d", "c", "a"]);
});

test.each([
  ["a circle", [facts("a", "b"), facts("b", "a")]],
  ["an unknown feature", [facts("a", "gone")]],
])("%s is refused by name", (_what, manifests) => {
  expect(() => inOrder(manifests)).toThrow(/need each other, or unknown ones: a/);
});

test("a manifest is read as text", () => {
  const text = 'export const aFeature = defineFeature<Config>({\n  name: "a",\n  needs: ["b", "c"],';
  expect(factsOf("a", text)).toEqual({ name: "a", exported: "aFeature", needs: ["b", "c"] });
  expect(() => factsOf("a", "export const a = 1;")).toThrow("a.feature.ts defines no feature with needs");
});
