import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { loadConfig } from "../../packages/server/src/config/index.ts";
import { workingDirectory } from "../../packages/server/src/config/config.testkit.ts";
import { generator } from "./config.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const outputs = await generator.outputs();
const example = outputs["config.example.yaml"] ?? "";

function problemsOf(text: string) {
  const loaded = loadConfig({ cwd: workingDirectory(text), env: {}, systemDirectory: "/nonexistent" });
  return loaded.ok ? [] : loaded.problems.map((problem) => `${problem.path} ${problem.what}`);
}

it("config.example.yaml lacks only values that the operator must set", () => {
  expect(problemsOf(example)).toEqual(
    [
      "jwt.secret",
      "http.publicURL",
      "http.origins",
      "http.trustedProxies",
      "http.sessions.cookieSecret",
      "http.sessions.domain",
      "database.dsn",
      "nats.url",
    ].map((option) => `${option} is empty`),
  );
});

const required: Record<string, string> = {
  secret: '"bbbbbbbbbbbbbbbbbbbbbbbb"',
  cookieSecret: '"kc93-Vf0a-81Pz-qLw5-Xe7u"',
  publicURL: "https://rollcall.example.org",
  origins: "[https://rollcall.example.org]",
  trustedProxies: "[]",
  domain: "rollcall.example.org",
  dsn: "sqlite:./data/rollcall.db",
  url: '"embedded:"',
};
const filled = example.replace(/^( +)(\w+):$/gm, (line, indent: string, key: string) =>
  key in required ? `${indent}${key}: ${required[key]}` : line,
);

it("config.example.yaml works once it is filled in", () => {
  expect(problemsOf(filled)).toEqual([]);
});

it("config.example.yaml shows every option in a form that is accepted", () => {
  const live = filled.replace(/^( *)#(?! |$)/gm, "$1");
  // The remaining problems are missing paths and placeholder secrets.
  const known = /^(postalsFile|icons\.path|storage\.filesystem\.path) |is still the placeholder/;
  expect(problemsOf(live).filter((problem) => !known.test(problem))).toEqual([]);
  expect(live).toContain("\n  levelOverrides: {kvstore: debug, cron: warn}\n");
});

it.each(Object.keys(outputs))("%s is fresh", (file) => {
  expect(readFileSync(path.join(root, file), "utf8")).toBe(outputs[file]);
});

it("the manual names every option and marks what is not yet in effect", () => {
  const manual = outputs["docs/operate/config.md"] ?? "";
  const options = JSON.parse(readFileSync(path.join(root, "docs/spec/options.json"), "utf8")) as {
    path: string;
    type: string;
  }[];
  for (const option of options.filter((o) => o.type !== "section")) expect(manual).toContain(`| \`${option.path}\` |`);
  expect(manual).toMatch(/`dispatchCenter\.type` .*Not yet in effect/);
  expect(manual).not.toMatch(/`http\.listen` .*Not yet in effect/);
});
