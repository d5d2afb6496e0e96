import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestClock, type TestClock } from "#testkit/clock.ts";
import { createHealth } from "#infra/health.ts";
import { recordingLog } from "#testkit/silence.ts";
import { PostalsFile } from "./postals.file.service.ts";

let folder: string;
let clock: TestClock;
let log: ReturnType<typeof recordingLog>;
let health: ReturnType<typeof createHealth>;
let opened: PostalsFile[];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "rollcall-postals-"));
  clock = createTestClock();
  log = recordingLog();
  health = createHealth(clock);
  opened = [];
});
afterEach(() => {
  for (const one of opened) one.stop();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string) => path.join(folder, name);
const listOf = (...codes: string[]) => JSON.stringify(codes.map((code, x) => ({ code, x, y: 1 })));
const write = (text: string, name = "postals.json") => writeFileSync(at(name), text);
const warned = () => log.lines.filter(({ level }) => level === "warn").map(({ message }) => message);
const state = () => health.parts().find(({ part }) => part === "postals")?.state ?? null;

async function follow(isSet = true): Promise<PostalsFile> {
  const file = new PostalsFile({ file: { path: at("postals.json"), isSet }, clock, log, health });
  opened.push(file);
  await file.start();
  return file;
}
const codesOf = (file: PostalsFile) => file.set.postals.map(({ code }) => code);
const namesOf = (file: PostalsFile) => file.findings().map(({ id, state: grade }) => `${id} ${grade}`);

/** The timer makes the file be looked at; `look` waits until that was done. */
async function looks(file: PostalsFile, times = 1): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    await clock.advance(3000);
    await file.look();
  }
}

test("is read at the start, and again when it changes", async () => {
  write(listOf("1", "2"));
  const file = await follow();
  expect([codesOf(file), namesOf(file), state()]).toEqual([["1", "2"], ["postals.loaded ok"], "ok"]);
  const { version } = file.set;
  await looks(file, 3);
  expect(file.set.version).toBe(version);
  write(listOf("1", "2", "3"));
  await looks(file);
  expect(codesOf(file)).toEqual(["1", "2", "3"]);
  expect(file.set.version).not.toBe(version);
  expect(log.lines.map(({ message }) => message)).toEqual(["postal codes were read", "postal codes were read"]);
});

test("is followed by the timer alone", async () => {
  const file = await follow();
  write(listOf("1"));
  await expect
    .poll(async () => {
      await clock.advance(3000);
      return codesOf(file);
    })
    .toEqual(["1"]);
  file.stop();
  expect(clock.waiting).toBe(0);
});

test("may be replaced by a file of the same size and an earlier time", async () => {
  write(listOf("1", "2"));
  const file = await follow();
  await looks(file, 2);
  write(listOf("3", "4"), "new.json");
  utimesSync(at("new.json"), 1_700_000_000, 1_700_000_000);
  renameSync(at("new.json"), at("postals.json"));
  await looks(file);
  expect(codesOf(file)).toEqual(["3", "4"]);
});

test("that is half written is not used and not reported", async () => {
  write(listOf("1", "2"));
  const file = await follow();
  await looks(file, 2);
  const whole = listOf("3", "4", "5");
  for (const end of [0, 1, 20, whole.length - 1]) {
    write(whole.slice(0, end));
    await looks(file);
    expect([codesOf(file), warned(), state()]).toEqual([["1", "2"], [], "ok"]);
  }
  write(whole);
  await looks(file);
  expect(codesOf(file)).toEqual(["3", "4", "5"]);
});

test("that stays broken is reported once, while the last list stays in use", async () => {
  write(listOf("1", "2"));
  const file = await follow();
  const { version } = file.set;
  truncateSync(at("postals.json"), 10);
  await looks(file, 4);
  expect([codesOf(file), file.set.version, state()]).toEqual([["1", "2"], version, "degraded"]);
  expect(namesOf(file)).toEqual(["postals.noJson warning", "postals.loaded ok"]);
  expect(warned()).toEqual([expect.stringMatching(/postals\.json is not valid JSON \(.+\); the postal codes .* stay in use$/)]);
  rmSync(at("postals.json"));
  await looks(file, 2);
  expect([codesOf(file), namesOf(file)[0]]).toEqual([["1", "2"], "postals.missing warning"]);
  write(listOf("1", "2"));
  await looks(file);
  expect([namesOf(file), state()]).toEqual([["postals.loaded ok"], "ok"]);
});

test.each([
  ["{}", "noList"],
  ["[", "noJson"],
  [JSON.stringify(Array.from({ length: 20_001 }, () => 0)), "tooMany"],
  [" ".repeat(8 * 1024 * 1024 + 1), "tooLarge"],
])("that is %.5s at the start is reported at once", async (text, name) => {
  write(text);
  const file = await follow();
  expect([namesOf(file), state()]).toEqual([[`postals.${name} warning`], "degraded"]);
  expect(file.set.nearest(0, 0)).toBeNull();
});

test("that is a folder, or that nobody may read, is reported", async () => {
  mkdirSync(at("postals.json"));
  const file = await follow();
  expect(file.findings()).toEqual([
    { id: "postals.unreadable", state: "warning", params: { file: at("postals.json"), reason: "it is not a file" } },
  ]);
  rmSync(at("postals.json"), { recursive: true });
  write(listOf("1"));
  // Nothing stops root from reading it.
  if (process.getuid?.() !== 0) chmodSync(at("postals.json"), 0);
  await looks(file, 2);
  chmodSync(at("postals.json"), 0o600);
  await looks(file);
  expect([codesOf(file), state()]).toEqual([["1"], "ok"]);
});

test("says how many entries are left out, and which is the first", async () => {
  write('[{"code": "1", "x": 1, "y": 1}, {"code": "2"}, {"code": "1", "x": 2, "y": 2}, {}]');
  const file = await follow();
  const params = { file: at("postals.json") };
  expect(file.findings()).toEqual([
    { id: "postals.leftOut", state: "warning", params: { ...params, count: 2, first: 1 } },
    { id: "postals.repeated", state: "hint", params: { ...params, count: 1, first: 2 } },
    { id: "postals.loaded", state: "ok", params: { ...params, count: 2 } },
  ]);
  expect(state()).toBe("ok");
  expect(warned()).toEqual([expect.stringContaining("the first at index 1")]);
});

test("keeps the list that was read before when no entry of the next one is usable", async () => {
  write(listOf("1", "2"));
  const file = await follow();
  write('[{"postal": "1", "x": 1, "y": 1}, {"postal": "2", "x": 2, "y": 2}]');
  await looks(file, 2);
  expect([codesOf(file), namesOf(file)]).toEqual([
    ["1", "2"],
    ["postals.noneUsable warning", "postals.loaded ok"],
  ]);
  expect(warned()).toEqual([expect.stringContaining("has no entry with a code, and x and y as numbers (0 of 2)")]);
});

test("is a hint when its list is empty", async () => {
  write("[]");
  expect(namesOf(await follow())).toEqual(["postals.empty hint"]);
});

test("logs that more entries are left out, also when those that are used stay the same", async () => {
  write('[{"code": "1", "x": 1, "y": 1}, {}]');
  const file = await follow();
  write('[{"code": "1", "x": 1, "y": 1}, {}, {}]');
  await looks(file, 2);
  expect(log.lines.filter(({ level }) => level === "warn").map(({ fields }) => fields["leftOut"])).toEqual([1, 2]);
});

test("is a hint when it is the default one and does not exist, and is read when it does", async () => {
  const file = await follow(false);
  await looks(file, 2);
  expect([namesOf(file), warned(), state()]).toEqual([["postals.none hint"], [], null]);
  write(listOf("1"));
  await looks(file);
  expect([namesOf(file), state()]).toEqual([["postals.loaded ok"], "ok"]);
});

test("is a warning when the configuration names it and it does not exist", async () => {
  const file = await follow();
  expect([namesOf(file), state()]).toEqual([["postals.missing warning"], "degraded"]);
});

test("is read for a command that only asks, without a timer", async () => {
  write(listOf("1"));
  const file = new PostalsFile({ file: { path: at("postals.json"), isSet: true }, clock, log, health });
  await file.look();
  expect([codesOf(file), clock.waiting]).toEqual([["1"], 0]);
});
