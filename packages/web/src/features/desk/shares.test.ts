import { expect, it } from "vitest";
import { clampShare, nextShare, toggled } from "./shares.ts";

it.each([
  [0.5, 50],
  [-3, 10],
  [0.994, 90],
  [0.4449, 44],
])("a share of %d is %d percent", (share, percent) => expect(clampShare(share)).toBe(percent));

it.each([
  [50, "ArrowLeft", "row", 46],
  [50, "ArrowRight", "row", 54],
  [50, "ArrowUp", "row", null],
  [50, "ArrowDown", "column", 54],
  [89, "ArrowDown", "column", 90],
  [50, "Home", "row", 10],
  [50, "End", "column", 90],
  [50, "Enter", "row", null],
  [100, "ArrowLeft", "row", 90],
  [50, "a", "row", null],
] as const)("a divider at %d moves with %s in a %s to %s", (now, key, direction, next) =>
  expect(nextShare(now, key, direction)).toBe(next),
);

it.each([
  [undefined, ["feed"]],
  [["units"], ["units", "feed"]],
  [["feed", "units"], ["units"]],
])("%o collapses and restores as %o", (collapsed, next) => expect(toggled("feed", collapsed)).toEqual(next));
