import { once } from "node:events";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { Compile, type Validator } from "typebox/compile";
import { afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { clientMessages, closeCodes, type ServerMessage, serverMessages } from "#core/contract/index.ts";
import { defaultLimits } from "#infra/realtime/limits.ts";
import { TestClient } from "#infra/realtime/realtime.testkit.ts";
import { testOrigin } from "#testkit/app.ts";
import { edges } from "#testkit/drawn.ts";
import { describeApps } from "#testkit/suite.ts";
import { features } from "./features.ts";

const runs = 60 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1);
const seed = 20_261_122;

const topics = features.flatMap(({ contract }) => contract.topics ?? []).map(({ name }) => name);
const keys = [
  "1",
  "0",
  "-1",
  "1e3",
  "0x10",
  "1.0",
  " 1",
  "1 ",
  "9".repeat(30),
  "NaN",
  "__proto__",
  "\uD800",
  "a\0b",
  "1/2",
  "../1",
  "%31",
  "😀",
  "police",
  "*",
  ">",
  "#",
];
const odd = [
  "",
  "/",
  "//",
  "citizens/",
  "/citizens",
  "CITIZENS",
  "citizens ",
  "constructor",
  "__proto__",
  "toString/1",
  "x".repeat(200),
  "x".repeat(201),
  "*",
  "citizens.>",
  "\u202E",
];
const topic = fc.oneof(
  fc.constantFrom(...odd),
  fc.tuple(fc.constantFrom(...topics), fc.constantFrom(...keys)).map(([name, key]) => name.replace(/\/:.*$/, `/${key}`)),
  fc.tuple(fc.constantFrom(...topics), fc.constantFrom(...keys)).map(([name, key]) => `${name.replace(/\/:.*$/, "")}/${key}`),
);
const known = { keys: ["topic"] };
const raw = fc.constantFrom(
  "",
  "null",
  "[]",
  "{",
  "7",
  '"auth"',
  '{"type":"auth"}',
  '{"type":"__proto__"}',
  '{"type":"constructor"}',
  '{"type":["ping"]}',
  "[".repeat(5000),
  '{"__proto__":{"type":"ping"}}',
  '{"type":"subscribe","topic":"citizens","after":{"epoch":"x","seq":1e400}}',
  "\uFEFF{}",
);
/** Messages of every kind, and malformed ones. */
const message = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant("subscribe"), topic }) },
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant("subscribe"),
      topic,
      after: edges(clientMessages.subscribe.properties.after, known),
    }),
  },
  { weight: 3, arbitrary: fc.record({ type: fc.constant("unsubscribe"), topic }) },
  { weight: 1, arbitrary: fc.oneof(...Object.values(clientMessages).map((schema) => edges(schema, known))) },
  { weight: 1, arbitrary: raw },
);

const validators = new Map<string, Validator>();
const errorCodes = new Set(features.flatMap(({ contract }) => Object.values(contract.errors ?? {}).map(({ code }) => code)));

function faultOf(sent: ServerMessage): string | null {
  const validator = validators.get(sent.type) ?? Compile(serverMessages[sent.type]);
  validators.set(sent.type, validator);
  if (!validator.Check(sent)) return `sends what it does not declare: ${JSON.stringify(sent).slice(0, 300)}`;
  if ("code" in sent && !errorCodes.has(sent.code)) return `has no text for ${sent.code}`;
  return null;
}

const expectedCloses: readonly number[] = [closeCodes.unauthenticated, closeCodes.badMessage];

describeApps("live messages of any kind", (get) => {
  const open: WebSocket[] = [];
  afterEach(() => open.splice(0).forEach((socket) => socket.terminate()));
  const dial = async (headers: Record<string, string> = {}) => {
    const { port } = get().app.process.web!.server.address() as AddressInfo;
    const socket = new WebSocket(`ws://127.0.0.1:${port}/api/realtime`, { headers });
    open.push(socket);
    await once(socket, "open");
    return { socket, closed: once(socket, "close") as Promise<[number, Buffer]> };
  };

  test(`answers within its protocol (${runs} conversations)`, { timeout: 60_000 + runs * 500 }, async () => {
    const { app, world } = get();
    const everything = Object.fromEntries(
      features.flatMap(({ contract }) => contract.permissions ?? []).map(({ id }) => [id, true as const]),
    );
    const tokens = [(await world.actor({ rights: everything })).token, (await world.actor()).token];
    const conversation = fc.tuple(fc.constantFrom(...tokens), fc.nat(9), fc.array(message, { minLength: 1, maxLength: 15 }));
    const faults: string[] = [];
    for (const [token, first, messages] of fc.sample(conversation, { seed, numRuns: runs })) {
      const client = new TestClient(app.process.hub);
      if (first > 0) client.send({ type: "auth", token });
      for (const one of messages) client.send(one as object | string);
      client.send({ type: "ping" });
      await Promise.race([
        client.next("pong", messages.filter((one) => (one as { type?: unknown }).type === "ping").length + 1),
        client.end(),
      ]);
      const received = client.messages();
      const note = (fault: string) => faults.push(`${fault}; after ${JSON.stringify(messages).slice(0, 500)}`);
      for (const sent of received) {
        const fault = faultOf(sent);
        if (fault !== null) note(fault);
      }
      if (client.closed !== null && !expectedCloses.includes(client.closed.code))
        note(`closes with ${client.closed.code} ${client.closed.reason}`);
      const asked = messages.filter((one) => (one as { type?: unknown }).type === "subscribe").length;
      const answered = received.filter(({ type }) => type === "subscribed" || type === "refused").length;
      if (client.closed === null && answered !== asked) note(`answers ${answered} of ${asked} subscriptions`);
      client.leave();
    }
    expect(faults).toEqual([]);
  });

  test("a frame over the announced limit, a binary one and a flood end the connection", async () => {
    const large = await dial();
    large.socket.send(JSON.stringify({ type: "auth", token: "x".repeat(defaultLimits.frameBytes) }));
    expect((await large.closed)[0]).toBe(closeCodes.frameTooLarge);
    const binary = await dial();
    binary.socket.send(Buffer.from('{"type":"ping"}'));
    expect((await binary.closed)[0]).toBe(closeCodes.badMessage);
    const flood = await dial();
    const { token } = await get().world.actor();
    flood.socket.send(JSON.stringify({ type: "auth", token }));
    for (let i = 0; i <= defaultLimits.messagesPerMinute; i += 1) flood.socket.send('{"type":"ping"}');
    expect((await flood.closed)[0]).toBe(closeCodes.tooManyMessages);
  });

  test("a page of another site is refused before the first message", async () => {
    await expect(dial({ origin: "https://evil.example" })).rejects.toThrow("403");
    await expect(dial({ origin: "null" })).rejects.toThrow("403");
    const { socket } = await dial({ origin: testOrigin });
    expect(socket.readyState).toBe(1);
  });

  test("the connections of one account are limited", async () => {
    const { app, world } = get();
    const { token } = await world.actor();
    const clients = await Promise.all(
      Array.from({ length: defaultLimits.connectionsPerAccount }, async () => await TestClient.signedIn(app.process.hub, token)),
    );
    const late = new TestClient(app.process.hub);
    late.send({ type: "auth", token });
    expect((await late.end()).code).toBe(closeCodes.tooManyConnections);
    for (const client of clients) client.leave();
    expect(await TestClient.signedIn(app.process.hub, token)).toBeDefined();
  });
});
