import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { inWords } from "./contract/index.ts";
import { describeProblem } from "./schema-problem.ts";
import { validatorOf } from "./validator.ts";

describe("a text that does not match a pattern", () => {
  const problemOf = (schema: ReturnType<typeof Type.Object>, value: unknown) =>
    describeProblem(validatorOf(schema).Errors(value), schema);

  test("is refused in words, not with a regular expression", () => {
    const plate = Type.String({ pattern: "^\\S+$", ...inWords("must have no blank") });
    expect(problemOf(Type.Object({ plate }), { plate: " AB 1 " })).toEqual({ field: "plate", problem: "must have no blank" });
    const list = Type.Object({
      "a/b": Type.Array(Type.Object({ no: Type.String({ pattern: "^a$", ...inWords("must be a") }) })),
    });
    expect(problemOf(list, { "a/b": [{ no: "b" }] })).toMatchObject({ problem: "must be a" });
    const without = problemOf(Type.Object({ no: Type.String({ pattern: "^a$" }) }), { no: "b" });
    expect(without).toEqual({ field: "no", problem: "does not have the form that the description of the API names" });
  });
});

describe("a value against its schema", () => {
  const schema = Type.Object(
    {
      name: Type.Optional(Type.String({ minLength: 1, maxLength: 3 })),
      ids: Type.Optional(Type.Array(Type.String(), { minItems: 1, maxItems: 2 })),
      grade: Type.Optional(Type.Integer({ minimum: 0, maximum: 9 })),
      height: Type.Optional(Type.Unsafe<number | null>({ type: ["number", "null"] })),
      kind: Type.Optional(Type.Enum(["users", "jobs"])),
      rank: Type.Optional(Type.Unsafe<string | null>({ type: ["string", "null"], enum: ["low", "high", null] })),
      on: Type.Optional(Type.Boolean()),
      list: Type.Optional(Type.Object({})),
    },
    { additionalProperties: false },
  );
  test.each([
    [{ name: "" }, "must not be empty"],
    [{ name: "four" }, "must have at most 3 characters"],
    [{ name: 1 }, "must be a text"],
    [{ ids: [] }, "must have at least one item"],
    [{ ids: ["a", "b", "c"] }, "must have at most 2 items"],
    [{ ids: "a" }, "must be a list"],
    [{ grade: -1 }, "must be at least 0"],
    [{ grade: 10 }, "must be at most 9"],
    [{ grade: 1.5 }, "must be a whole number"],
    [{ height: "x" }, "must be a number or null"],
    [{ kind: "user" }, "must be one of users, jobs"],
    [{ rank: "x" }, "must be one of low, high, null"],
    [{ on: 1 }, "must be true or false"],
    [{ list: [] }, "must be an object"],
    [{ naem: "x" }, "is not known"],
  ])("%j is refused in words that need no knowledge of schemas", (value, problem) => {
    expect(describeProblem(validatorOf(schema).Errors(value), schema)).toEqual({ field: Object.keys(value)[0], problem });
  });
});
