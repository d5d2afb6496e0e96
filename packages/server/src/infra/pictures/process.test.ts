import { execFileSync } from "node:child_process";
import { afterEach, expect, test, vi } from "vitest";
import { systemClock } from "#infra/clock.ts";
import { ManualClock } from "#infra/log/log.testkit.ts";
import { drawingBomb, pngBomb } from "#testkit/pictures.ts";
import { PictureProcesses } from "./process.ts";

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function processes(options: Partial<ConstructorParameters<typeof PictureProcesses>[0]> = {}): PictureProcesses {
  const made = new PictureProcesses({ pool: "sites", clock: systemClock, limitMs: 20_000, idleMs: 20_000, ...options });
  ends.push(async () => await made.close());
  return made;
}

const task = (bytes: Uint8Array) => ({ kind: "webp", bytes, target: { format: "png", maxEdge: 64 } }) as const;
/** Running child processes that handle pictures: pid and command, with their environment. */
const children = () =>
  execFileSync("ps", ["e", "-ww", "-o", "pid=,stat=,args=", "--ppid", String(process.pid)], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes("rollcall pictures") && !/^\s*\d+\s+Z/.test(line));
const alive = () => children().length;

test("one process serves one task after the other, and starts with the first", async () => {
  const made = processes();
  expect(made.size).toBe(0);
  const picture = await pngBomb(100, 100);
  for (let i = 0; i < 3; i += 1) expect(await made.run(task(picture))).toHaveProperty("webp");
  expect(made.size).toBe(1);
  await expect(made.run(task(Buffer.from("no picture")))).rejects.toMatchObject({ problem: "unreadable" });
  expect(made.size).toBe(1);
  await made.close();
  expect([made.size, alive()]).toEqual([0, 0]);
});

test("an idle process ends", async () => {
  const hand = new ManualClock(0);
  const clock = { ...systemClock, setTimeout: hand.setTimeout.bind(hand) };
  const made = processes({ clock, idleMs: 30_000 });
  await made.run(task(await pngBomb(100, 100)));
  hand.advance(29_999);
  expect([made.size, alive()]).toEqual([1, 1]);
  hand.advance(1);
  expect(made.size).toBe(0);
  await made.close();
});

test("a process that is killed from outside fails only its task", async () => {
  const made = processes();
  const picture = await pngBomb(100, 100);
  await made.run(task(picture));
  const { promise, resolve } = Promise.withResolvers<void>();
  const drawing = { kind: "webp", bytes: Buffer.from(drawingBomb()), target: { format: "svg", maxEdge: 256 } } as const;
  const failed = expect(made.run(drawing, resolve)).rejects.toMatchObject({ problem: "unreadable" });
  await promise;
  process.kill(Number.parseInt(children()[0]!, 10), "SIGKILL");
  await failed;
  expect(await made.run(task(picture))).toHaveProperty("webp");
  expect([made.size, alive()]).toEqual([1, 1]);
});

test("a process that takes too long is killed, with its threads", async () => {
  const made = processes({ limitMs: 500 });
  const drawing = { kind: "webp", bytes: Buffer.from(drawingBomb()), target: { format: "svg", maxEdge: 256 } } as const;
  await expect(made.run(drawing)).rejects.toMatchObject({ problem: "tooLong" });
  expect([made.size, alive()]).toEqual([0, 0]);
});

test("a process has no environment variables, which may contain secrets", async () => {
  vi.stubEnv("ROLLCALL_TEST_SECRET", "hidden-word");
  const made = processes();
  await made.run(task(await pngBomb(100, 100)));
  vi.unstubAllEnvs();
  expect(children()).toEqual([expect.stringContaining("NODE_CHANNEL_FD")]);
  expect(children()[0]).not.toContain("hidden-word");
});
