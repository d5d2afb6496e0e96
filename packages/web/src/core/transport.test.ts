import { describe, expect, it } from "vitest";
import { openToken } from "@rollcall/server/contract/accounts";
import { listCitizens, getCitizen } from "@rollcall/server/contract/citizens";
import { login, logout } from "@rollcall/server/contract/auth";
import { Problem } from "./problem.ts";
import { settle, testClock } from "./testkit.ts";
import { createTransport, urlOf, type Fetch } from "./transport.ts";

function answering(response: () => Response): { fetch: Fetch; seen: { url: string; init: RequestInit }[] } {
  const seen: { url: string; init: RequestInit }[] = [];
  return {
    seen,
    fetch: (url, init) => {
      seen.push({ url, init });
      return Promise.resolve(response());
    },
  };
}

const json = (body: unknown, init: ResponseInit = {}) => new Response(JSON.stringify(body), init);

describe("urlOf", () => {
  it("fills path parameters and leaves out empty query fields", () => {
    expect(urlOf("/api/citizens/:id", { params: { id: 12 } })).toBe("/api/citizens/12");
    expect(urlOf("/api/x/:name", { params: { name: "a/b ?" } })).toBe("/api/x/a%2Fb%20%3F");
    expect(urlOf("/api/citizens", { query: { q: "müller & co", job: "", cursor: undefined, limit: 50 } })).toBe(
      "/api/citizens?q=m%C3%BCller+%26+co&limit=50",
    );
  });
});

describe("createTransport", () => {
  it("sends unsafe methods with the header, the body and the cookie of the same origin", async () => {
    const { fetch, seen } = answering(() => json({ account: {} }));
    await createTransport(fetch, testClock()).send(login, { body: { username: "mara", password: "x" } });
    expect(seen[0]?.url).toBe("/api/auth/login");
    expect(seen[0]?.init).toMatchObject({
      method: "POST",
      credentials: "same-origin",
      body: '{"username":"mara","password":"x"}',
    });
    expect(seen[0]?.init.headers).toMatchObject({ "x-rollcall": "1", "content-type": "application/json" });
  });

  it("sends reads with the token and without the header", async () => {
    const { fetch, seen } = answering(() => json({ items: [] }));
    await createTransport(fetch, testClock()).send(listCitizens, { query: { q: "lind" } }, { token: "t1" });
    expect(seen[0]?.url).toBe("/api/citizens?q=lind");
    expect(seen[0]?.init.headers).toMatchObject({ authorization: "Bearer t1" });
    expect(seen[0]?.init.headers).not.toHaveProperty("x-rollcall");
  });

  it("sends a call that goes on when the page ends as such, and no other", async () => {
    const { fetch, seen } = answering(() => new Response(null, { status: 204 }));
    const transport = createTransport(fetch, testClock());
    await transport.send(logout, {}, { keepalive: true });
    await transport.send(logout, {});
    expect(seen.map(({ init }) => init.keepalive)).toEqual([true, undefined]);
  });

  it("sends the secret of a link in the header only", async () => {
    const { fetch, seen } = answering(() => json({ kind: "reset", username: "mara" }));
    await createTransport(fetch, testClock()).send(openToken, {}, { link: "7K2M-Q9XA" });
    expect([seen[0]?.url, seen[0]?.init.body]).toEqual(["/api/accounts/token", undefined]);
    expect(seen[0]?.init.headers).toMatchObject({ authorization: "Link 7K2M-Q9XA" });
  });

  it.each([
    ["an answer", 200, 1],
    ["a refusal", 404, 1],
    ["what a proxy answers for a server that is down", 502, 0],
  ])("says that the server answers: %s", async (_what, status, times) => {
    const transport = createTransport(() => Promise.resolve(json({ items: [] }, { status })), testClock());
    let answers = 0;
    const stop = transport.onAnswer(() => (answers += 1));
    await transport.send(listCitizens, {}).catch(() => undefined);
    stop();
    await transport.send(listCitizens, {}).catch(() => undefined);
    expect(answers).toBe(times);
  });

  it("returns undefined for 204", async () => {
    const { fetch } = answering(() => new Response(null, { status: 204 }));
    await expect(createTransport(fetch, testClock()).send(logout, {})).resolves.toBeUndefined();
  });

  it("turns a problem document into a Problem", async () => {
    const { fetch } = answering(() => json({ code: "citizens.notFound", params: { a: 1 }, traceId: "abc" }, { status: 404 }));
    const failed = await createTransport(fetch, testClock())
      .send(getCitizen, { params: { id: 1 } })
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(Problem);
    expect(failed).toMatchObject({
      code: "citizens.notFound",
      status: 404,
      params: { a: 1 },
      traceId: "abc",
    });
  });

  it("calls an answer that is no problem document unreadable", async () => {
    const { fetch } = answering(() => new Response("<html>Bad gateway</html>", { status: 502 }));
    await expect(createTransport(fetch, testClock()).send(getCitizen, { params: { id: 1 } })).rejects.toMatchObject({
      code: "web.unreadable",
      status: 502,
    });
  });

  it("distinguishes a missing connection from a timeout", async () => {
    const clock = testClock();
    const refused = createTransport(() => Promise.reject(new TypeError("Failed to fetch")), clock);
    await expect(refused.send(logout, {})).rejects.toMatchObject({ code: "web.offline", status: 0 });

    const silent = createTransport(
      (_url, init) =>
        new Promise((_yes, no) => init.signal?.addEventListener("abort", () => no(new DOMException("aborted", "AbortError")))),
      clock,
    );
    const late = silent.send(logout, {}).catch((error: unknown) => error);
    await settle();
    await clock.advance(20_000);
    expect(await late).toMatchObject({ code: "web.timeout" });
    expect(clock.pending()).toBe(0);
  });

  it("passes a caller's abort on unchanged", async () => {
    const controller = new AbortController();
    const transport = createTransport(
      (_url, init) => new Promise((_yes, no) => init.signal?.addEventListener("abort", () => no(init.signal?.reason as Error))),
      testClock(),
    );
    const call = transport.send(logout, {}, { signal: controller.signal }).catch((error: unknown) => error);
    controller.abort(new DOMException("left", "AbortError"));
    expect(await call).not.toBeInstanceOf(Problem);
  });

  it("follows the server's clock", async () => {
    const clock = testClock();
    const ahead = new Date(clock.now() + 3_600_000).toUTCString();
    const { fetch } = answering(() => json({}, { headers: { date: ahead } }));
    const transport = createTransport(fetch, clock);
    await transport.send(logout, {});
    expect(transport.serverNow()).toBe(Date.parse(ahead));
  });
});
