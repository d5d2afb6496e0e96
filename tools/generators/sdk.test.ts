import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { features } from "../../packages/server/src/app/features.ts";
import { generator as openapi, releasedDocument } from "./openapi.ts";
import { generator, typeOf } from "./sdk.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

const outputs = { ...(await openapi.outputs()), ...(await generator.outputs()) };

it.each(Object.entries(outputs))("%s is fresh", (file, content) => {
  expect(readFileSync(`${root}${file}`, "utf8")).toBe(content);
});

it("the document has every path once, in order, and no address of an instance", () => {
  const document = releasedDocument();
  const paths = Object.keys(document.paths);
  expect(paths).toEqual(paths.toSorted());
  expect(paths).toContain("/api/sync/v1/manifest/{kind}");
  expect(document["servers"]).toEqual([expect.objectContaining({ url: "{publicURL}" })]);
});

it("the types of the SDK are of the Sync API only", async () => {
  const [content = ""] = Object.values(await generator.outputs());
  const paths = [...content.matchAll(/path: "([^"]+)"/g)].map((match) => match[1]);
  const declared = features.flatMap(({ contract }) => contract.operations ?? []).filter(({ access }) => access.kind === "sync");
  expect(paths).toHaveLength(declared.length);
  expect(paths.filter((path) => path?.startsWith("/api/sync/v1/") !== true)).toEqual([]);
});

describe("types of JSON Schemas", () => {
  it.each([
    [{ type: "string" }, "string"],
    [{ type: "integer", minimum: 0 }, "number"],
    [{ type: ["string", "null"] }, "string | null"],
    [{ type: "string", enum: ["a", "b"] }, '"a" | "b"'],
    [{ type: ["string", "null"], enum: ["a"] }, '"a" | null'],
    [{ type: "array", items: { type: ["number", "null"] } }, "(number | null)[]"],
    [{ type: "array", items: { type: "array", items: { type: "boolean" } } }, "boolean[][]"],
    [{ type: "string", const: "v1" }, '"v1"'],
    [{ anyOf: [{ type: "string" }, { type: "number" }] }, "string | number"],
    [{ type: "object", patternProperties: { "^.*$": { type: "number" } } }, "Record<string, number>"],
    [{ type: "object", additionalProperties: { type: ["string", "number"] } }, "Record<string, string | number>"],
    [{ type: "object", properties: {} }, "Record<string, never>"],
    [
      {
        type: "object",
        properties: { a: { type: ["array", "null"], items: { type: "object", properties: { b: { type: "string" } } } } },
      },
      "{\n  a?:\n    | {\n        b?: string;\n      }[]\n    | null;\n}",
    ],
    [
      {
        type: "object",
        required: ["a"],
        properties: { a: { type: "string" }, "b-c": { type: "null", description: "C */ d" } },
      },
      '{\n  a: string;\n  /** C *\\/ d */\n  "b-c"?: null;\n}',
    ],
  ])("%j is %s", (schema, type) => {
    expect(typeOf(schema)).toBe(type);
  });

  it("refuses unsupported schemas", () => {
    expect(() => typeOf({ type: "date" })).toThrow("date");
    expect(() => typeOf({})).toThrow("no type");
  });
});
