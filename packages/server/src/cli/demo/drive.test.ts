import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestClock, type TestClock } from "#testkit/clock.ts";
import { createCity } from "./city.ts";
import { driveDemo, residentsOf } from "./drive.ts";
import { DemoRefused } from "./load.ts";

interface Call {
  readonly kind: string;
  readonly clear?: boolean;
  readonly items: { readonly identifier: string; readonly event?: string }[];
}

const city = createCity({ seed: 42, startGrade: 1 });

function queueFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "rollcall-drive-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Asked {
  readonly kind: string;
  readonly payload: object;
}

const accepted = { accepted: 1, unchanged: 0, ignored: 0, rejected: [] };

/** A Sync API that keeps the calls, and asks these things of the game server. */
async function startServer(answer: (kind: string) => object = () => accepted, asked: readonly Asked[] = []) {
  const calls: Call[] = [];
  const receipts: { readonly id: string; readonly outcome: string; readonly reason?: string }[] = [];
  const requests = asked.map((one, i) => ({ ...one, id: `request-${i}`, position: i + 1, sentAt: 1, expiresInMs: 60_000 }));
  const poll = (after: number) => {
    return { requests: requests.filter(({ position }) => position > after), epoch: "e", position: requests.length, reset: false };
  };
  const server = http.createServer((request, response) => {
    let text = "";
    request.on("data", (part: Buffer) => (text += part.toString()));
    request.on("end", () => {
      const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost");
      const kind = pathname.split("/").at(-1) ?? "";
      if (kind === "requests") {
        const open = poll(Number(searchParams.get("after") ?? 0));
        // A poll that finds nothing waits until the client is closed.
        if (open.requests.length > 0) response.end(JSON.stringify(open));
        return;
      }
      if (kind === "receipts") {
        receipts.push(...(JSON.parse(text) as { receipts: typeof receipts }).receipts);
        response.end(JSON.stringify({ accepted: 1, unchanged: 0, missing: [] }));
        return;
      }
      const limits = { batchItems: 500, bodyBytes: 4_194_304, manifestIds: 1, items: [] };
      if (kind !== "status") calls.push({ kind, ...(JSON.parse(text) as Omit<Call, "kind">) });
      response.end(JSON.stringify(kind === "status" ? { limits } : answer(kind)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}`, calls, receipts };
}

/** It waits until the last positions are on their way. */
async function ended(driving: Promise<void>, clock: TestClock): Promise<void> {
  let isOver = false;
  const over = driving.finally(() => (isOver = true));
  const advanced = async () => {
    await clock.advance(1000);
    return isOver;
  };
  await expect.poll(advanced, { timeout: 10_000 }).toBe(true);
  await over;
}

describe("the driving demo city", () => {
  it("begins with the characters of its logins, and one of each licence", () => {
    const residents = residentsOf(city, 300);
    expect(residents).toHaveLength(300);
    const steady = residents.filter(({ isSteady }) => isSteady);
    expect(steady).toEqual(residents.slice(0, steady.length));
    // All logins but the two without work.
    expect(steady).toHaveLength(city.logins.length - 2);
    expect(new Set(residents.map(({ identifier }) => identifier.split(":")[1])).size).toBe(300);
  });

  it("sends who is on duty, then where they are, until it is interrupted, and ends their duty and takes away their places", async () => {
    const { url, calls } = await startServer();
    const clock = createTestClock();
    const controller = new AbortController();
    const residents = residentsOf(city, 40);
    const lines: string[] = [];
    const driving = driveDemo({
      ...{
        url,
        token: "token",
        seed: 42,
        residents,
        people: city.users,
        clock,
        signal: controller.signal,
        queueDir: queueFolder(),
      },
      log: (line) => void lines.push(line),
    });
    await expect.poll(() => lines).toEqual(["40 people of the demo city drive around. Ctrl+C ends it."]);
    await clock.advance(1000);
    await expect.poll(() => calls.some(({ kind, items }) => kind === "positions" && items.length > 20)).toBe(true);
    controller.abort();
    const isCleared = () => calls.some(({ kind, clear, items }) => kind === "positions" && clear === true && items.length === 0);
    await expect.poll(isCleared, { timeout: 5000 }).toBe(true);
    await ended(driving, clock);
    const duty = calls.filter(({ kind }) => kind === "duty");
    const on = duty[0]!.items.map(({ identifier }) => identifier);
    expect(on.length).toBeGreaterThan(20);
    expect(duty.at(-1)!.items.every(({ event }) => event === "off")).toBe(true);
    expect(duty.at(-1)!.items.length).toBeGreaterThan(on.length - 3);
  });

  it("sets waypoints and shows toasts for who plays, and refuses those for others", async () => {
    const both = { en: "Hello", de: "Hallo" };
    const residents = residentsOf(city, 40);
    const { identifier } = residents[0]!;
    const away = city.users.find((one) => !residents.some((resident) => resident.identifier === one.identifier))!.identifier;
    const { url, receipts, calls } = await startServer(undefined, [
      { kind: "ingame.waypoint", payload: { identifier, x: 1, y: 2, label: "204" } },
      { kind: "ingame.waypoint", payload: { identifier: away, x: 1, y: 2, label: "" } },
      { kind: "ingame.toast", payload: { identifier, tone: "info", title: both, text: both, missed: 0 } },
      { kind: "citizens.resync", payload: { identifier: away } },
      { kind: "citizens.resync", payload: { identifier: "char9:nobody" } },
    ]);
    const clock = createTestClock();
    const controller = new AbortController();
    const lines: string[] = [];
    const driving = driveDemo({
      ...{ url, token: "token", seed: 42, residents, people: city.users, clock, signal: controller.signal },
      ...{ queueDir: queueFolder(), log: (line) => void lines.push(line) },
    });
    await expect.poll(() => receipts.length, { timeout: 10_000 }).toBe(5);
    expect(receipts.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ["done", undefined],
      ["refused", "The player is not in the game."],
      ["done", undefined],
      ["done", undefined],
      ["refused", "There is no such character in the demo city."],
    ]);
    expect(calls.filter(({ kind }) => kind === "users").map(({ items }) => items[0]?.identifier)).toEqual([away]);
    expect(lines.filter((line) => line.includes(identifier))).toEqual([
      `Waypoint of ${identifier}: 204`,
      `Toast to ${identifier}: Hello`,
    ]);
    controller.abort();
    await ended(driving, clock);
  });

  it("is driven by one command at a time, and the second one says so", async () => {
    const { url } = await startServer();
    const controller = new AbortController();
    const lines: string[] = [];
    const options = {
      url,
      token: "token",
      seed: 42,
      residents: residentsOf(city, 5),
      people: city.users,
      clock: createTestClock(),
    };
    const more = { queueDir: queueFolder(), signal: controller.signal, log: (line: string) => void lines.push(line) };
    const first = driveDemo({ ...options, ...more });
    await expect.poll(() => lines.length).toBe(1);
    const second = driveDemo({ ...options, ...more });
    await expect(second).rejects.toThrow(DemoRefused);
    await expect(second).rejects.toThrow(/is rollcall demo drive running already\?/);
    controller.abort();
    await ended(first, options.clock);
  });

  it("says what to do when its people are not there", async () => {
    const rejected = [{ index: 0, id: "k", code: "sync.itemInvalid", message: "identifier is not known" }];
    const { url } = await startServer((kind) => ({ accepted: 0, unchanged: 0, rejected: kind === "duty" ? rejected : [] }));
    const options = {
      url,
      token: "t",
      seed: 42,
      residents: residentsOf(city, 1),
      people: city.users,
      clock: createTestClock(),
      queueDir: queueFolder(),
    };
    const driving = driveDemo({ ...options, signal: new AbortController().signal, log: () => undefined });
    await expect(driving).rejects.toThrow(DemoRefused);
    await expect(driving).rejects.toThrow("rollcall demo load");
  });
});
