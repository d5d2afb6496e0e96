import { expect, test } from "vitest";
import { stepTo } from "./steps.ts";

const tops = [0, 0, 0, 30, 30, 30, 60];

test.each([
  ["ArrowRight", 0, 1],
  ["ArrowRight", 6, 6],
  ["ArrowLeft", 0, 0],
  ["ArrowLeft", 3, 2],
  ["ArrowDown", 1, 4],
  ["ArrowDown", 4, 6],
  ["ArrowDown", 6, 6],
  ["ArrowUp", 4, 1],
  ["ArrowUp", 1, 1],
  ["Home", 5, 0],
  ["End", 1, 6],
  ["Enter", 1, null],
  ["a", 1, null],
])("%s from %d leads to %s", (key, at, next) => expect(stepTo(key, at, tops)).toBe(next));
