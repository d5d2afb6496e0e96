import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import fs from "node:fs";
import path from "node:path";
import { expect, it, vi } from "vitest";
import { temporaryDirectory } from "./client.testkit.ts";
import { takeLock } from "./lock.ts";

const hasProc = existsSync("/proc/self/stat");
const startOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)!.split(" ")[19];

it("is refused while it is held, also by another path to the same folder", () => {
  const directory = temporaryDirectory();
  const alias = path.join(temporaryDirectory(), "alias");
  symlinkSync(directory, alias);
  const release = takeLock(path.join(directory, "lock"));
  for (const folder of [directory, alias, path.relative(process.cwd(), directory)])
    expect(() => takeLock(path.join(folder, "lock"))).toThrow("is held by another client; give each its own queueDir");
  release();
  takeLock(path.join(alias, "lock"))();
});

it.runIf(hasProc)("is refused while another copy of the client in this process holds it", () => {
  const file = path.join(temporaryDirectory(), "lock");
  writeFileSync(file, `${process.pid} ${startOf(process.pid)}\n`);
  expect(() => takeLock(file)).toThrow("is held by another client");
});

it.runIf(hasProc)("of a former process is taken over, also of one that had the same id", () => {
  for (const left of [`${process.pid} 1`, "4194304 1", "", "damaged"]) {
    const file = path.join(temporaryDirectory(), "lock");
    writeFileSync(file, left);
    const release = takeLock(file);
    expect(readFileSync(file, "utf8")).toBe(`${process.pid} ${startOf(process.pid)}\n`);
    release();
    expect(existsSync(file)).toBe(false);
  }
});

it("of a system that does not tell when a process started is held as long as it is touched", () => {
  const file = path.join(temporaryDirectory(), "lock");
  writeFileSync(file, `${process.ppid} \n`);
  expect(() => takeLock(file)).toThrow("or delete this file");
  const before = new Date(Date.now() - 61_000);
  fs.utimesSync(file, before, before);
  takeLock(file)();
});

it("is touched while it is held", () => {
  vi.useFakeTimers();
  try {
    const file = path.join(temporaryDirectory(), "lock");
    const release = takeLock(file);
    const touched = vi.spyOn(fs, "utimes").mockImplementation(() => undefined);
    vi.advanceTimersByTime(30_000);
    release();
    vi.advanceTimersByTime(30_000);
    expect(touched).toHaveBeenCalledTimes(3);
  } finally {
    vi.useRealTimers();
    vi.restoreAllMocks();
  }
});

it.runIf(hasProc)("is not taken from who was faster in taking it over", () => {
  const file = path.join(temporaryDirectory(), "lock");
  writeFileSync(file, "4194304 1");
  const other = `${process.ppid} ${startOf(process.ppid)}\n`;
  const beFaster = () => {
    vi.restoreAllMocks();
    writeFileSync(file, other);
  };
  const [rename, remove] = [fs.renameSync, fs.rmSync];
  vi.spyOn(fs, "renameSync").mockImplementation((from, to) => (beFaster(), rename(from, to)));
  vi.spyOn(fs, "rmSync").mockImplementation((one, options) => (beFaster(), remove(one, options)));
  expect(() => takeLock(file)).toThrow("is held by another client");
  expect(readFileSync(file, "utf8")).toBe(other);
});
