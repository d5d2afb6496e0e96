import { expect, it } from "vitest";
import { codeTyped, foundCodes } from "./postals.search.ts";

const codes = ["1204", "2041", "204", "77", "A204", "Ä12"];

it.each([
  ["204", ["204", "2041", "1204", "A204"]],
  ["a2", ["A204"]],
  ["a12", ["Ä12"]],
  ["ä2", ["A204"]],
  ["9", []],
  [" ", codes],
])("finds by “%s”: %o", (text, found) => expect(foundCodes(codes, text, 9)).toEqual(found));

it("finds no more than are offered", () => expect(foundCodes(codes, "20", 2)).toEqual(["2041", "204"]));

it.each([
  [" a12 ", "Ä12"],
  ["204", "204"],
  ["20", undefined],
])("takes “%s” for the code %s", (text, code) => expect(codeTyped(codes, text)).toBe(code));
