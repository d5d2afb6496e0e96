import { expect, test } from "vitest";
import { createTestClock } from "#testkit/clock.ts";
import { createAdminServer } from "./admin.ts";

const server = () =>
  createAdminServer({
    health: { report: () => undefined, parts: () => [] },
    metrics: { contentType: "text/plain", expose: async () => "" } as never,
    clock: createTestClock(),
    version: "1",
    required: [],
  });

test("what is for this machine is neither for another one nor for a page in a browser of it", async () => {
  const ask = async (more: object) => (await server().inject({ url: "/debug", ...more })).statusCode;
  expect(await ask({})).toBe(200);
  expect(await ask({ remoteAddress: "203.0.113.7" })).toBe(403);
  expect(await ask({ headers: { "x-forwarded-for": "127.0.0.1" }, remoteAddress: "203.0.113.7" })).toBe(403);
  expect(await ask({ headers: { origin: "https://evil.example" } })).toBe(403);
  expect(await ask({ url: "/debug/heap", method: "POST", headers: { origin: "https://evil.example" } })).toBe(403);
});
