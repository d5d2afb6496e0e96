import { describe, expect, test } from "vitest";
import { mostPostals, readPostals } from "./postals.policy.ts";

const read = (list: unknown) => {
  const result = readPostals(JSON.stringify(list));
  if ("trouble" in result) throw new Error(result.trouble);
  return result;
};
const none = { count: 0, first: -1 };

describe("a file of postal codes", () => {
  test("has codes as texts or numbers, and fields that nobody needs", () => {
    const list = [
      { code: "1001", x: -120.5, y: 33.1, name: "Mill Lane" },
      { code: 1002, x: 0, y: -0 },
      { code: " B-7 ", x: 1e6, y: -1e6 },
    ];
    expect(read(list)).toEqual({
      postals: [
        { code: "1001", x: -120.5, y: 33.1 },
        { code: "1002", x: 0, y: 0 },
        { code: "B-7", x: 1e6, y: -1e6 },
      ],
      leftOut: none,
      repeated: none,
    });
  });

  test.each<[string, string]>([
    ["no code", '{"x": 1, "y": 2}'],
    ["an empty code", '{"code": " ", "x": 1, "y": 2}'],
    ["a code of 49 characters", `{"code": "${"a".repeat(49)}", "x": 1, "y": 2}`],
    ["a code that is a list", '{"code": ["1"], "x": 1, "y": 2}'],
    ["an endless code", '{"code": 1e999, "x": 1, "y": 2}'],
    ["no y", '{"code": "1", "x": 1}'],
    ["an endless x", '{"code": "1", "x": 1e999, "y": 2}'],
    ["an x that no map has", '{"code": "1", "x": 1000001, "y": 2}'],
    ["an x that is a text", '{"code": "1", "x": "1", "y": 2}'],
    ["null", "null"],
    ["a list", '["1", 1, 2]'],
    ["a text", '"1001"'],
  ])("is read without an entry that is or has %s", (_what, entry) => {
    const good = '{"code": "9", "x": 1, "y": 2}';
    expect(readPostals(`[${good}, ${entry}, ${entry}, ${good.replace("9", "8")}]`)).toMatchObject({
      postals: [{ code: "9" }, { code: "8" }],
      leftOut: { count: 2, first: 1 },
    });
  });

  test("may have a code of 48 characters", () => {
    expect(read([{ code: "a".repeat(48), x: 1, y: 2 }]).postals).toHaveLength(1);
  });

  test("may have one code at several places", () => {
    const list = ["1", "2", "a1", "1", "A1", 1].map((code, x) => ({ code, x, y: 0 }));
    expect(read(list)).toMatchObject({ postals: { length: 6 }, leftOut: none, repeated: { count: 3, first: 3 } });
  });

  test("may be empty, and begin with a byte order mark", () => {
    expect(read([])).toEqual({ postals: [], leftOut: none, repeated: none });
    expect(readPostals('\uFEFF[{"code": "1", "x": 1, "y": 2}]')).toMatchObject({ postals: [{ code: "1" }] });
  });

  test.each([
    ["", "noJson"],
    ['[{"code": "1", "x": 1, "y": 2}, {"code": "2", "x"', "noJson"],
    ["{}", "noList"],
    ["null", "noList"],
    [JSON.stringify(Array.from({ length: mostPostals + 1 }, () => 0)), "tooMany"],
  ])("is not %.40s", (text, trouble) => {
    expect(readPostals(text)).toMatchObject({ trouble });
  });
});
