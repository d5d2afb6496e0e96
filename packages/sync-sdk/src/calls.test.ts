import { expect, it } from "vitest";
import { fakeServer, openClient, testTiming, user } from "./client.testkit.ts";

async function setUp() {
  const server = await fakeServer();
  return { server, ...openClient({ url: server.url }, testTiming().timing) };
}

const alarm = { jobs: ["police"], message: "Alarm at the bank", identifier: "a" };
const created = { status: 200, body: { id: 12, ref: "DSP-12" } };

it("creates a call behind the people themselves, once for each key", async () => {
  const { server, client } = await setUp();
  await client.users([user("a")]);
  server.fail({ status: 503 }, "reset", created, created);
  expect(await client.calls.create(alarm, { key: "alarm-7" })).toEqual({ id: 12, ref: "DSP-12" });
  await client.calls.create(alarm);
  const sends = server.sends().slice(1);
  expect(sends.map(({ method, path, body }) => [method, path, body])).toEqual(
    Array.from({ length: 4 }, () => ["POST", "/api/sync/v1/calls", { ...alarm, source: "city-1" }]),
  );
  const keys = sends.map(({ headers }) => headers["idempotency-key"]);
  expect(keys.slice(0, 3)).toEqual(["alarm-7", "alarm-7", "alarm-7"]);
  expect(keys[3]).toMatch(/^[0-9a-f]{32}$/);
});

it("sends what waits first", async () => {
  const { server, client } = await setUp();
  server.fail(null, null, created);
  await Promise.all([client.users([user("a")]), client.calls.create(alarm)]);
  expect(server.sends().map(({ path }) => path)).toEqual(["/api/sync/v1/users", "/api/sync/v1/calls"]);
});

it("throws what the server refuses, and refuses a place that JSON would erase", async () => {
  const { server, client } = await setUp();
  await client.status();
  server.fail({ status: 409, body: { title: "No such job.", code: "calls.noJob", params: {} } });
  await expect(client.calls.create(alarm)).rejects.toMatchObject({ status: 409, code: "calls.noJob" });
  await expect(client.calls.create({ ...alarm, x: Number.NaN })).rejects.toMatchObject({ code: "client.itemInvalid" });
  await expect(client.calls.create(alarm, { key: "Ä" })).rejects.toMatchObject({ code: "client.option" });
  expect(server.sends()).toHaveLength(1);
});

it("completes the open calls of a character", async () => {
  const { server, client } = await setUp();
  server.fail({ status: 200, body: { closed: 2 } });
  expect(await client.calls.close("a")).toBe(2);
  expect(server.sends().map(({ path, body }) => [path, body])).toEqual([
    ["/api/sync/v1/calls/close", { source: "city-1", identifier: "a" }],
  ]);
});
