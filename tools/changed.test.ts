import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { everything, plan, readers } from "./changed.ts";

const root = path.resolve(import.meta.dirname, "..");

const names = (...files: string[]) => plan(files).map(({ name }) => name);
const all = everything.map(({ name }) => name);

test("nothing changed runs nothing", () => expect(plan([])).toEqual([]));

test.each([
  "package.json",
  "package-lock.json",
  "vitest.config.ts",
  "packages/web/tsconfig.json",
  "packages/server/bin/sources.cjs",
  ".ci/run",
  "tools/test.ts",
  "tools/build.ts",
  "tools/bundle.ts",
  "tools/parts.ts",
  "tools/lock.ts",
  "tools/built.setup.ts",
])("%s can affect every test", (file) => expect(names(file, "README.md")).toEqual(all));

test("documents affect only the tests that read the repository", () => {
  expect(names("docs/operate/files.md", "README.md")).toEqual(["unit, of tools"]);
});

test("source affects the tests that import it, and every end-to-end test", () => {
  const file = "packages/server/src/features/notices/notices.service.ts";
  const runs = plan([file, "docs/glossary.md"]);
  expect(runs.map(({ name }) => name)).toEqual([
    "unit, of tools",
    "unit, by imports",
    "db, by imports",
    "db, of the repository",
    "e2e",
  ]);
  expect(runs[2]?.args).toContain(file);
  expect(runs[2]?.args).not.toContain("docs/glossary.md");
});

test("a test affects itself", () => {
  expect(names("packages/server/src/features/notices/notices.service.db.test.ts")).toEqual([
    "unit, of tools",
    "unit, by imports",
    "db, by imports",
    "db, of the repository",
  ]);
});

/** Tests whose own path leads to what they read. */
function findReaders(): string[] {
  const tests = execFileSync("git", ["ls-files", "packages/*.test.ts", "packages/*.test.tsx"], { cwd: root, encoding: "utf8" });
  return tests
    .split("\n")
    .filter((file) => file !== "" && !file.startsWith("packages/e2e/") && existsSync(path.join(root, file)))
    .filter((file) => {
      const code = readFileSync(path.join(root, file), "utf8");
      return (
        code.includes("#testkit/versions.ts") ||
        (code.includes("import.meta.") && /\b(?:globSync|readdirSync|readFileSync)\(/.test(code))
      );
    });
}

test("tests that read the repository as files are listed, and run after every change", () => {
  expect(findReaders().toSorted()).toEqual([...readers.unit, ...readers.db].toSorted());
  const ofSchema = plan(["packages/server/src/features/notices/notices.schema.ts"]);
  expect(ofSchema.flatMap(({ args }) => args)).toEqual(expect.arrayContaining([...readers.unit, ...readers.db]));
  for (const file of ["docs/spec/options.json", "packages/web/src/features/notices/list.tsx"])
    expect(plan([file]).flatMap(({ args }) => args)).toEqual(expect.arrayContaining([...readers.unit]));
});

test("what is loaded by its path affects every unit and database test; a feature's tasks are imported", () => {
  for (const file of [
    "broker/embedded/store.worker.ts",
    "db/dialect/sqlite/worker.ts",
    "pictures/child.ts",
    "db/migrations/1_a.ts",
  ])
    expect(names(`packages/server/src/infra/${file}`)).toEqual(all);
  expect(names("packages/server/src/features/exports/exports.worker.ts")).toContain("db, by imports");
});

test("files of the web affect no database test, and those of operators neither", () => {
  expect(names("packages/web/src/features/notices/list.module.css")).toEqual(["unit", "e2e"]);
  expect(names("packages/web/src/features/notices/notices.text.de.json")).toEqual(["unit", "e2e"]);
  expect(names("deploy/nginx/rollcall.conf", "Dockerfile")).toEqual(["unit, of tools", "e2e"]);
});

test("what is read as a file affects every unit and database test", () => {
  expect(names("packages/server/src/features/notices/notices.text.de.json")).toEqual(all);
});

test("an end-to-end test affects its folder, and what several share all of them", () => {
  expect(plan(["packages/e2e/src/notices/notices.e2e.test.ts"]).at(-1)).toMatchObject({
    name: "e2e, notices",
    args: expect.arrayContaining(["packages/e2e/src/notices/"]) as unknown,
  });
  expect(names("packages/e2e/cef103/launch.ts")).toEqual(["unit, of tools", "e2e"]);
  expect(names("packages/testkit/src/pages.ts").at(-1)).toBe("e2e");
});
