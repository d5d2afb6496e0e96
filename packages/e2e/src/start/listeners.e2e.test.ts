import { networkInterfaces } from "node:os";
import path from "node:path";
import { decodeJwt, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { call, person, sendTo, type Person } from "@rollcall/testkit/api.ts";
import { listeningPorts, sqliteRows } from "@rollcall/testkit/outside.ts";
import { secrets } from "@rollcall/testkit/program.ts";
import { raw, upgrade } from "@rollcall/testkit/raw.ts";
import { createScope, type ConfiguredInstance } from "@rollcall/testkit/settings.ts";
import type { Program } from "@rollcall/testkit/program.ts";

const scope = createScope();
const secondToken = "second-sync-token-of-e2e-tests-66";
let instance: ConfiguredInstance;
let program: Program;
let mara: Person;

beforeAll(async () => {
  instance = await scope.instance({ "sync.apiTokens": [secrets.sync, secondToken] });
  program = await scope.serve(instance);
  mara = await person(instance, { username: "mara" });
});
afterAll(async () => await scope.end());

interface Origin {
  readonly kind: string;
  origin(): string;
  readonly listed: boolean;
}

const origins: readonly Origin[] = [
  { kind: "listed", origin: () => instance.url, listed: true },
  { kind: "unlisted", origin: () => "https://evil.example", listed: false },
  { kind: "unlisted one of the same host", origin: () => `http://127.0.0.1:${instance.port}`, listed: false },
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
    const answer = await raw({ port: instance.port, method: "POST", path: "/api/auth/logout", headers });
    if (!listed) return expectRefused(answer);
    expect(answer.status).toBe(204);
    expect(answer.headers["access-control-allow-origin"]).toBe(instance.url);
  });

  it("on a preflight", async () => {
    const headers = {
      origin: origin(),
      "access-control-request-method": "POST",
      "access-control-request-headers": "content-type,x-rollcall",
    };
    const answer = await raw({ port: instance.port, method: "OPTIONS", path: "/api/auth/login", headers });
    if (!listed) {
      expect(answer.headers["access-control-allow-origin"]).toBeUndefined();
      return expectRefused(answer);
    }
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      "access-control-allow-origin": instance.url,
      "access-control-allow-credentials": "true",
    });
    expect(answer.headers["access-control-allow-headers"]).toContain("x-rollcall");
  });

  it("on a WebSocket", async () => {
    const answer = await upgrade(instance.port, "/api/realtime", { origin: origin() });
    if (!listed) return expectRefused(answer);
    expect(answer.status).toBe(101);
  });
});

describe("the two listeners", () => {
  it("are the only ports of the process", () => {
    expect(listeningPorts(program.child.pid!)).toEqual([instance.port, instance.adminPort].toSorted((a, b) => a - b));
  });

  it.each(["/metrics", "/debug", "/livez", "/readyz"])("serve %s on the admin one only", async (page) => {
    expect((await call(instance.url, page)).status).toBe(404);
    expect((await call(instance.adminUrl, page)).status).toBe(200);
  });

  it("serve nothing else on the admin one", async () => {
    for (const page of ["/", "/api/system/client", "/api/auth/characters"])
      expect((await call(instance.adminUrl, page)).status, page).toBe(404);
  });

  it("report state and age of each part", async () => {
    const live = await call(instance.adminUrl, "/livez");
    expect(live.body).toEqual({ state: "ok", uptimeSeconds: expect.any(Number) });
    const ready = await call(instance.adminUrl, "/readyz");
    expect(ready.body.state).toBe("ok");
    const parts = Object.fromEntries(ready.body.parts.map((part: { part: string; state: string }) => [part.part, part.state]));
    expect(parts).toEqual({
      database: "ok",
      broker: "ok",
      server: "ok",
      storage: "ok",
    });
    for (const part of ready.body.parts) {
      expect(part.age).toBeGreaterThanOrEqual(0);
      expect(part.reason === null).toBe(part.state === "ok");
    }
  });

  it("answer /debug to loopback clients only", async ({ skip }) => {
    const outward = Object.values(networkInterfaces())
      .flat()
      .find((one) => one && !one.internal && one.family === "IPv4");
    if (!outward) return skip("this machine has no address but loopback");
    const open = await scope.instance({});
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
      await status("127.0.0.1", "/debug/heap", "POST"),
    ]).toEqual([200, 403, 404]);
    expect(await status(outward.address, "/livez")).toBe(200);
  });
});

describe("the Sync API", () => {
  const job = [{ name: "police", label: "Police", grades: [{ grade: 0, label: "Cadet" }] }];

  it("accepts each listed token and no other", async () => {
    const statuses = await Promise.all(
      [secrets.sync, secondToken, "wrong-token-of-the-e2e-tests-7777", ""].map(
        async (token) => (await sendTo(instance.url, "jobs", job, token)).status,
      ),
    );
    expect(statuses).toEqual([200, 200, 401, 401]);
    expect((await call(instance.url, "/api/sync/v1/status")).status).toBe(401);
  });

  it("refuses a user token and a session cookie", async () => {
    expect((await sendTo(instance.url, "jobs", job, mara.token)).status).toBe(401);
    expect((await call(instance.url, "/api/sync/v1/status", { cookie: mara.cookie })).status).toBe(401);
  });
});

describe("sessions and user tokens", () => {
  const claimsSignedWith = async (secret: string, change: object = {}) =>
    await new SignJWT({ ...decodeJwt(mara.token), ...change })
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .sign(new TextEncoder().encode(secret));
  const status = async (token: string) => (await call(instance.url, "/api/jobs", { token })).status;

  it("are signed with jwt.secret: any library can create one with it, and none without it", async () => {
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
    const ids = sqliteRows(path.join(instance.folder, "data", "rollcall.db"), "select id from auth_sessions").map((row) =>
      String(row["id"]),
    );
    expect(ids).toContain(decodeJwt(mara.token)["sid"]);
    for (const id of ids) expect(readable).not.toContain(id);
    expect(readable).not.toContain("mara");
  });

  it("answer 401 for character data with the cookie alone", async () => {
    for (const page of ["/api/citizens", "/api/vehicles", "/api/jobs", "/api/search?q=mara"]) {
      const answer = await call(instance.url, page, { cookie: mara.cookie });
      expect([page, answer.status, answer.body.code]).toEqual([page, 401, "system.characterNeeded"]);
    }
  });
});
