import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Part, replaceParts } from "./parts.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "rollcall-parts-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const part = (name: string, content = name): Part => ({ name, content });
const first = (content: string) => part("main.js", content);
const scripts = () => readdirSync(folder).filter((name) => name.endsWith(".js"));

/** As if the files had been written this many days ago. */
function age(days: number, ...names: string[]): void {
  const time = new Date(Date.now() - days * 24 * 60 * 60_000);
  for (const name of names) utimesSync(path.join(folder, name), time, time);
}

test("the parts of the build before stay for seven days after they were replaced, however old they are", () => {
  replaceParts(folder, first("1"), [part("a-1.js"), part("b-1.js")]);
  age(30, "a-1.js", "b-1.js", "main.js");
  replaceParts(folder, first("2"), [part("a-2.js"), part("b-1.js")]);
  expect(scripts()).toEqual(["a-1.js", "a-2.js", "b-1.js", "main.js"]);
  age(6, "a-1.js");
  replaceParts(folder, first("3"), [part("a-3.js")]);
  expect(scripts()).toContain("a-1.js");
  age(8, "a-1.js");
  replaceParts(folder, first("4"), [part("a-4.js")]);
  expect(scripts()).toEqual(["a-2.js", "a-3.js", "a-4.js", "b-1.js", "main.js"]);
});

test("the first part is replaced last, so an interrupted build leaves the one before", () => {
  replaceParts(folder, first("old"), [part("a-1.js")]);
  mkdirSync(path.join(folder, "b-2.js"));
  expect(() => replaceParts(folder, first("new"), [part("a-2.js"), part("b-2.js")])).toThrow(/b-2/);
  expect(readFileSync(path.join(folder, "main.js"), "utf8")).toBe("old");
  expect(existsSync(path.join(folder, "a-1.js"))).toBe(true);
});

test("what an interrupted build left behind is removed by the next one", () => {
  writeFileSync(path.join(folder, "c-1.js.tmp"), "");
  replaceParts(folder, first("new"), []);
  expect(readdirSync(folder).toSorted()).toEqual([".parts", "main.js"]);
});

test("the list of parts names the first one last", () => {
  replaceParts(folder, first("new"), [part("b-1.js"), part("a-1.js")]);
  expect(readFileSync(path.join(folder, ".parts"), "utf8")).toBe("b-1.js\na-1.js\nmain.js\n");
});
