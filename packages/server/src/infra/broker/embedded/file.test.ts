import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { BrokerUnavailable } from "#core/ports/index.ts";
import { createTestClock } from "#testkit/clock.ts";
import { systemClock } from "../../clock.ts";
import { bytes, Collector, quick, silent, text, whenState } from "../broker.testkit.ts";
import { EmbeddedBroker } from "./broker.ts";
import type { EmbeddedInput } from "./client.ts";

const stream = { name: "EVENTS", subjects: ["events.>"], maxAgeMs: 3_600_000, duplicateWindowMs: 60_000 };

describe("the embedded broker's file", () => {
  let folder: string;
  let file: string;
  const opened: EmbeddedBroker[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "rollcall-embedded-"));
    file = join(folder, "deep", "broker.db");
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((b) => b.close()));
    rmSync(folder, { recursive: true });
  });

  async function open(change: Partial<EmbeddedInput> = {}): Promise<EmbeddedBroker> {
    const url = { kind: "embedded", file } as const;
    const broker = await new EmbeddedBroker({
      url,
      replicas: 1,
      log: silent,
      clock: systemClock,
      tuning: quick,
      ...change,
    }).start();
    opened.push(broker);
    return broker;
  }

  it("serves one process; the error for another one names it, and it may take over afterwards", async () => {
    const first = await open();
    const refused = await open().catch((e: unknown) => e);
    expect(refused).toBeInstanceOf(BrokerUnavailable);
    expect((refused as Error).message).toBe(
      `embedded broker file ${file} is in use by process ${process.pid}; run one process, or set nats.url to a NATS server`,
    );
    const waiting = await open({ start: "background" });
    await expect(waiting.ensureStream(stream)).rejects.toThrow(BrokerUnavailable);
    const got = new Collector<string>();
    await waiting.consume("EVENTS", { durable: "work", start: "all" }, async (m) => got.add(m.id));
    await first.close();
    await whenState(waiting, true);
    await waiting.append("events.x", bytes("x"), { id: "one" });
    expect(await got.count(1)).toEqual(["one"]);
  });

  it("keeps every acknowledged message and value of a killed process", { timeout: 20_000 }, async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, "crash.fixture.ts"), file], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let acknowledged = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      if (line === "serving") continue;
      acknowledged = Number(line);
      if (acknowledged === 200) child.kill("SIGKILL");
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    expect(acknowledged).toBeGreaterThanOrEqual(200);
    const broker = await open();
    const found = await broker.read("EVENTS", 1, 100_000);
    expect(found.length).toBeGreaterThanOrEqual(acknowledged);
    expect(found.map((m) => Number(text(m.data)))).toEqual(Array.from(found, (_, i) => i + 1));
    const last = await (await broker.bucket("kept")).get("last");
    expect(Number(text(last?.value ?? null))).toBeGreaterThanOrEqual(acknowledged);
    expect(await broker.append("events.x", bytes("again"), { id: "m1" })).toEqual({
      seq: 1,
      duplicate: true,
    });
  });

  it("has a new epoch after it was restored from a copy, whose numbering is old", async () => {
    const broker = await open();
    await broker.ensureStream(stream);
    await broker.append("events.x", bytes("x"), { id: "1" });
    const { epoch } = await broker.streamInfo("EVENTS");
    await broker.close();
    copyFileSync(file, `${file}.copy`);
    rmSync(file);
    copyFileSync(`${file}.copy`, file);
    const restored = await open();
    expect((await restored.streamInfo("EVENTS")).epoch).not.toBe(epoch);
    expect(await restored.streamInfo("EVENTS")).toMatchObject({ first: 1, last: 1 });
  });

  it("is refused with a remedy if it is of a newer version", async () => {
    await (await open()).close();
    const db = new Database(file);
    db.pragma("user_version = 99");
    db.close();
    await expect(open()).rejects.toThrow(/written by a newer Rollcall; update the program, or delete the file/);
  });

  it("is refused with a remedy in a folder that cannot be written", async () => {
    const url = { kind: "embedded", file: join(import.meta.filename, "broker.db") } as const;
    await expect(open({ url })).rejects.toThrow(/embedded broker file .*broker.db cannot be opened \(.*\); check the folder/);
  });

  it("drops messages past their age and ids past their window, by the clock port", async () => {
    const clock = createTestClock();
    const broker = await open({ clock });
    await broker.ensureStream({ ...stream, maxAgeMs: 100_000, duplicateWindowMs: 10_000 });
    await broker.append("events.x", bytes("1"), { id: "a" });
    expect(await broker.append("events.x", bytes("1"), { id: "a" })).toMatchObject({ duplicate: true });
    await clock.advance(10_000);
    expect(await broker.append("events.x", bytes("2"), { id: "a" })).toEqual({ seq: 2, duplicate: false });
    await clock.advance(95_000);
    await broker.sweep();
    expect(await broker.streamInfo("EVENTS")).toMatchObject({ first: 2, last: 2 });
    await clock.advance(95_000);
    await broker.sweep();
    expect(await broker.streamInfo("EVENTS")).toMatchObject({ first: 3, last: 2 });
  });

  it("reports a gap to a reader that retention overtook", async () => {
    const clock = createTestClock();
    const broker = await open({ clock });
    await broker.ensureStream({ ...stream, maxAgeMs: 1000 });
    const gate = Promise.withResolvers<void>();
    const got = new Collector<string>();
    await broker.consume("EVENTS", { start: "all", onReset: (info, reason) => got.add(`${reason} ${info.first}`) }, async (m) => {
      got.add(m.id);
      if (m.id === "a") await gate.promise;
    });
    await broker.append("events.x", bytes("x"), { id: "a" });
    await got.count(1);
    await broker.append("events.x", bytes("x"), { id: "b" });
    await clock.advance(2000);
    await broker.append("events.x", bytes("x"), { id: "c" });
    await broker.sweep();
    gate.resolve();
    expect(await got.count(3)).toEqual(["a", "gap 3", "c"]);
  });
});
