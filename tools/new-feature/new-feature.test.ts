import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BadName, namesOf } from "./names.ts";
import { addEveryPart } from "./new-feature.testkit.ts";
import { addWebParts } from "./new-feature.web.testkit.ts";

const root = path.resolve(import.meta.dirname, "../..");
const name = "papers";
const operations = ["list", "get", "create", "put", "remove"].map((verb) => `${name}.${verb}`);
const server = `packages/server/src/features/${name}`;
const web = `packages/web/src/features/${name}`;
const migrations = "packages/server/src/infra/db/migrations";
/**
 * A second feature, with what not every one has: a worker task, a notification, a sync kind and rows of the demo city; in the
 * browser a card of the home page with a plot, a section of a profile, two commands and a shortcut.
 */
const full = {
  name: "ledgers",
  server: "packages/server/src/features/ledgers",
  web: "packages/web/src/features/ledgers",
};

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
    ["leases", "the database has a table leases, and a feature owns every table that begins with its name"],
    ["outbox", "the database has a table outbox_events, and"],
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
  // What is not in the repository stays away: data, configurations with their secrets, results of runs.
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  for (const file of new Set(listed.toString().split("\0")))
    if (file !== "" && existsSync(path.join(root, file))) cpSync(path.join(root, file), path.join(target, file));
  // The packages of the repository are links relative to their folder, and lead into the copy. Caches stay apart.
  const modules = path.join(target, "node_modules");
  mkdirSync(modules);
  for (const entry of readdirSync(path.join(root, "node_modules")).filter(
    (one) => !["@rollcall", ".cache", ".vite"].includes(one),
  ))
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
      {
        cwd: copy,
        env: { ...Object.fromEntries(own), ...env },
        maxBuffer: 64 * 1024 * 1024,
        timeout: 110_000,
        killSignal: "SIGKILL",
      },
      (error, stdout, stderr) => resolve({ code: error === null ? 0 : Number(error.code), text: stdout + stderr }),
    );
  });
}

/** The hash of each file of the copy, by its path. */
function contents(): ReadonlyMap<string, string> {
  const files = readdirSync(copy, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => path.relative(copy, path.join(entry.parentPath, entry.name)));
  const own = paths.filter((file) => !file.startsWith("node_modules"));
  return new Map(
    own.map((file) => [
      file,
      createHash("sha256")
        .update(readFileSync(path.join(copy, file)))
        .digest("hex"),
    ]),
  );
}

const bin = (pack: string, file: string) => `node_modules/${pack}/${file}`;
const passes: Outcome = { code: 0, text: expect.any(String) as string };

interface Tried {
  readonly title: string;
  readonly status: string;
  readonly messages: string;
}

/** The tests that a run of vitest tried. */
async function tried(project: string, args: readonly string[], env: Record<string, string> = {}): Promise<readonly Tried[]> {
  const report = path.join(copy, "report.json");
  rmSync(report, { force: true });
  const options = ["run", "--project", project, "--reporter=json", `--outputFile=${report}`];
  const { text } = await run(bin("vitest", "vitest.mjs"), [...options, ...args], env);
  expect(existsSync(report), text).toBe(true);
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
  let created: readonly Outcome[];
  let generated: Outcome;
  /** What creating the full feature and generating wrote, changed or removed. */
  let touched: readonly string[];
  /** Runs beside the tests; it must be done before one of them changes the feature. */
  let checked: ReturnType<typeof check>;

  async function check() {
    const lists = ["packages/server/src/app/features.ts", "packages/web/src/features.ts"];
    const files = [server, web, full.server, full.web, ...lists];
    const [types, format, unused] = await Promise.all([
      run(bin("oxlint", "bin/oxlint"), ["--type-aware", "--type-check", ...files]),
      run(bin("oxfmt", "bin/oxfmt"), ["--check", ...files, "packages/server/src/infra/db/migrations"]),
      run(bin("knip", "bin/knip.js"), []),
    ]);
    return { types, format, unused };
  }

  beforeAll(async () => {
    copy = copyRepository();
    const first = await run("tools/new-feature.ts", [name]);
    const before = contents();
    const second = await run("tools/new-feature.ts", [full.name]);
    const migration = readdirSync(path.join(copy, migrations)).find((file) => file.endsWith(`_${full.name}_tables.ts`));
    if (migration === undefined) throw new Error(`${full.name} was not created: ${second.text}`);
    addEveryPart(path.join(copy, full.server), path.join(copy, migrations, migration));
    addWebParts(path.join(copy, full.web));
    created = [first, second, await run(bin("oxfmt", "bin/oxfmt"), [full.server, full.web])];
    generated = await run("tools/generate.ts", []);
    const after = contents();
    const all = new Set([...before.keys(), ...after.keys()]);
    touched = [...all].filter((file) => before.get(file) !== after.get(file));
    checked = check();
  }, 60_000);
  afterAll(async () => {
    await checked;
    if (copy) rmSync(copy, { recursive: true, force: true });
  });

  test("is created and registered", { timeout: 60_000 }, async () => {
    expect([...created, generated]).toEqual([passes, passes, passes, passes]);
    expect(generated.text).toContain("wrote packages/server/src/app/features.ts");
    expect(generated.text).toContain("wrote packages/web/src/features.ts");
    expect(generated.text).toContain("wrote docs/glossary.md");
    expect(await run("tools/generate.ts", ["--check"])).toEqual(passes);
    expect(await run("tools/new-feature.ts", [name])).toMatchObject({ code: 2, text: expect.stringContaining("exists") });
  });

  test("touches nothing but its two folders, its migration and generated files, whatever its parts are", () => {
    const written = [...generated.text.matchAll(/^wrote (\S+)/gm)].map(([, file = ""]) => file);
    const others = touched.filter((file) => !written.includes(file));
    const own = others.filter((file) => !file.startsWith(`${full.server}/`) && !file.startsWith(`${full.web}/`));
    expect(own).toEqual([expect.stringMatching(/^packages\/server\/src\/infra\/db\/migrations\/\d{12}_ledgers_tables\.ts$/)]);
    const parts = ["feature", "worker", "sync", "demo.policy"].map((kind) => `${full.server}/${full.name}.${kind}.ts`);
    expect(others).toEqual(
      expect.arrayContaining([...parts, ...["pages.tsx", "text.en.json"].map((kind) => `${full.web}/${full.name}.${kind}`)]),
    );
    const shown = ["ledgers.tsx", "detail.tsx", "editor.tsx", "card.tsx", "section.tsx", "creators.plot.ts"];
    expect(others).toEqual(expect.arrayContaining(shown.map((file) => `${full.web}/${file}`)));
    for (const file of ["packages/server/src/features/sync/sync.kinds.contract.ts", "packages/sync-sdk/src/generated/types.ts"])
      expect(written).toContain(file);
  });

  test("passes types, lint, format and the search for unused code", { timeout: 120_000 }, async () => {
    expect(await checked).toEqual({ types: passes, format: passes, unused: passes });
  });

  test("passes the architecture rules and the tests of texts, topics and its policy", { timeout: 60_000 }, async () => {
    const ofRegistered = ["features", "texts", "topics"].map((one) => `packages/server/src/app/${one}.test.ts`);
    const ofWeb = ["tooling", "texts", "features"].map((one) => `packages/web/src/${one}.test.ts`);
    const own = [server, `${full.server}/`];
    const all = await tried("unit", ["tools/architecture", ...ofRegistered, ...ofWeb, ...own]);
    expect(failed(all)).toEqual([]);
    for (const one of [
      `texts of ${name} `,
      `texts of ${full.name} `,
      `the topic ${name} `,
      "changing and deleting by the creator",
    ])
      expect(all.some(({ title }) => title.startsWith(one))).toBe(true);
  });

  test("is red exactly where its author decides, and in every generated check", { timeout: 120_000 }, async () => {
    const generatedChecks = ["operations", "parallel", "retention", "lists"].map(
      (one) => `packages/server/src/app/${one}.db.test.ts`,
    );
    const parts = `${full.server}/${full.name}.parts.db.test.ts`;
    const chosen = `${name}|${full.name} with every part|the manifest|every operation with a version`;
    const all = await tried("db", [server, ...generatedChecks, parts, "-t", chosen]);
    const databases = ["sqlite", "mariadb"].filter((kind) => all.some(({ title }) => title.includes(`(${kind})`)));
    expect(databases).toContain("sqlite");
    if (process.env["ROLLCALL_TEST_REQUIRE"] === "all") expect(databases).toContain("mariadb");
    const red = failed(all);
    const decisions = databases.map((kind) => `${name} (${kind}) of somebody else`);
    const decided = [...decisions, "the manifest says what the feature is"];
    expect(red.filter(({ title }) => !decided.includes(title))).toEqual([]);
    expect(red.map(({ title }) => title).toSorted()).toEqual(decided.toSorted());
    for (const { messages } of red) expect(messages).toMatch(/write into `about`|decide who may change/);

    const titles = new Set(all.map(({ title }) => title));
    for (const kind of databases) {
      for (const one of ["a worker task reminds the author", "the demo city brings rows of the sync kind"])
        expect(titles).toContain(`${full.name} with every part (${kind}) ${one}`);
      for (const id of operations)
        for (const check of ["without credentials is 401 and writes nothing", "without its permission is 403 and names it"])
          expect(titles).toContain(`every operation (${kind}) ${check.includes("403") ? "with rights " : ""}${id} ${check}`);
      for (const id of [`${name}.create`, `${name}.put`])
        expect(titles).toContain(`every operation (${kind}) ${id} with a wrong body is 400 after the guard`);
      expect(titles).toContain(`two at once (${kind}) ${name}.put: one succeeds, the other gets the current version`);
      for (const order of ["createdAt", "-createdAt", "title", "-title"])
        expect(titles).toContain(
          `lists in their orders (${kind}) ${name} by ${order}: pages hold every row once, in the order of a full sort`,
        );
      const kept = `what features keep for a time (${kind}) ${name}.purge: ${name}`;
      expect([...titles].some((title) => title.startsWith(kept))).toBe(true);
    }
  });

  test(
    "is given drawn inputs: a planted fault of one operation is found, the others have none",
    { timeout: 120_000 },
    async () => {
      await checked;
      const routes = path.join(copy, server, `${name}.routes.ts`);
      const code = readFileSync(routes, "utf8");
      const planted = code.replace(
        "await service.list(call.viewer(), query)",
        "(await service.list(call.viewer(), query)).items as never",
      );
      expect(planted).not.toBe(code);
      writeFileSync(routes, planted);
      const drawn = "packages/server/src/app/operations.property.db.test.ts";
      const all = await tried("db", [drawn], { ROLLCALL_TEST_OPERATIONS: `${name}.` });
      expect(all.length).toBeGreaterThan(0);
      for (const { status, messages } of all) {
        expect([status, messages]).toEqual(["failed", expect.stringContaining(`${name}.list as character`)]);
        for (const id of operations.slice(1)) expect(messages).not.toContain(`${id} as `);
      }
    },
  );
});
