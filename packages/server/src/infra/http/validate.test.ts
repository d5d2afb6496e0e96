import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { AppError } from "#core/errors.ts";
import { createCheck, createNameCheck } from "./validate.ts";

const schema = Type.Object({ name: Type.String(), items: Type.Array(Type.Object({ label: Type.String() })) });
const refusal = (value: unknown, itemwise = false) => {
  try {
    createCheck(schema, "body", itemwise)(value);
  } catch (error) {
    return (error as AppError).params;
  }
  return null;
};

describe("texts that would be stored changed", () => {
  test("are refused with the path of the field", () => {
    const half = expect.stringContaining("half of a character");
    expect(refusal({ name: "Mara 😀", items: [{ label: "\u202E" }] })).toBeNull();
    expect(refusal({ name: "\uD83D", items: [] })).toEqual({ field: "name", problem: half });
    expect(refusal({ name: "a", items: [{ label: "a\uDE00" }] })).toEqual({ field: "items.0.label", problem: half });
    expect(refusal({ name: "a\0", items: [] })).toEqual({ field: "name", problem: expect.stringContaining("NUL") });
    expect(refusal({ name: "a", items: [], "\uD83D": 1 })).toEqual({ field: "body", problem: half });
  });

  test("are allowed in items of an itemwise operation, whose handler validates them one by one", () => {
    expect(refusal({ name: "a", items: [{ label: "a\uDE00" }] }, true)).toBeNull();
    expect(refusal({ name: "\uD83D", items: [] }, true)).toMatchObject({ field: "name" });
  });

  test("are found in undeclared members too, and deep nesting does not overflow the stack", () => {
    const deep: unknown = JSON.parse(`${"[".repeat(30_000)}${"]".repeat(30_000)}`);
    expect(refusal({ name: "a", items: [], more: deep })).toMatchObject({ problem: "is nested deeper than 100 levels" });
  });
});

describe("a query of the Sync API", () => {
  const query = Type.Object({ source: Type.String(), epoch: Type.Optional(Type.String()), after: Type.Optional(Type.Integer()) });
  const refusalOf = (given: unknown) => {
    try {
      createNameCheck(query)(given);
    } catch (error) {
      return (error as AppError).params;
    }
    return null;
  };

  test("may name the fields of the schema", () => {
    expect([refusalOf({ source: "a", after: "7" }), refusalOf({}), refusalOf(undefined)]).toEqual([null, null, null]);
    expect(() => createNameCheck(undefined)({})).not.toThrow();
  });

  test.each([
    ["epoc", "query.epoc", "is not known; write epoch"],
    ["constructor", "query.constructor", "is not known; this call accepts source, epoch, after"],
    ["x".repeat(100), `query.${"x".repeat(64)}`, "is not known; this call accepts source, epoch, after"],
  ])("with the field %s is refused", (name, field, problem) => {
    expect(refusalOf({ source: "a", [name]: "1" })).toEqual({ field, problem });
  });

  test("is refused where the call has none", () => {
    expect(() => createNameCheck(undefined)({ source: "a" })).toThrow(
      expect.objectContaining({ params: { field: "query.source", problem: "is not known; this call accepts no query" } }),
    );
  });
});

describe("whole numbers in an address", () => {
  const numbers = Type.Object({ id: Type.Integer({ minimum: 1 }), n: Type.Optional(Type.Number()) });
  const check = createCheck(numbers, "params");

  test("are digits, and nothing that would be rounded or is written in another way", () => {
    expect(check({ id: "7", n: "7.5" })).toEqual({ id: 7, n: 7.5 });
    for (const id of ["7.5", "1e3", "0x1F", "7.0", " 7", "+7", "true", "seven", ""])
      expect(() => check({ id }), id).toThrow("system.invalidInput");
    expect(() => check({ id: "-7" })).toThrow("system.invalidInput");
    expect(() => check({ id: "9".repeat(30) })).toThrow("system.invalidInput");
  });
});
