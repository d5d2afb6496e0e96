import { globSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { createMatcher } from "#core/keyboard.ts";
import { declaredBy } from "#core/pages.ts";
import { testClock } from "#core/testkit.ts";
import { LANGUAGES, readBundles, type Tree } from "../vite/texts.ts";
import { features } from "./features.ts";

const root = path.resolve(import.meta.dirname, "..");
const declared = declaredBy(features);
const { navigation, commands, shortcuts, home, profile, marks, banners, bar, jumps, leads } = declared;

const contracts = import.meta.glob<Record<string, unknown>>("../../server/src/features/*/*.contract.ts", { eager: true });
const permissions = new Set(
  Object.values(contracts).flatMap((contract) =>
    Object.entries(contract).flatMap(([name, value]) =>
      name.endsWith("Permissions") ? Object.values(value as Record<string, { id: string }>).map(({ id }) => id) : [],
    ),
  ),
);

function has(tree: Tree | undefined, key: string): boolean {
  let at: string | Tree | undefined = tree;
  for (const word of key.split(".")) at = typeof at === "object" ? at[word] : undefined;
  return typeof at === "string";
}

describe("what features declare", () => {
  const searched = jumps.flatMap(({ list }) => list ?? []);
  const offered = [...navigation, ...commands, ...home, ...profile, ...marks, ...banners, ...bar, ...searched];

  test("names permissions that exist", () => {
    const named = [...offered.flatMap(({ needs }) => [needs ?? []].flat()), ...leads];
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((id) => !permissions.has(id))).toEqual([]);
  });

  test.each(LANGUAGES)("has its names in the texts that every page has (%s)", (language) => {
    const bundles = readBundles(root, language);
    const names = [...navigation, ...commands, ...shortcuts, ...jumps, ...searched].map(({ label }) => label);
    const hints = navigation.map(({ label }) => `${label}Hint`).filter((key) => key !== "home.titleHint");
    const missing = [...names, ...hints].filter((key) => !has(bundles.get("frame"), key) && !has(bundles.get("first"), key));
    expect(missing).toEqual([]);
  });

  test("has ids of its own, which begin with the name of the feature", () => {
    const ids = [...commands, ...home, ...profile, ...marks, ...banners, ...bar].map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    const names = globSync("features/*", { cwd: import.meta.dirname }).map((folder) => path.basename(folder));
    expect(ids.filter((id) => !names.includes(id.slice(0, id.indexOf("."))))).toEqual([]);
  });
});

/** Keys of lists and details (`ui/records.tsx`, `ui/list.tsx`, `ui/split.tsx`), which any page may have. */
const kit = ["j", "k", "Enter", "Escape", "/"];

interface Bound {
  readonly keys: string;
  readonly by: string;
  readonly on: readonly string[] | undefined;
}

const bound: readonly Bound[] = [
  ...kit.map((keys) => ({ keys, by: "lists", on: undefined })),
  ...navigation.flatMap(({ letter, to }) => (letter === undefined ? [] : [{ keys: `g ${letter}`, by: to, on: undefined }])),
  ...shortcuts.map(({ keys, label, on }) => ({ keys, by: label, on })),
];

/** Two shortcuts that one page has clash when they have the same keys, or when one is the beginning of the other. */
function clashes(all: readonly Bound[]): string[] {
  const together = (a: Bound, b: Bound) =>
    a.on === undefined ||
    b.on === undefined ||
    a.on.some((one) => b.on!.some((other) => one.startsWith(other) || other.startsWith(one)));
  const same = (a: string, b: string) => a === b || a.startsWith(`${b} `) || b.startsWith(`${a} `);
  return all.flatMap((a, index) =>
    all.slice(index + 1).flatMap((b) => (same(a.keys, b.keys) && together(a, b) ? [`${a.by} and ${b.by}: ${a.keys}`] : [])),
  );
}

describe("shortcuts", () => {
  test("lead to every page of the control panel", () => {
    const panel = navigation.filter(({ group }) => group === "control");
    expect(panel.length).toBeGreaterThan(5);
    expect(panel.filter(({ letter }) => letter === undefined).map(({ to }) => to)).toEqual([]);
  });

  test("of one page do not clash", () => expect(clashes(bound)).toEqual([]));

  test.each<[string, Bound, Bound, boolean]>([
    ["the same key", { keys: "b", by: "x", on: undefined }, { keys: "b", by: "y", on: undefined }, true],
    ["a key that begins a pair", { keys: "g", by: "x", on: undefined }, { keys: "g c", by: "y", on: undefined }, true],
    ["the same key on a page below", { keys: "b", by: "x", on: ["/a"] }, { keys: "b", by: "y", on: ["/a/list"] }, true],
    ["the same key on different pages", { keys: "b", by: "x", on: ["/a"] }, { keys: "b", by: "y", on: ["/c"] }, false],
    ["different keys", { keys: "b", by: "x", on: undefined }, { keys: "c", by: "y", on: undefined }, false],
  ])("%s clashes or not", (_what, a, b, clash) => expect(clashes([a, b]).length > 0).toBe(clash));

  test("are found by the keys as they are written", () => {
    for (const { keys } of bound) {
      const match = createMatcher(testClock(), () => true);
      const shortcut = { keys, label: keys, group: "page" as const, run: () => undefined };
      const strokes = keys.startsWith("Ctrl+")
        ? [{ key: keys.slice(5).toLowerCase(), ctrl: true, typing: false }]
        : keys.split(" ").map((key) => ({ key, ctrl: false, typing: false }));
      expect(strokes.map((stroke) => match(stroke, [shortcut])).at(-1)).toBe(shortcut);
    }
  });
});
