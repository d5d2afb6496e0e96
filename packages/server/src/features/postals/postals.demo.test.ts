import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import type { DemoCity } from "#core/demo.ts";
import { recordingLog } from "#testkit/silence.ts";
import { PostalsDemo } from "./postals.demo.service.ts";

const folder = mkdtempSync(path.join(tmpdir(), "rollcall-postals-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const city: DemoCity = { startGrade: 1, jobs: [], people: [], crossings: [[{ x: 1, y: 2 }]] };

test("the postal codes of the demo city are written where the configuration looks for them, once", async () => {
  const log = recordingLog();
  const file = { path: path.join(folder, "public", "data", "postals.json") };
  const demo = new PostalsDemo({ file, log });
  expect(await demo.load({ city })).toBe(1);
  expect(JSON.parse(readFileSync(file.path, "utf8"))).toEqual([{ code: "101", x: 1, y: 2 }]);
  writeFileSync(file.path, "[]");
  expect(await demo.load({ city })).toBe(0);
  expect([readFileSync(file.path, "utf8"), log.lines]).toEqual(["[]", []]);
});

test("a folder that cannot be written costs the city its postal codes alone", async () => {
  const log = recordingLog();
  writeFileSync(path.join(folder, "occupied"), "");
  const demo = new PostalsDemo({ file: { path: path.join(folder, "occupied", "postals.json") }, log });
  expect(await demo.load({ city })).toBe(0);
  expect(log.lines.map(({ level }) => level)).toEqual(["warn"]);
});
