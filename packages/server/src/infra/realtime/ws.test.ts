import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { closeCodes, type ServerMessage } from "#core/contract/index.ts";
import type { Broker } from "#core/ports/index.ts";
import { systemClock } from "#infra/clock.ts";
import { Collector, embeddedHarness, type Harness } from "../broker/broker.testkit.ts";
import type { RealtimeHub } from "./hub.ts";
import { units, withStream, World } from "./realtime.testkit.ts";
import { serveSocket } from "./ws.ts";

describe("realtime over WebSocket", { timeout: 20_000 }, () => {
  let harness: Harness;
  let broker: Broker;
  let hub: RealtimeHub;
  let server: WebSocketServer;
  let address: string;
  const world = new World("ann");
  const clients: WebSocket[] = [];

  beforeEach(async () => {
    harness = embeddedHarness();
    broker = await withStream(await harness.open());
    hub = await world.hub(broker, systemClock, { limits: { slowReaderBytes: 64 * 1024 } });
    server = new WebSocketServer({
      port: 0,
      host: "127.0.0.1",
      maxPayload: hub.limits.frameBytes,
      perMessageDeflate: false,
    });
    server.on("connection", (ws, { socket: raw }) => serveSocket(ws, raw, hub.limits, (socket) => hub.open(socket, "a network")));
    await once(server, "listening");
    address = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.terminate();
    await hub.close();
    await new Promise((done) => server.close(done));
    await harness.dispose();
  });

  async function dial(): Promise<{
    ws: WebSocket;
    got: Collector<ServerMessage | Buffer>;
    closed: Promise<[number, Buffer]>;
  }> {
    const ws = new WebSocket(address);
    clients.push(ws);
    const got = new Collector<ServerMessage | Buffer>();
    ws.on("message", (data, binary) => got.add(binary ? (data as Buffer) : (JSON.parse(String(data)) as ServerMessage)));
    const closed = once(ws, "close") as Promise<[number, Buffer]>;
    await once(ws, "open");
    return { ws, got, closed };
  }

  const has = (type: string) => (all: ReadonlyArray<ServerMessage | Buffer>) =>
    all.some((m) => !Buffer.isBuffer(m) && m.type === type);

  it("carries text and binary frames", async () => {
    const { ws, got } = await dial();
    ws.send(JSON.stringify({ type: "auth", token: "ann" }));
    await got.until(has("ready"));
    hub.state.publish(units, "u1", { x: 1, y: 2, job: "police" });
    ws.send(JSON.stringify({ type: "subscribe", topic: "people" }));
    ws.send(JSON.stringify({ type: "subscribe", topic: "units" }));
    await got.until((all) => all.some((m) => Buffer.isBuffer(m)));
    await world.change(broker, 1, "Ünï");
    await got.until(has("event"));
    expect(got.items.at(-1)).toMatchObject({ type: "event", topic: "people", data: { name: "Ünï" } });
  });

  it("closes on a frame that is too large, and on a binary one", async () => {
    const large = await dial();
    large.ws.send("x".repeat(hub.limits.frameBytes + 1));
    expect((await large.closed)[0]).toBe(closeCodes.frameTooLarge);
    const binary = await dial();
    binary.ws.send(Buffer.from("{}"));
    expect((await binary.closed)[0]).toBe(closeCodes.badMessage);
  });

  it("closes a reader that stops reading, while others go on", async () => {
    const [stuck, fine] = [await dial(), await dial()];
    for (const { ws, got } of [stuck, fine]) {
      ws.send(JSON.stringify({ type: "auth", token: "ann" }));
      await got.until(has("ready"));
      ws.send(JSON.stringify({ type: "subscribe", topic: "people" }));
      await got.until(has("subscribed"));
    }
    stuck.ws.pause();
    const big = "n".repeat(50_000);
    let sent = 0;
    const left = once([...server.clients][0] as WebSocket, "close");
    let gone = false;
    void left.then(() => (gone = true));
    while (!gone) await world.change(broker, ++sent, big);
    await fine.got.until((all) => all.filter((m) => !Buffer.isBuffer(m) && m.type === "event").length === sent);
    expect(fine.ws.readyState).toBe(WebSocket.OPEN);
  });

  it("closes all connections when it stops, and forgets clients that left", async () => {
    const [stays, leaves] = [await dial(), await dial()];
    leaves.ws.close();
    await leaves.closed;
    await hub.close();
    const [code, reason] = await stays.closed;
    expect([code, String(reason)]).toEqual([1012, expect.stringContaining("connect again")]);
  });
});
