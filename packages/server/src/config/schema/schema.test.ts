import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { variableOf } from "../environment.ts";
import { schema } from "./index.ts";
import { documentedOptions, isOption, leavesOf, type Group } from "./option.ts";

interface Documented {
  path: string;
  type: string;
  default: unknown;
  required: boolean;
}

const file = new URL("../../../../../docs/spec/options.json", import.meta.url);
const document = JSON.parse(readFileSync(file, "utf8")) as Documented[];
const options = new Map(documentedOptions(schema).map(({ path, option }) => [path, option]));

function groupAt(path: string): Group | undefined {
  let group: unknown = schema;
  for (const key of path.split(".")) group = (group as Group)[key];
  return group !== undefined && !isOption(group as Group) ? (group as Group) : undefined;
}

describe("the schema and options.json", () => {
  it.each(document.filter((option) => option.type !== "section"))(
    "agree on $path",
    ({ path, type, default: preset, required }) => {
      const option = options.get(path);
      expect(option, path).toBeDefined();
      const listed = type.startsWith("'") ? [...type.matchAll(/'([^']+)'/g)].map((match) => match[1]) : null;
      if (listed) expect(option?.values).toEqual(listed);
      expect(option?.type).toBe(listed ? "string" : type);
      expect(option?.default).toEqual(preset);
      expect(option?.required).toBe(required);
    },
  );

  it("agree on sections", () => {
    const sections = document.filter((option) => option.type === "section").map((option) => option.path);
    expect(sections).toEqual(["http.sessions"]);
    expect(groupAt("http.sessions")).toBeDefined();
  });

  it("has no other option, except those that are marked as its own", () => {
    const known = new Set(document.map((option) => option.path));
    const own = [...options].filter(([, option]) => option.own);
    expect([...options.keys()].filter((path) => !known.has(path))).toEqual(own.map(([path]) => path));
    // A document without them means what the interface says.
    for (const [path, { required, default: preset }] of own) expect([path, required, preset]).toEqual([path, false, null]);
  });

  it("has a unique environment variable per option", () => {
    const names = leavesOf(schema).flatMap(({ path, option }) => [
      variableOf(path),
      ...(option.secret ? [`${variableOf(path)}_FILE`] : []),
    ]);
    expect(new Set(names).size).toBe(names.length);
  });

  it("has a description for each option, and an example if there is no default", () => {
    for (const { path, option } of documentedOptions(schema)) {
      expect(option.meaning, path).toMatch(/^[^\n|]{8,}\.$/);
      if (option.required || option.default === null) expect(option.example, path).not.toBe("");
    }
  });

  it("marks exactly these as in effect", () => {
    const inEffect = leavesOf(schema).filter(({ option }) => option.inEffect);
    const tops = new Set(inEffect.map(({ path }) => (path.startsWith("game.") ? path : path.split(".")[0])));
    expect([...tops].toSorted()).toEqual(
      [
        "audit",
        "auth",
        "database",
        "game.startJobGrade",
        "http",
        "ignoreRequirements",
        "jwt",
        "log",
        "logLevel",
        "mode",
        "nats",
        "oauth2",
        "otlp",
        "imageProxy",
        "icons",
        "postalsFile",
        "secret",
        "storage",
        "sync",
        "updateCheck",
      ].toSorted(),
    );
    const whole = leavesOf(schema).filter(({ path }) =>
      /^(log|jwt|http|database|nats|audit|auth|storage|sync|otlp|updateCheck|imageProxy|icons)\./.test(path),
    );
    expect(whole.filter(({ option }) => !option.inEffect).map(({ path }) => path)).toEqual([]);
  });
});
