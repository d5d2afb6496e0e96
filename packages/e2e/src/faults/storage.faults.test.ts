import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { runProgram, run } from "@rollcall/testkit/program.ts";
import { report } from "@rollcall/testkit/report.ts";
import { createScope, type Scope } from "@rollcall/testkit/settings.ts";
import { fileName, filesBelow, startObjectStore, storedIn, type TestObjectStore } from "@rollcall/testkit/uploads.ts";
import { print } from "./ingest.scenario.ts";

let scope: Scope = createScope();
afterEach(async () => {
  await scope.end();
  scope = createScope();
});

const count = 10_000;
const contentOf = (i: number) =>
  createHash("sha512")
    .update(`file ${i}`)
    .digest("hex")
    .repeat(1 + (i % 5));

const keyOf = (i: number) => path.join("avatars", `2026${String(1 + (i % 12)).padStart(2, "0")}`, fileName(i));

async function placeWith(store: TestObjectStore) {
  const both = { ...storedIn(store), "storage.type": "filesystem" };
  const instance = await scope.instance(both);
  const files = path.join(instance.folder, "data", "files");
  for (let i = 0; i < count; i += 1) {
    const file = path.join(files, keyOf(i));
    if (i < 12) mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, contentOf(i));
  }
  return { instance, files, both };
}

describe("rollcall storage move", () => {
  test("of 10,000 files continues where it was killed, and verifies each file", async () => {
    const store = await startObjectStore();
    scope.defer(async () => await store.close());
    const { instance, files, both } = await placeWith(store);
    expect((await run(["migrate"], instance)).code).toBe(0);
    const before = filesBelow(files);
    const started = performance.now();
    const noted: number[] = [];
    for (const kill of [/^\d{3,} objects/m, /^(?:[2-9]|\d{2,})\d{3} objects/m]) {
      const moving = runProgram(["storage", "move", "--to", "objectstore"], { cwd: instance.folder });
      await moving.seen(kill);
      moving.signal("SIGKILL");
      await moving.exited;
      noted.push(Number(/(\d+) objects(?!.*objects)/s.exec(moving.stdout())?.[1]));
    }
    const { code, stdout, stderr } = await run(["storage", "move", "--to", "objectstore"], instance);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^10000 objects, .* each read back and compared by size and SHA-256$/m);
    const earlier = Number(/^(\d+) of them were copied by an earlier run$/m.exec(stdout)?.[1]);
    expect(earlier).toBeGreaterThanOrEqual(noted[1] ?? Number.NaN);
    expect(earlier).toBeLessThan(count);
    expect(stdout).toContain("now set storage: { type: objectstore } in config.yaml");
    expect(filesBelow(files)).toEqual(before);

    const early = await run(["storage", "move", "--to", "objectstore", "--remove-source"], instance);
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining("storage.type is still filesystem")]);
    instance.set({ ...both, "storage.type": "objectstore" });
    const emptied = await run(["storage", "move", "--to", "objectstore", "--remove-source"], instance);
    expect([emptied.code, emptied.stderr]).toEqual([0, ""]);
    expect(emptied.stdout).toContain("10000 objects were removed from the filesystem");
    expect(filesBelow(files)).toEqual([]);

    const back = await run(["storage", "move", "--to", "filesystem"], instance);
    expect([back.code, back.stderr]).toEqual([0, ""]);
    const after = filesBelow(files);
    const other = Array.from({ length: count }, (_file, i) => i).filter((i) => {
      const file = path.join(files, keyOf(i));
      return !existsSync(file) || readFileSync(file, "utf8") !== contentOf(i);
    });
    report({
      group: "uploads",
      fault: "rollcall storage move killed twice, moved to an object store and back",
      backing: "filesystem, object store",
      acknowledged: count,
      of: "files",
      lost: other.length,
      doubled: after.length - new Set(before).size,
      backMs: null,
      backWithinMs: null,
    });
    expect(other).toEqual([]);
    expect(after).toEqual(before);
    print(
      `10,000 files: killed after ${noted.join(" and ")}, moved, emptied and moved back in ${Math.round((performance.now() - started) / 1000)} s`,
    );
  });
});
