import { afterEach, expect, test, vi } from "vitest";
import { takingBegun } from "./begun.ts";
import type { Fetch } from "./transport.ts";

afterEach(() => (globalThis.rollcallBegun = undefined));

const operation = { method: "POST", path: "/api/auth/token" } as const;
const begin = (body: string) => {
  const stop = vi.fn();
  globalThis.rollcallBegun = { ...operation, url: "/api/auth/token", body, answer: Promise.resolve(new Response("begun")), stop };
  return stop;
};
const world = () => {
  const fetch = vi.fn<Fetch>(async () => new Response("asked"));
  const call = takingBegun(fetch);
  return {
    fetch,
    send: async (body: string, init: RequestInit = {}) =>
      await (await call("/api/auth/token", { method: "POST", body, ...init }, operation)).text(),
  };
};

test("what was begun is taken over once, and only by the same call", async () => {
  const { send, fetch } = world();
  begin("1");
  expect(await send("1")).toBe("begun");
  expect(await send("1")).toBe("asked");
  begin("1");
  expect(await send("2")).toBe("asked");
  expect(await send("1")).toBe("asked");
  expect(fetch).toHaveBeenCalledTimes(3);
});

test("a call that is given up stops what was begun", async () => {
  const { send } = world();
  const stop = begin("1");
  const giving = new AbortController();
  await send("1", { signal: giving.signal });
  giving.abort();
  expect(stop).toHaveBeenCalledTimes(1);
});
