import { expect, it } from "vitest";
import { fakeServer, openClient, testTiming, user } from "./client.testkit.ts";

async function setUp() {
  const server = await fakeServer();
  return { server, ...openClient({ url: server.url }, testTiming().timing) };
}

it("changes people in their jobs behind the people themselves, by the server's limits", async () => {
  const { server, client } = await setUp();
  const people = ["a", "bad", "c", "d"].map((identifier) => ({ identifier, job: "police", suffix: "FTO" }));
  const [, result] = await Promise.all([client.users([user("a")]), client.colleagues.change(people)]);
  expect(result).toMatchObject({ accepted: 3, queued: 0, rejected: [{ index: 1, id: "bad", code: "sync.itemInvalid" }] });
  expect(server.sends().map(({ path, body }) => [path, body.items?.length])).toEqual([
    ["/api/sync/v1/users", 1],
    ["/api/sync/v1/colleagues", 3],
    ["/api/sync/v1/colleagues", 1],
  ]);
  expect(server.sends()[1]?.body).toEqual({ source: "city-1", items: people.slice(0, 3) });
  expect(await client.colleagues.change([])).toEqual({ accepted: 0, unchanged: 0, rejected: [], queued: 0 });
});

it("reports what happened under the same name when the call is repeated", async () => {
  const { server, client } = await setUp();
  await client.status();
  server.fail({ status: 503 }, "reset");
  const remark = { key: "k-1", identifier: "a", job: "police", kind: "remark", text: "Found the boat" } as const;
  expect(await client.colleagues.report([remark])).toMatchObject({ accepted: 1 });
  const keys = server.sends().map(({ headers, path }) => [path, headers["idempotency-key"]]);
  expect(keys).toHaveLength(3);
  expect(new Set(keys.map(([path]) => path))).toEqual(new Set(["/api/sync/v1/colleagues/activities"]));
  expect(new Set(keys.map(([, key]) => key)).size).toBe(1);
});

it("names an item that JSON would change", async () => {
  const { client } = await setUp();
  const note = Number.NaN as never;
  expect(await client.colleagues.change([{ identifier: "a", job: "police", note }])).toMatchObject({
    accepted: 0,
    rejected: [{ index: 0, id: "a", code: "client.itemInvalid" }],
  });
});

it("reads everybody in a job, page by page", async () => {
  const { server, client } = await setUp();
  server.fail(
    { status: 200, body: { items: [{ identifier: "a" }], next: "c 1" } },
    { status: 200, body: { items: [{ identifier: "b" }], next: null } },
  );
  expect((await client.colleagues.list("city police")).map(({ identifier }) => identifier)).toEqual(["a", "b"]);
  expect(server.received.map(({ method, path }) => [method, path])).toEqual([
    ["GET", "/api/sync/v1/colleagues?job=city+police"],
    ["GET", "/api/sync/v1/colleagues?job=city+police&cursor=c+1"],
  ]);
});

it("says what was stored before a call failed, and what was rejected", async () => {
  const { server, client, events } = await setUp();
  await client.status();
  const people = ["a", "bad", "c", "d"].map((identifier) => ({ identifier, job: "police", suffix: "FTO" }));
  await client.colleagues.change(people);
  expect(events.filter(({ type }) => type === "rejected")).toMatchObject([
    { operation: "colleagues.sync", rejected: [{ index: 1, id: "bad" }] },
  ]);
  server.fail(null, { status: 403, body: { code: "sync.tokenUnknown" } });
  const refused = await client.colleagues.change(people).catch((error: unknown) => error);
  expect(refused).toMatchObject({ status: 403, partial: { accepted: 2 } });
});

it("ends when the server answers one page again and again", async () => {
  const { server, client } = await setUp();
  const page = { status: 200, body: { items: [{ identifier: "a" }], next: "c 1" } };
  server.fail(page, page, page);
  await expect(client.colleagues.list("police")).rejects.toMatchObject({ code: "client.answer" });
  expect(server.received).toHaveLength(2);
});
