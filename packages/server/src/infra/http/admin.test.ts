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

test("debug endpoints refuse other machines and pages of a browser on this one", async () => {
  const statusOf = async (more: object) => (await server().inject({ url: "/debug", ...more })).statusCode;
  expect(await statusOf({})).toBe(200);
  expect(await statusOf({ remoteAddress: "203.0.113.7" })).toBe(403);
  expect(await statusOf({ headers: { "x-forwarded-for": "127.0.0.1" }, remoteAddress: "203.0.113.7" })).toBe(403);
  expect(await statusOf({ headers: { origin: "https://evil.example" } })).toBe(403);
  expect(await statusOf({ url: "/debug/heap", method: "POST", headers: { origin: "https://evil.example" } })).toBe(403);
});
