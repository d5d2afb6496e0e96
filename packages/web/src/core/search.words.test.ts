import { expect, it } from "vitest";
import { hasWords } from "./search.ts";

it.each([
  ["lind", true],
  ["LIND mara", true],
  ["mära", true],
  ["mara berg", false],
])("finds Mara Lind by %s: %s", (search, found) => expect(hasWords(search, ["Mara Lind", null])).toBe(found));
