import { expect, it } from "vitest";
import { fakeServer, openClient, testTiming } from "./client.testkit.ts";

async function setUp() {
  const server = await fakeServer();
  return { server, ...openClient({ url: server.url }, testTiming().timing) };
}

const pressed = { status: 200, body: { id: 4, ref: "DSP-12", presses: 1, cancelUntil: 10 } };
const panic = { identifier: "a", x: 1, y: 2 };

it("presses once for each key, also over failures", async () => {
  const { server, client } = await setUp();
  server.fail({ status: 503 }, "reset", pressed, pressed);
  expect(await client.panic.press(panic, { key: "panic-7" })).toEqual(pressed.body);
  await client.panic.press(panic);
  const sends = server.sends();
  expect(sends.map(({ method, path, body }) => [method, path, body])).toEqual(
    Array.from({ length: 4 }, () => ["POST", "/api/sync/v1/panic", { ...panic, source: "city-1" }]),
  );
  const keys = sends.map(({ headers }) => headers["idempotency-key"]);
  expect(keys.slice(0, 3)).toEqual(["panic-7", "panic-7", "panic-7"]);
  expect(keys[3]).toMatch(/^[0-9a-f]{32}$/);
});

it("throws what the server refuses, and cancels", async () => {
  const { server, client } = await setUp();
  server.fail({ status: 409, body: { title: "Too soon.", code: "panic.tooSoon", params: { seconds: 40 } } });
  await expect(client.panic.press(panic)).rejects.toMatchObject({ status: 409, code: "panic.tooSoon" });
  await expect(client.panic.press(panic, { key: "Ä" })).rejects.toMatchObject({ code: "client.option" });
  server.fail({ status: 200, body: { cancelled: true } });
  expect(await client.panic.cancel("a")).toBe(true);
  expect(server.sends().map(({ path, body }) => [path, body])[1]).toEqual([
    "/api/sync/v1/panic/cancel",
    { source: "city-1", identifier: "a" },
  ]);
});
