import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BadName, namesOf } from "./names.ts";

const root = path.resolve(import.meta.dirname, "../..");
const name = "papers";
const operations = ["list", "get", "create", "put", "remove"].map((verb) => `${name}.${verb}`);
const server = `packages/server/src/features/${name}`;
const web = `packages/web/src/features/${name}`;

describe("a name", () => {
  test.each([
    ["documents", { plain: "documents", capital: "Documents", single: "Document" }],
    ["duties", { plain: "duties", capital: "Duties", single: "Duty" }],
    ["dispatches", { plain: "dispatches", capital: "Dispatches", single: "Dispatch" }],
    ["mail", { plain: "mail", capital: "Mail", single: "MailEntry" }],
    ["press", { plain: "press", capital: "Press", single: "PressEntry" }],
  ])("%s gives the names of types", (word, names) => {
    expect(namesOf(word, root)).toEqual(names);
  });

  test.each([
    ["", "npm run new-feature -- documents"],
    ["../citizens", "npm run new-feature -- citizens"],
    ["Duty-Logs", "npm run new-feature -- dutylogs"],
    ["notices", "features/notices exists: write another word"],
    ["home", "packages/web/src/features/home exists: write another word"],
    ["doors", '"doors" is a home word; write guard'],
    ["pages", '"Page" already means something in the generated code: write a word of the field instead'],
    ["class", '"class" already means something in the generated code: write a word of the field instead'],
  ])("%j is refused, with what to write instead", (word, message) => {
    expect(() => namesOf(word, root)).toThrow(BadName);
    expect(() => namesOf(word, root)).toThrow(message);
  });
});

interface Outcome {
  readonly code: number;
  readonly text: string;
}

/** A copy of the repository, in which the feature is created. */
let copy: string;

function copyRepository(): string {
  const target = mkdtempSync(path.join(tmpdir(), "rollcall-new-feature-"));
  const leftOut = new Set(["node_modules", "dist", "cef103", ".git"]);
  for (const entry of readdirSync(root).filter((one) => !leftOut.has(one)))
    cpSync(path.join(root, entry), path.join(target, entry), {
      recursive: true,
      filter: (file) => !leftOut.has(path.basename(file)),
    });
  // The packages of the repository are links relative to their folder, and lead into the copy. Caches stay apart.
  const modules = path.join(target, "node_modules");
  mkdirSync(modules);
  for (const entry of readdirSync(path.join(root, "node_modules")).filter((one) => !["@rollcall", ".cache", ".vite"].includes(one)))
    symlinkSync(path.join(root, "node_modules", entry), path.join(modules, entry));
  cpSync(path.join(root, "node_modules", "@rollcall"), path.join(modules, "@rollcall"), {
    recursive: true,
    verbatimSymlinks: true,
  });
  return target;
}

/** Runs a script of the copy with Node; settles also when it fails. */
async function run(script: string, args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> {
  const own = Object.entries(process.env).filter(([key]) => !key.startsWith("VITEST"));
  return await new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(copy, script), ...args],
      { cwd: copy, env: { ...Object.fromEntries(own), ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr }),
    );
  });
}

const bin = (pack: string, file: string) => `node_modules/${pack}/${file}`;
const passes: Outcome = { code: 0, text: expect.any(String) as string };

interface Tried {
  readonly title: string;
  readonly status: string;
  readonly messages: string;
}

/** The tests that a run of vitest tried. */
async function tried(args: readonly string[], env: Record<string, string> = {}): Promise<readonly Tried[]> {
  const report = path.join(copy, `report-${args.length}-${Object.keys(env).length}.json`);
  const { text } = await run(bin("vitest", "vitest.mjs"), ["run", "--reporter=json", `--outputFile=${report}`, ...args], env);
  const { testResults } = JSON.parse(readFileSync(report, { encoding: "utf8" })) as {
    testResults: { message: string; assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[];
  };
  expect(testResults.map(({ message }) => message).join(""), text).toBe("");
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .map(({ fullName, status, failureMessages }) => ({ title: fullName, status, messages: failureMessages.join("\n") }))
    .filter(({ status }) => status === "passed" || status === "failed");
}

const failed = (all: readonly Tried[]) => all.filter(({ status }) => status === "failed");

describe("a new feature", () => {
  let created: Outcome;
  let generated: Outcome;

  beforeAll(async () => {
    copy = copyRepository();
    created = await run("tools/new-feature.ts", [name]);
    generated = await run("tools/generate.ts", []);
  }, 60_000);
  afterAll(() => {
    if (copy) rmSync(copy, { recursive: true, force: true });
  });

  test("is created and registered", async () => {
    expect([created, generated]).toEqual([passes, passes]);
    expect(generated.text).toContain("wrote packages/server/src/app/features.ts");
    expect(generated.text).toContain("wrote packages/web/src/features.ts");
    expect(generated.text).toContain("wrote docs/glossary.md");
    expect(await run("tools/generate.ts", ["--check"])).toEqual(passes);
    expect(await run("tools/new-feature.ts", [name])).toMatchObject({ code: 2, text: expect.stringContaining("exists") });
  });

  test("passes types, lint, format and the search for unused code", { timeout: 120_000 }, async () => {
    const browser = JSON.parse(readFileSync(path.join(copy, "packages/web/tsconfig.json"), "utf8")) as object;
    const ofFeature = { ...browser, include: [`src/features/${name}`, "src/features.ts"], references: [] };
    writeFileSync(path.join(copy, "packages/web/tsconfig.feature.json"), JSON.stringify(ofFeature));
    const states = { extends: "./tsconfig.json", include: [`../web/src/features/${name}/*.states.ts`] };
    writeFileSync(path.join(copy, "packages/testkit/tsconfig.feature.json"), JSON.stringify(states));
    const types = ["packages/server", "packages/web/tsconfig.feature.json", "packages/testkit/tsconfig.feature.json"];
    const outcomes: Record<string, Outcome> = {};
    for (const project of types) outcomes[project] = await run(bin("typescript", "bin/tsc"), ["-p", project]);
    outcomes["lint"] = await run(bin("oxlint", "bin/oxlint"), ["--type-aware", server, web]);
    outcomes["format"] = await run(bin("oxfmt", "bin/oxfmt"), ["--check", server, web, "packages/server/src/infra/db/migrations"]);
    outcomes["unused code"] = await run(bin("knip", "bin/knip.js"), []);
    expect(outcomes).toEqual(Object.fromEntries(Object.keys(outcomes).map((one) => [one, passes])));
  });

  test("passes the architecture rules and the tests of texts, topics and its policy", { timeout: 60_000 }, async () => {
    const ofRegistered = ["features", "texts", "topics"].map((one) => `packages/server/src/app/${one}.test.ts`);
    const all = await tried(["--project", "unit", "tools/architecture", ...ofRegistered, "packages/web/src/tooling.test.ts", server]);
    expect(failed(all)).toEqual([]);
    for (const one of [`texts of ${name} `, `the topic ${name} `, "changing and deleting by the creator"])
      expect(all.some(({ title }) => title.startsWith(one))).toBe(true);
  });
});
