import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { connectLive } from "@rollcall/testkit/live.ts";
import { secrets } from "@rollcall/testkit/program.ts";
import { until } from "@rollcall/testkit/until.ts";
import { print } from "./ingest.scenario.ts";
import { Solo } from "./solo.scenario.ts";

/** Limits for all of them together. */
const mostGainMb = 250;
const slowestReadMs = 4000;

describe("malicious clients", () => {
  let solo: Solo;
  let before: number;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    solo = await Solo.start();
    await solo.goesOn(400, 30_000);
    before = solo.memory();
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await solo?.stop();
  });

  async function open(): Promise<Socket> {
    const socket = connect(solo.instance.port, "127.0.0.1");
    sockets.push(socket);
    socket.on("error", () => undefined);
    await new Promise((resolve) => socket.once("connect", resolve));
    return socket;
  }

  /** What is received on a connection until it is closed, or until a timeout. */
  async function answer(socket: Socket, ms = 5000): Promise<string> {
    let text = "";
    socket.on("data", (data: Buffer) => (text = `${text}${String(data)}`.slice(0, 4000)));
    await Promise.race([
      new Promise((resolve) => socket.once("close", resolve)),
      until("the answer", () => text.includes("\r\n\r\n"), ms).catch(() => undefined),
    ]);
    return text;
  }

  async function others(what: string): Promise<void> {
    const times = [];
    for (let i = 0; i < 5; i += 1) times.push(await solo.read());
    const written = await solo.write();
    expect(written.status).toBe(200);
    const gain = solo.memory() - before;
    print(
      `${what}: others read in ${Math.round(Math.max(...times))} ms at most, wrote in ${Math.round(written.ms)} ms; ${gain} MiB more`,
    );
    expect(Math.max(...times)).toBeLessThan(slowestReadMs);
    expect(gain).toBeLessThan(mostGainMb);
  }

  test("bodies larger than allowed are refused before they are read", async () => {
    const head = (length: string) =>
      `POST /api/sync/v1/users HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${secrets.sync}\r\ncontent-type: application/json\r\n${length}\r\n\r\n`;
    const declared = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = await open();
        socket.write(head("content-length: 3000000000"));
        return await answer(socket);
      }),
    );
    for (const text of declared) expect(text).toMatch(/^HTTP\/1\.1 413 /);
    const chunked = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const socket = await open();
        socket.write(head("transfer-encoding: chunked"));
        const part = `10000\r\n${"x".repeat(65_536)}\r\n`;
        const received = answer(socket, 15_000);
        for (let i = 0; i < 800 && socket.writable; i += 1) {
          await new Promise((next) => socket.write(part, next));
        }
        return await received;
      }),
    );
    for (const text of chunked) expect(text).toMatch(/^HTTP\/1\.1 413 |^$/);
    await others("28 bodies beyond the limit");
  });

  test("compressed bodies are not unpacked", async () => {
    const socket = await open();
    socket.write(
      `POST /api/sync/v1/users HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${secrets.sync}\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\ncontent-length: 20\r\n\r\n${"\u001f".repeat(20)}`,
    );
    expect(await answer(socket)).toMatch(/^HTTP\/1\.1 415 /);
  });

  test.each([
    ["no request at all", "\u0000\u0001\u0002 nonsense\r\n\r\n"],
    ["two lengths", "POST /api/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nhello"],
    [
      "a length and chunks",
      "POST /api/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["heads without an end", `GET / HTTP/1.1\r\nhost: localhost\r\n${`x-many: ${"y".repeat(1000)}\r\n`.repeat(200)}\r\n`],
    ["an address without an end", `GET /${"a".repeat(200_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`],
  ])("%s is answered with a refusal", async (_name, text) => {
    const socket = await open();
    socket.write(text);
    expect(await answer(socket)).toMatch(/^HTTP\/1\.1 4\d\d /);
  });

  test("unread responses are not kept in memory", async () => {
    const readers = await Promise.all(
      Array.from({ length: 100 }, async () => {
        const socket = await open();
        socket.pause();
        socket.write("GET /api/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n".repeat(20));
        return socket;
      }),
    );
    await others("100 readers that never read");
    for (const socket of readers) socket.destroy();
  });

  test("two thousand idle connections leave the others alone", async () => {
    const idle = await Promise.all(Array.from({ length: 2000 }, async () => await open()));
    await others("2,000 connections that say nothing");
    for (const socket of idle) socket.destroy();
  });

  test("a client that disconnects during a request leaves nothing behind", async () => {
    for (let i = 0; i < 100; i += 1) {
      const sent = request({
        host: "127.0.0.1",
        port: solo.instance.port,
        method: "POST",
        path: "/api/sync/v1/users",
        headers: { authorization: `Bearer ${secrets.sync}`, "content-type": "application/json", "content-length": "40000" },
      });
      sent.on("error", () => undefined);
      sent.write('{"items":[{"identifier":"char1:broken","firstName":"Br');
      await new Promise((resolve) => setImmediate(resolve));
      sent.destroy();
    }
    await others("100 requests broken off");
    expect(solo.query("select identifier from citizens where identifier = 'char1:broken'")).toEqual([]);
  });

  test("live sockets that send nothing, too much or malformed messages are closed", async () => {
    const url = `${solo.instance.url.replace(/^http/, "ws")}/api/realtime`;
    const socketThat = async (act: (socket: WebSocket) => void) =>
      await new Promise<number>((resolve, reject) => {
        const socket = new WebSocket(url);
        socket.on("open", () => act(socket));
        socket.on("error", () => undefined);
        socket.once("close", resolve);
        setTimeout(() => reject(new Error("the socket stayed open")), 30_000).unref();
      });
    const codes = await Promise.all([
      ...Array.from({ length: 100 }, async () => await socketThat(() => undefined)),
      ...Array.from({ length: 20 }, async () => await socketThat((socket) => socket.send("x".repeat(1_000_000)))),
      ...Array.from({ length: 20 }, async () => await socketThat((socket) => socket.send("{nonsense"))),
      ...Array.from(
        { length: 20 },
        async () => await socketThat((socket) => socket.send(JSON.stringify({ type: "auth", token: "no" }))),
      ),
    ]);
    expect(
      codes.every((code) => code >= 1000 && code !== 1000),
      codes.join(" "),
    ).toBe(true);
    await others("160 bad live sockets");
    const live = await connectLive(solo.instance.url, solo.officer.token);
    live.close();
  });

  test("the acknowledged writes of honest clients are complete", async () => {
    await solo.expectWhole({
      group: "clients",
      fault: "oversized, broken, endless, unread and nonsensical requests and live sockets",
    });
  });
});
