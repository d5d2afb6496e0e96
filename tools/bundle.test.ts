import { stripTypeScriptTypes } from "node:module";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { migrationModules, sourceMeta, threadModules } from "./bundle.ts";

const source = path.resolve(import.meta.dirname, "../packages/server/src/infra/x.ts");

describe("import.meta of a source", () => {
  test("is that of the source, also in the bundle", () => {
    const { code } = sourceMeta.transform("read(import.meta.url, import.meta.dirname);", source)!;
    expect(code).toContain('new URL("../src/infra/x.ts", import.meta.url).href');
    expect(code).not.toContain("import.meta.dirname");
  });

  test.each(['import.meta.resolve("mysql2")', "import.meta.ROLLUP_FILE_URL_ab12"])("%s passes", (code) => {
    expect(sourceMeta.transform(`open(${code});`, source)).toEqual({ code: `open(${code});` });
  });

  test.each([
    ["const file = import.meta.filename;", "import.meta.filename"],
    ["if (import.meta.main) start();", "import.meta.main"],
    ["const { url } = import.meta;", "import.meta"],
    ["read(import.meta?.url);", "import.meta?.url"],
    ["const meta = import.meta", "import.meta"],
    ["read(import.meta.urls);", "import.meta.urls"],
  ])("%s is refused by name", (code, form) => {
    expect(() => sourceMeta.transform(`import.meta.url; ${code}`, source)).toThrow(
      `packages/server/src/infra/x.ts: ${form} is not known`,
    );
  });

  test("of a package is its own matter", () => expect(sourceMeta.transform("import.meta.env", "/elsewhere/x.js")).toBeNull());
});

describe("the thread of a source", () => {
  const bundled = (code: string) => threadModules.transform.call({ emitFile: () => "ab12" } as never, code, source);

  test("is a part of the bundle", () => {
    expect(bundled('new Worker(new URL("./x.ts", import.meta.url), {});')).toEqual({
      code: "new Worker(new URL(import.meta.ROLLUP_FILE_URL_ab12), {});",
    });
    expect(bundled("start();")).toBeNull();
  });

  test.each(["new Worker(file);", 'new Worker(\n  new URL("./x.ts", import.meta.url),\n);'])(
    "that is started as %j is refused",
    (code) => {
      expect(() => bundled(code)).toThrow("packages/server/src/infra/x.ts: write new Worker(new URL(");
    },
  );
});

test("a migration that is newer than the bundle is named, with what to do", async () => {
  const { code } = migrationModules.load(
    path.resolve(import.meta.dirname, "../packages/server/src/infra/db/migrations/open.ts"),
  )!;
  const url = `data:text/javascript,${encodeURIComponent(stripTypeScriptTypes(code))}`;
  const { openMigration } = (await import(url)) as { openMigration(folder: string, name: string): Promise<object> };
  await expect(openMigration("", "202601010000_new_one")).rejects.toThrow(
    "migration 202601010000_new_one is not in this bundle: run npm run build",
  );
});
