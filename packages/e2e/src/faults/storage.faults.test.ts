import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { runProgram, run } from "#kit/program.ts";
import { report } from "#kit/report.ts";
import { createScope, type Scope } from "#kit/settings.ts";
import { filesBelow, startObjectStore, storedIn, type TestObjectStore } from "#kit/uploads.ts";
import { tell } from "./ingest.scenario.ts";

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

async function placeWith(store: TestObjectStore) {
  const both = { ...storedIn(store), "storage.type": "filesystem" };
  const place = await scope.place(both);
  const files = path.join(place.folder, "data", "files");
  for (let i = 0; i < count; i += 1) {
    const folder = path.join(files, "avatars", `2026${String(i % 12).padStart(2, "0")}`);
    if (i < 12) mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `F${i}`), contentOf(i));
  }
  return { place, files, both };
}

describe("rollcall storage move", () => {
  test("of 10,000 files goes on where it was killed, and proves each one", async () => {
    const store = await startObjectStore();
    scope.defer(async () => await store.close());
    const { place, files, both } = await placeWith(store);
    expect((await run(["migrate"], place)).code).toBe(0);
    const before = filesBelow(files);
    const started = performance.now();
    const noted: number[] = [];
    for (const kill of [/^\d{3,} objects/m, /^(?:[2-9]|\d{2,})\d{3} objects/m]) {
      const moving = runProgram(["storage", "move", "--to", "objectstore"], { cwd: place.folder });
      await moving.seen(kill);
      moving.signal("SIGKILL");
      await moving.exited;
      noted.push(Number(/(\d+) objects(?!.*objects)/s.exec(moving.stdout())?.[1]));
    }
    const { code, stdout, stderr } = await run(["storage", "move", "--to", "objectstore"], place);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^10000 objects, .* each read back and compared by size and SHA-256$/m);
    const earlier = Number(/^(\d+) of them were copied by an earlier run$/m.exec(stdout)?.[1]);
    expect(earlier).toBeGreaterThanOrEqual(noted[1] ?? Number.NaN);
    expect(earlier).toBeLessThan(count);
    expect(stdout).toContain("now write in config.yaml: storage: { type: objectstore }");
    expect(filesBelow(files)).toEqual(before);

    const early = await run(["storage", "move", "--to", "objectstore", "--remove-source"], place);
    expect([early.code, early.stderr]).toEqual([1, expect.stringContaining("storage.type is still filesystem")]);
    place.set({ ...both, "storage.type": "objectstore" });
    const emptied = await run(["storage", "move", "--to", "objectstore", "--remove-source"], place);
    expect([emptied.code, emptied.stderr]).toEqual([0, ""]);
    expect(emptied.stdout).toContain("10000 objects were removed from the filesystem");
    expect(filesBelow(files)).toEqual([]);

    const back = await run(["storage", "move", "--to", "filesystem"], place);
    expect([back.code, back.stderr]).toEqual([0, ""]);
    const after = filesBelow(files);
    const other = Array.from({ length: count }, (_file, i) => i).filter((i) => {
      const file = path.join(files, "avatars", `2026${String(i % 12).padStart(2, "0")}`, `F${i}`);
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
    tell(
      `10,000 files: killed after ${noted.join(" and ")}, moved, emptied and moved back in ${Math.round((performance.now() - started) / 1000)} s`,
    );
  });
});
