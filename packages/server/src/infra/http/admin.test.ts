import { expect, test } from "vitest";
import { createAdminServer } from "./admin.ts";

const server = () =>
  createAdminServer({
    health: { parts: () => [] },
    metrics: { contentType: "text/plain", expose: async () => "" } as never,
    version: "1",
  });

test("debug endpoints refuse other machines and pages of a browser on this one", async () => {
  const statusOf = async (more: object) => (await server().inject({ url: "/debug", ...more })).statusCode;
  expect(await statusOf({})).toBe(200);
  expect(await statusOf({ remoteAddress: "203.0.113.7" })).toBe(403);
  expect(await statusOf({ headers: { "x-forwarded-for": "127.0.0.1" }, remoteAddress: "203.0.113.7" })).toBe(403);
  expect(await statusOf({ headers: { origin: "https://evil.example" } })).toBe(403);
});

test("requests of this machine that name another site are refused: a page of a browser whose name now resolves to it", async () => {
  const answers = async (host: string | undefined, more: object = {}) =>
    await Promise.all(
      ["/metrics", "/debug", "/readyz", "/livez"].map(
        async (url) => (await server().inject({ url, headers: { host }, ...more })).statusCode,
      ),
    );
  for (const host of ["evil.example", "evil.example:7070", "127.0.0.1.evil.example", "localhost.evil.example:80"])
    expect([host, await answers(host)]).toEqual([host, [403, 403, 403, 403]]);
  for (const host of ["127.0.0.1:7070", "[::1]:7070", "localhost:7070", "rollcall:7070", "10.1.2.3"])
    expect([host, await answers(host)]).toEqual([host, [200, 200, 200, 200]]);
  // Monitoring in the network of the listener may use any name.
  const remote = { remoteAddress: "10.0.0.9" };
  expect(await answers("rollcall.games.svc.cluster.local:7070", remote)).toEqual([200, 403, 200, 200]);
});

test("no request writes a heap snapshot: any local user could block the process and fill the disk", async () => {
  expect((await server().inject({ url: "/debug/heap", method: "POST" })).statusCode).toBe(404);
});

test("an unknown address is answered in words of its own", async () => {
  const answer = await server().inject({ url: "/api/nothing" });
  expect([answer.statusCode, answer.json()]).toEqual([
    404,
    { error: "not an address of the admin listener; it has /livez, /readyz, /metrics and /debug" },
  ]);
});
