import { expect, test } from "vitest";
import { features } from "./features.ts";

test("a feature comes after those that it needs, so that its listeners do too", () => {
  const names = features.map(({ name }) => name);
  const early = features.flatMap(({ name, needs }) =>
    needs.filter((needed) => names.indexOf(needed) > names.indexOf(name)).map((needed) => `${name} before ${needed}`),
  );
  expect(early).toEqual([]);
});
