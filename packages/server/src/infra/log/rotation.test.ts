import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fileSink } from "./fileSink.ts";
import { contents, emptyFolder, ManualClock, settings } from "./log.testkit.ts";
import type { RotationSettings } from "./settings.ts";

const hour = 3_600_000;
const day = 24 * hour;

/** A sink whose clock starts at the machine's time, to match the creation times of files. */
function open(folder: string, rotation: Partial<RotationSettings> = {}, clock = new ManualClock(Date.now())) {
  const file = path.join(folder, "rollcall.log");
  return { clock, file, sink: fileSink(file, settings({ rotation }).log.file.rotation, clock) };
}
const rotated = (folder: string) => readdirSync(folder).filter((name) => name !== "rollcall.log");
const textOf = (folder: string, name: string | undefined) => contents(folder)[name ?? ""];

describe("rotation by size", () => {
  const line = `${"x".repeat(399_999)}\n`;

  it("begins a new file before the limit is exceeded", async () => {
    const folder = emptyFolder();
    const { sink, clock } = open(folder, { maxSize: 1 });
    for (let i = 0; i < 5; i++) {
      sink.write(line);
      clock.advance(1);
    }
    expect(rotated(folder)).toHaveLength(2);
    expect(Object.values(contents(folder)).map((text) => text.length)).toEqual([800_000, 800_000, 400_000]);
    await sink.close();
  });

  it("counts lines of an earlier process", async () => {
    const folder = emptyFolder();
    const first = open(folder, { maxSize: 1 });
    first.sink.write(line);
    first.sink.write(line);
    await first.sink.close();
    const second = open(folder, { maxSize: 1 });
    second.sink.write("next\n");
    second.sink.write(line);
    expect(rotated(folder)).toHaveLength(1);
    expect(textOf(folder, "rollcall.log")).toBe(line);
    await second.sink.close();
  });
});

describe("rotation by age", () => {
  it.each([
    ["90m", 1.5 * hour],
    ["36h", 36 * hour],
    ["10s", 10_000],
  ])("after %s, without waiting for a line", async (_name, rotationInterval) => {
    const folder = emptyFolder();
    const { sink, clock } = open(folder, { rotationInterval });
    sink.write("one\n");
    clock.advance(rotationInterval - 1000);
    expect(rotated(folder)).toEqual([]);
    clock.advance(2000);
    expect(rotated(folder)).toHaveLength(1);
    expect(textOf(folder, rotated(folder)[0])).toBe("one\n");
    sink.write("two\n");
    expect(textOf(folder, "rollcall.log")).toBe("two\n");
    await sink.close();
    expect(clock.pending).toBe(0);
  });

  it("counts from the creation of the file, also by an earlier process", async () => {
    const folder = emptyFolder();
    const first = open(folder, { rotationInterval: 36 * hour });
    first.sink.write("before the restart\n");
    await first.sink.close();
    const early = open(folder, { rotationInterval: 36 * hour }, new ManualClock(Date.now() + 35 * hour));
    early.sink.write("still the same file\n");
    await early.sink.close();
    expect(rotated(folder)).toEqual([]);
    const late = open(folder, { rotationInterval: 36 * hour }, new ManualClock(Date.now() + 37 * hour));
    late.sink.write("a new file\n");
    expect(textOf(folder, rotated(folder)[0])).toBe("before the restart\nstill the same file\n");
    expect(textOf(folder, "rollcall.log")).toBe("a new file\n");
    await late.sink.close();
  });

  it("never rotates an empty file, and never by age when the interval is 0", async () => {
    const empty = emptyFolder();
    const a = open(empty, { rotationInterval: hour });
    a.clock.advance(5 * hour);
    expect(readdirSync(empty).filter((name) => statSync(path.join(empty, name)).size > 0)).toEqual([]);
    expect(rotated(empty)).toEqual([]);
    await a.sink.close();
    const folder = emptyFolder();
    const b = open(folder, { rotationInterval: 0 });
    b.sink.write("one\n");
    b.clock.advance(400 * day);
    expect(rotated(folder)).toEqual([]);
    await b.sink.close();
  });
});

describe("rotated files", () => {
  const rotations = async (folder: string, count: number, rotation: Partial<RotationSettings>) => {
    const opened = open(folder, { rotationInterval: hour, ...rotation });
    for (let i = 1; i <= count; i++) {
      opened.sink.write(`${i}\n`);
      opened.clock.advance(hour + 1);
    }
    await opened.sink.close();
    return opened;
  };

  it("are kept up to maxBackups, the newest", async () => {
    const folder = emptyFolder();
    await rotations(folder, 5, { maxBackups: 2 });
    expect(rotated(folder).map((name) => textOf(folder, name))).toEqual(["4\n", "5\n"]);
  });

  it("are kept without limit when maxBackups and maxAge are 0", async () => {
    const folder = emptyFolder();
    const { clock } = await rotations(folder, 9, { maxBackups: 0, maxAge: 0 });
    const later = open(folder, { maxBackups: 0, maxAge: 0 }, new ManualClock(clock.now() + 400 * day));
    await later.sink.close();
    expect(rotated(folder)).toHaveLength(9);
  });

  it("are removed after maxAge days, also by a later process and while idle", async () => {
    const folder = emptyFolder();
    const { clock } = await rotations(folder, 3, { maxAge: 2 });
    const later = open(folder, { maxAge: 2, rotationInterval: 0 }, new ManualClock(clock.now() + day));
    expect(rotated(folder)).toHaveLength(3);
    later.clock.advance(day + 5 * hour);
    expect(rotated(folder)).toEqual([]);
    await later.sink.close();
  });

  it("are compressed, including those of an earlier process", async () => {
    const folder = emptyFolder();
    await rotations(folder, 1, { compress: false });
    expect(rotated(folder)[0]).toMatch(/^rollcall-\d{8}T\d{9}Z\.log$/);
    await rotations(folder, 1, { compress: true });
    expect(rotated(folder).every((name) => /^rollcall-\d{8}T\d{9}Z(-1)?\.log\.gz$/.test(name))).toBe(true);
    expect(rotated(folder).map((name) => textOf(folder, name))).toEqual(["1\n", "1\n"]);
  });

  it("have unique names, and other files are not touched", async () => {
    const folder = emptyFolder();
    writeFileSync(path.join(folder, "rollcall-notes.log"), "mine");
    writeFileSync(path.join(folder, "rollcall-20200101T000000000Z.txt"), "mine too");
    const { sink } = open(folder, { maxSize: 1, maxBackups: 3 });
    const line = `${"y".repeat(600_000)}\n`;
    for (let i = 0; i < 4; i++) sink.write(line);
    await sink.close();
    expect(rotated(folder)).toHaveLength(5);
    expect(contents(folder)).toMatchObject({
      "rollcall-notes.log": "mine",
      "rollcall-20200101T000000000Z.txt": "mine too",
    });
  });
});

describe("problems with the file", () => {
  it("creates it again when it was moved or deleted", async () => {
    const folder = emptyFolder();
    const { sink, clock, file } = open(folder);
    sink.write("one\n");
    renameSync(file, path.join(folder, "moved"));
    clock.advance(2000);
    sink.write("two\n");
    rmSync(file);
    clock.advance(2000);
    sink.write("three\n");
    expect(contents(folder)).toEqual({ moved: "one\n", "rollcall.log": "three\n" });
    await sink.close();
  });

  it("loses lines but continues, and reports how many", async () => {
    const folder = emptyFolder();
    const { sink, clock, file } = open(folder);
    sink.write("one\n");
    rmSync(file);
    mkdirSync(file);
    clock.advance(2000);
    sink.write("lost\n");
    sink.write("lost\n");
    rmSync(file, { recursive: true });
    sink.write("two\n");
    expect(existsSync(file)).toBe(true);
    const [notice, line] = textOf(folder, "rollcall.log")!.split("\n");
    expect(JSON.parse(notice!)).toMatchObject({ level: "error", lost: 2 });
    expect(line).toBe("two");
    await sink.close();
  });

  it("refuses a start if it cannot be opened", () => {
    const folder = emptyFolder();
    mkdirSync(path.join(folder, "rollcall.log"));
    expect(() => open(folder)).toThrow(/EISDIR/);
  });
});
