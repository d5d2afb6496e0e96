import { networkInterfaces } from "node:os";
import path from "node:path";
import { decodeJwt, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, person, sendTo, type Person } from "../kit/api.ts";
import { listeningPorts, sqliteRows } from "../kit/outside.ts";
import { secrets } from "../kit/program.ts";
import { raw, upgrade } from "../kit/raw.ts";
import { createScope, type SetPlace } from "../kit/settings.ts";
import type { Program } from "../kit/program.ts";

const scope = createScope();
const secondToken = "second-sync-token-of-e2e-tests-66";
let place: SetPlace;
let program: Program;
let mara: Person;

beforeAll(async () => {
  place = await scope.place({ "sync.apiTokens": [secrets.sync, secondToken] });
  program = await scope.serve(place);
  mara = await person(place, { username: "mara" });
});
afterAll(async () => await scope.end());

interface Origin {
  readonly kind: string;
  origin(): string;
  readonly listed: boolean;
}

const origins: readonly Origin[] = [
  { kind: "listed", origin: () => place.url, listed: true },
  { kind: "unlisted", origin: () => "https://evil.example", listed: false },
  { kind: "unlisted one of the same host", origin: () => `http://127.0.0.1:${place.port}`, listed: false },
  { kind: "null", origin: () => "null", listed: false },
];

function expectRefused({ status, text }: { status: number; text: string }): void {
  expect(status).toBe(403);
  expect(JSON.parse(text)).toMatchObject({ code: "system.originNotAllowed" });
  expect(text).toContain("http.origins");
}

describe.each(origins)("an Origin that is $kind", ({ origin, listed }) => {
  it("on POST", async () => {
    const headers = { origin: origin(), "x-rollcall": "1" };
    const answer = await raw({ port: place.port, method: "POST", path: "/api/auth/logout", headers });
    if (!listed) return expectRefused(answer);
    expect(answer.status).toBe(204);
    expect(answer.headers["access-control-allow-origin"]).toBe(place.url);
  });

  it("on a preflight", async () => {
    const headers = {
      origin: origin(),
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,x-rollcall",
    };
    const answer = await raw({ port: place.port, method: "OPTIONS", path: "/api/auth/login", headers });
    if (!listed) {
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
      return expectRefused(answer);
    }
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": place.url,
      "access-control-allow-credentials": "true",
    });
    expect(answer.headers["access-control-allow-headers"]).toContain("x-rollcall");
  });

  it("on a WebSocket", async () => {
    const answer = await upgrade(place.port, "/api/realtime", { origin: origin() });
    if (!listed) return expectRefused(answer);
    expect(answer.status).toBe(101);
  });
});

describe("the two listeners", () => {
  it("are the only ports of the process", () => {
    expect(listeningPorts(program.child.pid!)).toEqual([place.port, place.adminPort].toSorted((a, b) => a - b));
  });

  it.each(["/metrics", "/debug", "/livez", "/readyz"])("keep %s to the admin one", async (page) => {
    expect((await call(place.url, page)).status).toBe(404);
    expect((await call(place.adminUrl, page)).status).toBe(200);
  });

  it("take nothing else on the admin one", async () => {
    for (const page of ["/", "/api/system/client", "/api/auth/characters"])
      expect((await call(place.adminUrl, page)).status, page).toBe(404);
  });

  it("tell state and age of each part", async () => {
    const live = await call(place.adminUrl, "/livez");
    expect(live.body).toEqual({ state: "ok", uptimeSeconds: expect.any(Number) });
    const ready = await call(place.adminUrl, "/readyz");
    expect(ready.body.state).toBe("degraded");
    const parts = Object.fromEntries(ready.body.parts.map((part: { part: string; state: string }) => [part.part, part.state]));
    expect(parts).toEqual({
      database: "ok",
      broker: "ok",
      storage: "ok",
      postals: "degraded",
    });
    for (const part of ready.body.parts) {
      expect(part.age).toBeGreaterThanOrEqual(0);
      expect(part.reason === null).toBe(part.state === "ok");
    }
  });

  it("answer /debug to peers of this machine's loopback alone", async ({ skip }) => {
    const outward = Object.values(networkInterfaces())
      .flat()
      .find((one) => one && !one.internal && one.family === "IPv4");
    if (!outward) return skip("this machine has no address but loopback");
    const open = await scope.place({});
    open.set({ "http.adminListen": `:${open.adminPort}` });
    const opened = await scope.serve(open);
    expect(opened.output()).toMatch(/http\.adminListen {2}can be reached from other machines/);
    const status = async (host: string, page: string, method = "GET") =>
      (
        await raw({
          host,
          port: open.adminPort,
          path: page,
          method,
          headers: { "x-forwarded-for": "127.0.0.1" },
        })
      ).status;
    expect([
      await status("127.0.0.1", "/debug"),
      await status(outward.address, "/debug"),
      await status(outward.address, "/debug/heap", "POST"),
    ]).toEqual([200, 403, 403]);
    expect(await status(outward.address, "/livez")).toBe(200);
  });
});

describe("the Sync API", () => {
  const job = [{ name: "police", label: "Police", grades: [{ grade: 0, label: "Cadet" }] }];

  it("takes each listed token and no other", async () => {
    const statuses = await Promise.all(
      [secrets.sync, secondToken, "wrong-token-of-the-e2e-tests-7777", ""].map(
        async (token) => (await sendTo(place.url, "jobs", job, token)).status,
      ),
    );
    expect(statuses).toEqual([200, 200, 401, 401]);
    expect((await call(place.url, "/api/sync/v1/status")).status).toBe(401);
  });

  it("refuses a user token and a session cookie", async () => {
    expect((await sendTo(place.url, "jobs", job, mara.token)).status).toBe(401);
    expect((await call(place.url, "/api/sync/v1/status", { cookie: mara.cookie })).status).toBe(401);
  });
});

describe("sessions and user tokens", () => {
  const claimsSignedWith = async (secret: string, change: object = {}) =>
    await new SignJWT({ ...decodeJwt(mara.token), ...change })
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .sign(new TextEncoder().encode(secret));
  const status = async (token: string) => (await call(place.url, "/api/jobs", { token })).status;

  it("are signed with jwt.secret: any library that has it can make one, none that has not", async () => {
    expect(await status(await claimsSignedWith(secrets.jwt))).toBe(200);
    for (const other of [`${secrets.jwt}x`, secrets.cookie, secrets.sync, "a"])
      expect(await status(await claimsSignedWith(other)), other).toBe(401);
  });

  it.each([{ aud: "other" }, { iss: "other" }, { typ: "session" }, { exp: 1 }, { sid: "other" }, { rep: "other" }])(
    "are refused with %o, although the signature is right",
    async (change) => {
      expect(await status(await claimsSignedWith(secrets.jwt, change))).toBe(401);
    },
  );

  it("are refused unsigned", async () => {
    const [, claims] = mara.token.split(".");
    const header = Buffer.from(JSON.stringify({ alg: "none", typ: "JWT" })).toString("base64url");
    expect(await status(`${header}.${claims}.`)).toBe(401);
  });

  it("show no session id in the cookie", () => {
    const value = mara.cookie.slice(mara.cookie.indexOf("=") + 1);
    const readable = [value, ...value.split(".").map((part) => Buffer.from(part, "base64url").toString("latin1"))].join("\n");
    const ids = sqliteRows(path.join(place.folder, "data", "rollcall.db"), "select id from auth_sessions").map((row) =>
      String(row["id"]),
    );
    expect(ids).toContain(decodeJwt(mara.token)["sid"]);
    for (const id of ids) expect(readable).not.toContain(id);
    expect(readable).not.toContain("mara");
  });

  it("answer 401 for character data with the cookie alone", async () => {
    for (const page of ["/api/citizens", "/api/vehicles", "/api/jobs", "/api/search?q=mara"]) {
      const answer = await call(place.url, page, { cookie: mara.cookie });
      expect([page, answer.status, answer.body.code]).toEqual([page, 401, "system.characterNeeded"]);
    }
  });
});
