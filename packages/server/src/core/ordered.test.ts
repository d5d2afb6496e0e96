import { expect, it } from "vitest";
import { reordered } from "./ordered.ts";

it("puts the named rows first, each once, and moves those whose position changes", () => {
  const [a, b, c] = [{ position: 1 }, { position: 2 }, { position: 3 }];
  expect(reordered([a, b, c], [b, b])).toEqual({
    sorted: [b, a, c],
    moved: [
      { row: b, position: 1 },
      { row: a, position: 2 },
    ],
  });
  expect(reordered([a, b, c], []).moved).toEqual([]);
});
