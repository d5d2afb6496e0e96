import { describe, expect, it } from "vitest";
import { settle, testClock } from "./testkit.ts";
import { createTracer } from "./tracing.spans.ts";

const settings = { url: "https://traces.example.org/v1/traces", headers: { "x-community": "a" }, ratio: 1, environment: "dev" };
const operation = { method: "GET", path: "/api/citizens/:id" } as const;

function tracer(more: Partial<typeof settings> = {}, signedIn = () => true) {
  const clock = testClock();
  const calls: { url: string; init: RequestInit }[] = [];
  const posts: { headers: Headers; init: RequestInit; spans: Record<string, never>[] }[] = [];
  const given = { ...settings, ...more };
  let broken = false;
  const send = async (url: string, init: RequestInit) => {
    if (url !== given.url) {
      calls.push({ url, init });
      if (broken) throw new TypeError("offline");
      return new Response(null, { status: url.endsWith("/404") ? 404 : 204 });
    }
    const body = JSON.parse(String(init.body)) as { resourceSpans: { scopeSpans: { spans: Record<string, never>[] }[] }[] };
    posts.push({ headers: new Headers(init.headers), init, spans: body.resourceSpans[0]!.scopeSpans[0]!.spans });
    return new Response("{}");
  };
  const made = createTracer({ settings: given, version: "1", signedIn, clock, send });
  return {
    ...made,
    clock,
    calls,
    posts,
    fail: () => {
      broken = true;
    },
  };
}

const traceparentOf = (init: RequestInit | undefined) => new Headers(init?.headers).get("traceparent") ?? "";

describe("calls of the browser", () => {
  it("carry a traceparent and become spans without the search text", async () => {
    const { fetch, clock, calls, posts } = tracer();
    await fetch("/api/citizens/12?q=Mara", { headers: { "x-own": "1" } }, operation);
    await fetch("/api/citizens/404", {}, operation);
    expect(posts).toEqual([]);
    await clock.advance(5000);
    expect(posts).toHaveLength(1);
    const [first, second] = posts[0]!.spans;
    const [, traceId, spanId, flags] = traceparentOf(calls[0]?.init).split("-");
    expect(first).toMatchObject({ traceId, spanId, name: "GET /api/citizens/:id", kind: 3, status: {} });
    expect(flags).toBe("01");
    expect(new Headers(calls[0]?.init.headers).get("x-own")).toBe("1");
    expect(second).toMatchObject({ status: { code: 2 } });
    expect(JSON.stringify(posts)).not.toMatch(/Mara|citizens\/12/);
    expect(clock.pending()).toBe(0);
  });

  it("post to another origin exactly the headers of the configuration, without the cookie", async () => {
    const { fetch, flush, posts } = tracer();
    await fetch("/api/jobs", {}, operation);
    flush();
    expect(Object.fromEntries(posts[0]!.headers)).toEqual({ "content-type": "application/json", "x-community": "a" });
    expect(posts[0]!.init.credentials).toBe("omit");
  });

  it("wait for the sign-in where they are sent to the server", async () => {
    let signedIn = false;
    const { fetch, clock, posts } = tracer({ url: "/api/traces" }, () => signedIn);
    await fetch("/api/auth/login", {}, operation);
    await clock.advance(20_000);
    expect(posts).toEqual([]);
    signedIn = true;
    await clock.advance(5000);
    expect(posts[0]).toMatchObject({ init: { credentials: "same-origin" }, spans: [{}] });
    expect(posts[0]!.headers.get("x-rollcall")).toBe("1");
  });

  it("are not sampled beyond the ratio, and are marked as such for the server", async () => {
    const { fetch, clock, calls, posts } = tracer({ ratio: 0.5 });
    await fetch("/api/jobs", {}, operation);
    await clock.advance(10_000);
    expect(traceparentOf(calls[0]?.init)).toMatch(/-00$/);
    expect(posts).toEqual([]);
  });

  it("keep the newest 200 spans while they cannot be sent, and send at most 100 at once", async () => {
    const { fetch, flush, posts } = tracer();
    for (let i = 0; i < 250; i += 1) await fetch(`/api/jobs?${i}`, {}, operation);
    flush();
    await settle();
    expect(posts.map(({ spans }) => spans.length)).toEqual([100, 100]);
  });

  it("that fail are spans too, and fail as before", async () => {
    const { fetch, flush, posts, fail } = tracer();
    fail();
    await expect(fetch("/api/jobs", {}, operation)).rejects.toThrow("offline");
    flush();
    expect(posts[0]!.spans[0]).toMatchObject({ status: { code: 2 } });
  });
});
