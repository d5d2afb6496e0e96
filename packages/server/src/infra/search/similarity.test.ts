import { describe, expect, it } from "vitest";
import { codesOf, wordsOf } from "./normalise.ts";
import { parseQuery } from "./rank.ts";
import { codeMatch, editDistance, minimumScore, wordMatch } from "./similarity.ts";

describe("normalising", () => {
  it.each([
    ["Jürgen Groß-Müller", ["jurgen", "gross", "muller"]],
    ["Søren Ægir Łukasz", ["soren", "aegir", "lukasz"]],
    ["O’Brien d'Arc", ["obrien", "darc"]],
    ["Nguyễn Thị  Ánh", ["nguyen", "thi", "anh"]],
    ["Ольга 李", ["ольга", "李"]],
    ["  -- ", []],
  ])("%s", (text, words) => expect(wordsOf(text)).toEqual(words));

  it("joins codes", () => {
    expect(codesOf(wordsOf("+49 (151) 234-56"))).toEqual(["4915123456"]);
    expect(codesOf(wordsOf("XAB 123"))).toEqual(["xab123"]);
    expect(codesOf(wordsOf("Jane Doe"))).toEqual([]);
  });

  it("reads a query as words and codes", () => {
    expect(parseQuery(wordsOf("AB 12"))).toEqual({ units: ["ab", "12"], whole: "ab12" });
    expect(parseQuery(wordsOf("john 555-01 23"))).toEqual({
      units: ["john", "5550123"],
      whole: "john5550123",
    });
    expect(parseQuery(wordsOf("555 0123"))).toEqual({ units: ["5550123"], whole: null });
  });
});

describe("similarity", () => {
  it.each([
    ["smith", "smith", 0],
    ["smith", "simth", 1],
    ["smith", "smth", 1],
    ["smith", "smiith", 1],
    ["smith", "smoth", 1],
    ["smith", "jones", 3],
  ])("%s to %s takes %i edits", (a, b, edits) => expect(editDistance(a, b, 2)).toBe(edits));

  it("prefers equal to prefix to misspelt to contained", () => {
    const order = [
      wordMatch("smith", "smith"),
      wordMatch("smith", "smithers"),
      wordMatch("smith", "smyth"),
      wordMatch("smith", "goldsmith"),
    ];
    expect([...order].sort((a, b) => b - a)).toEqual(order);
    expect(order.at(-1)).toBeGreaterThan(minimumScore);
    expect(wordMatch("smith", "jones")).toBe(0);
    expect(wordMatch("li", "lu")).toBe(0);
  });

  it("matches parts of codes", () => {
    expect(codeMatch("ab12", "xab123")).toBeGreaterThan(minimumScore);
    expect(codeMatch("xab124", "xab123")).toBeGreaterThan(minimumScore);
    expect(codeMatch("zz", "xab123")).toBe(0);
  });
});
