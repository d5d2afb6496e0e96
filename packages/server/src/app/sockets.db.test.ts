import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocket } from "ws";
import type { Config } from "#config/index.ts";
import { access, closeCodes, definePermission, defineSocket } from "#core/contract/index.ts";
import { defineFeature } from "#core/feature.ts";
import { bindSocket } from "#core/ports/index.ts";
import { dsnText, startApp, type TestApp } from "#testkit/app.ts";
import { openTestDatabase } from "#testkit/database.ts";
import { createWorld, type World } from "#testkit/world.ts";

const edit = definePermission("papers.edit");
const socket = defineSocket({
  id: "papers.editing",
  keyed: true,
  access: access.permission(edit),
  frameBytes: 200_000,
  messagesPerMinute: 600,
});
const papers = defineFeature<Config>({
  name: "papers",
  about: "A feature of this test.",
  needs: [],
  contract: { permissions: [edit], sockets: [socket] },
  tables: [],
  create: () => ({
    sockets: [
      bindSocket<true>({
        socket,
        authorize: async () => true,
        open: (peer, key) => ({
          frame: (bytes) => peer.send(Buffer.concat([Buffer.from(`${peer.viewer.characterName} ${key}: `), bytes])),
          closed: () => undefined,
        }),
      }),
    ],
  }),
});

describe("the socket of a feature", () => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  let app: TestApp;
  let world: World;
  let port: number;

  beforeAll(async () => {
    database = await openTestDatabase("sqlite");
    app = await startApp({ dsn: dsnText(database.dsn), features: [papers] });
    world = createWorld(app);
    port = (app.process.web!.server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    await app?.close();
    await database?.close();
  });

  async function connect(path: string) {
    const ws = new WebSocket(`ws://127.0.0.1:${port}${path}`);
    const texts: { type: string }[] = [];
    const frames: Buffer[] = [];
    ws.on("message", (data, binary) =>
      binary ? frames.push(data as Buffer) : texts.push(JSON.parse(String(data)) as { type: string }),
    );
    const closed = once(ws, "close") as Promise<[number, Buffer]>;
    await once(ws, "open");
    return { ws, texts, frames, closed };
  }
  const signIn = async (path: string, token: string) => {
    const client = await connect(path);
    client.ws.send(JSON.stringify({ type: "auth", token }));
    await expect.poll(() => client.texts[0]?.type).toBe("ready");
    return client;
  };

  it("has frames of its own size, its key, and ends when the right is taken", async () => {
    const { token } = await world.actor({ job: "writers", rights: { "papers.edit": true } });
    const client = await signIn("/api/sockets/papers.editing/12", token);
    client.ws.send(Buffer.alloc(150_000, "a"));
    await expect.poll(() => client.frames.length).toBe(1);
    expect(client.frames[0]!.subarray(0, 40).toString()).toContain(" 12: aaa");
    client.ws.send(Buffer.alloc(200_001));
    expect((await client.closed)[0]).toBe(closeCodes.frameTooLarge);
    const live = await signIn("/api/realtime", token);
    live.ws.send(JSON.stringify({ type: "ping", more: "a".repeat(20_000) }));
    expect((await live.closed)[0]).toBe(closeCodes.frameTooLarge);
    const again = await signIn("/api/sockets/papers.editing/12", token);
    await world.grant("writers", 1, { "papers.edit": false });
    expect((await again.closed)[0]).toBe(closeCodes.forbidden);
  });

  it("ends an anonymous client that sends more than a token needs, before the frame is complete", async () => {
    const client = await connect("/api/sockets/papers.editing/12");
    client.ws.send(Buffer.alloc(199_000));
    const [code] = await client.closed;
    // The connection may be cut before the close frame arrives.
    expect([closeCodes.badMessage, 1006]).toContain(code);
    expect(client.frames).toEqual([]);
  });

  it("is not there without its key, or as a page", async () => {
    const keyless = await connect("/api/sockets/papers.editing");
    await keyless.closed;
    expect(keyless.texts).toEqual([]);
    expect((await app.request("GET", "/api/sockets/papers.editing/12")).status).toBe(404);
  });
});
