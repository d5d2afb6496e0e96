import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { parse, stringify } from "yaml";
import { loadConfig } from "./index.ts";
import { soundConfig, workingDirectory } from "./config.testkit.ts";
import { formatRefusal } from "./finding.ts";
import { schema } from "./schema/index.ts";
import { type DocumentType, type Group, isOption, leavesOf } from "./schema/option.ts";

const cwd = workingDirectory();
afterAll(() => rmSync(cwd, { recursive: true }));

function load(config: string) {
  writeFileSync(path.join(cwd, "config.yaml"), config);
  return loadConfig({ cwd, env: {}, systemDirectory: "/nonexistent" });
}

/** One value of every YAML type, and values that look like another type. */
const values: Readonly<Record<string, string>> = {
  text: "some text",
  "odd text": '"\\u0000 \\uD83D\\uDE00 \\u202E\\n%s {{x}} ${HOME}"',
  "long text": `"${"x".repeat(5000)}"`,
  number: "7",
  "negative number": "-7",
  fraction: "0.5",
  "huge number": "1e400",
  "not a number": ".nan",
  hexadecimal: "0x1F",
  boolean: "true",
  "boolean as text": '"yes"',
  date: "2026-11-22",
  "empty list": "[]",
  list: "[a, [b], {c: d}]",
  "list of nothing": "[null, ~]",
  "empty section": "{}",
  section: "{a: {b: [c]}, 1: 2, true: false}",
  binary: "!!binary aGVsbG8=",
  "unknown tag": "!secret text",
  set: "!!set {a, b}",
  __proto__: '{"__proto__": {"a": 1}, constructor: 1}',
};

/** The values that each type of option must refuse. */
const never: Readonly<Record<DocumentType, readonly string[]>> = {
  string: ["list", "list of nothing", "section", "__proto__", "set"],
  boolean: ["text", "odd text", "number", "boolean as text", "list", "empty list", "section", "empty section", "date"],
  number: ["text", "odd text", "boolean", "fraction", "huge number", "not a number", "list", "empty list", "section", "date"],
  float: ["text", "odd text", "boolean", "huge number", "not a number", "list", "empty list", "section", "date"],
  "string[]": ["number", "boolean", "list", "list of nothing", "section", "__proto__"],
  map: ["text", "number", "boolean", "list"],
  "map[string]string": ["text", "number", "boolean", "list", "section"],
  array: ["text", "number", "boolean", "section"],
};

/** The text of a configuration in which these options have this value, inserted verbatim. */
function withValue(options: readonly (readonly string[])[], value: string): string {
  const placeholder = "the-value-goes-here";
  const tree = parse(soundConfig) as Record<string, unknown>;
  for (const keys of options) {
    let part = tree;
    for (const key of keys.slice(0, -1)) part = (part[key] ??= {}) as Record<string, unknown>;
    part[keys.at(-1)!] = placeholder;
  }
  return stringify(tree, { lineWidth: 0 }).replaceAll(placeholder, () => value);
}

/** Checks that the lines contain the option, the problem and a remedy, and no internals; returns the fault, or null. */
function faultOf(lines: readonly string[], option: string): string | null {
  const own = lines.find((line) => line.includes(`  ${option}`));
  if (own === undefined) return `does not report it: ${lines.join(" | ").slice(0, 300)}`;
  const [place = "", named = "", what = "", instead = "", ...more] = own.split("  ");
  if (more.length > 0 || !/:\d+:\d+$/.test(place) || !named.startsWith(option)) return `is not in four parts: ${own}`;
  if (!/^\S.{3,}/.test(what) || !/\b(?:write|remove|keep|use|choose|add|give|set|make|put|quote)\b/.test(instead))
    return `has no remedy: ${own.slice(0, 300)}`;
  if (own.length > 1000 + option.length) return "is too long";
  if (/\bat .*\.ts|TypeError|RangeError|undefined|\[object|NaN is|Symbol|node_modules/.test(own))
    return `shows internals: ${own}`;
  return null;
}

type Leaf = ReturnType<typeof leavesOf>[number];

/** The faults of these options when all of them have one value. */
function tried(leaves: readonly Leaf[], name: string, value: string): string[] {
  const loaded = load(
    withValue(
      leaves.map(({ keys }) => keys),
      value,
    ),
  );
  const lines = loaded.ok ? [] : formatRefusal(loaded);
  return leaves.flatMap(({ path: option, option: { type } }) => {
    const isReported = lines.some((line) => line.split("  ")[1]?.startsWith(option));
    const fault = isReported ? faultOf(lines, option) : never[type].includes(name) ? "is accepted" : null;
    return fault === null ? [] : [`${option}: ${name}: ${fault}`];
  });
}

test("every option refuses values of wrong types, with the problem and a remedy", () => {
  const leaves = leavesOf(schema);
  expect(leaves.length).toBeGreaterThan(90);
  for (const [name, value] of Object.entries(values)) expect(tried(leaves, name, value)).toEqual([]);
});

/** A rule between options may hide a problem of one, so each is also tested alone. */
const alone = Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1) > 1 ? 1 : 9;

test("so does each of them alone", { timeout: 120_000 }, () => {
  const pairs = leavesOf(schema).flatMap((leaf) => Object.entries(values).map(([name, value]) => [leaf, name, value] as const));
  const faults = pairs.filter((_pair, i) => i % alone === 0).flatMap(([leaf, name, value]) => tried([leaf], name, value));
  expect(faults).toEqual([]);
});

function sectionsOf(group: Group, keys: readonly string[] = []): (readonly string[])[] {
  return Object.entries(group).flatMap(([name, part]) =>
    isOption(part) ? [] : [[...keys, name], ...sectionsOf(part, [...keys, name])],
  );
}

test("every section refuses other values", () => {
  const faults = sectionsOf(schema).flatMap((keys) =>
    ["some text", "7", "true", "[a]", "2026-11-22", "!!binary aGVsbG8="].flatMap((value) => {
      const config = withValue([keys], value);
      const loaded = load(config);
      const fault = loaded.ok ? "is accepted" : faultOf(formatRefusal(loaded), keys.join("."));
      return fault === null ? [] : [`${keys.join(".")}: ${value}: ${fault}`];
    }),
  );
  expect(faults).toEqual([]);
});

test("a document that is not a configuration is refused with a readable message", () => {
  const documents = [
    "",
    "~",
    "text",
    "7",
    "[]",
    "- a",
    "a: b: c",
    "a: [",
    "\u0000",
    "a: *nowhere",
    "&a [*a]",
    "---\na: 1\n---\nb: 2",
    "\t- x",
    "? [a]\n: b",
    "!!js/function x",
    `a: ${"[".repeat(500)}`,
    "a: &x [1,1,1,1]\nb: &y [*x,*x]\n",
  ];
  for (const document of documents) {
    const loaded = load(document);
    expect([document, loaded.ok]).toEqual([document, false]);
    if (loaded.ok) continue;
    const lines = formatRefusal(loaded);
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).not.toMatch(/\bat .*\.ts|TypeError|RangeError|\[object|node_modules/);
  }
});
