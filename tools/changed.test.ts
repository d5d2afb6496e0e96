import { expect, test } from "vitest";
import { everything, plan } from "./changed.ts";

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
  expect(runs.map(({ name }) => name)).toEqual(["unit, of tools", "unit, by imports", "db, by imports", "e2e"]);
  expect(runs[2]?.args).toContain(file);
  expect(runs[2]?.args).not.toContain("docs/glossary.md");
});

test("a test affects itself", () => {
  expect(names("packages/server/src/features/notices/notices.service.db.test.ts")).toEqual([
    "unit, of tools",
    "unit, by imports",
    "db, by imports",
  ]);
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
