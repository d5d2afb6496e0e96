import { request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import type { Duplex } from "node:stream";
import { expect, test } from "vitest";
import type { BucketLimits } from "#core/token-bucket.ts";
import { rateLimits } from "#infra/http/rate.ts";
import { createCookieSeal, sessionCookieName } from "#infra/http/cookie.ts";
import type { Answer } from "#testkit/app.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import { characters } from "#features/auth/auth.contract.ts";
import { listAudit } from "#features/audit/audit.contract.ts";
import { listJobs } from "#features/jobs/jobs.contract.ts";
import { syncStatus } from "#features/sync/sync.contract.ts";

/** More than twice the refusals that a network has at once. */
const many = 250;
const short = "short-token";

describeApps(
  "floods of refused calls",
  (get) => {
    let networks = 0;
    const network = () => `203.0.113.${(networks += 1)}`;

    interface Flood {
      /** Counts the responses by status. */
      readonly counts: Record<number, number>;
      readonly seconds: number;
    }

    async function flood(one: (i: number) => Promise<Answer>, times = many): Promise<Flood> {
      const started = performance.now();
      const counts: Record<number, number> = {};
      for (let i = 0; i < times; i += 250)
        for (const { status } of await Promise.all(Array.from({ length: 250 }, async (_call, j) => await one(i + j))))
          counts[status] = (counts[status] ?? 0) + 1;
      return { counts, seconds: (performance.now() - started) / 1000 };
    }

    /** Tokens that a bucket grants in the elapsed time: on a slow machine it refills meanwhile. */
    const given = ({ burst, perSecond }: BucketLimits, seconds: number) => Math.floor(burst + perSecond * seconds) + 1;

    const mostlyRefused = ({ counts, seconds }: Flood, status: number) => {
      expect(Object.keys(counts).map(Number).toSorted()).toEqual([status, 429].toSorted());
      expect(counts[status]).toBeLessThanOrEqual(given(rateLimits.refused, seconds));
    };

    const sealed = createCookieSeal(testSecrets.cookie);
    /** The same session sealed into other bytes, as with every user token. */
    const sealedAnew = async (cookie: string) => await sealed.seal((await sealed.open(cookie)) ?? "");

    test.each<
      [string, number, (i: number) => [string, string, { token?: string; cookie?: string; headers?: Record<string, string> }]]
    >([
      ["without credentials", 401, () => ["GET", "/api/audit", {}]],
      ["with user tokens made up", 401, (i) => ["GET", "/api/audit", { token: `eyJhbGciOiJIUzI1NiJ9.e30.${i}` }]],
      ["with cookies made up", 401, (i) => ["GET", "/api/accounts", { cookie: `eyJhbGciOiJkaXIifQ..${i}.b.c` }]],
      ["of addresses that are none", 404, (i) => ["GET", `/api/none/${i}`, {}]],
      ["of methods that are none", 404, (i) => ["DELETE", `/api/none/${i}`, {}]],
      ["of files that are none", 404, (i) => ["GET", `/assets/none-${i}.js`, {}]],
      ["of pages that are not listed", 403, () => ["GET", "/api/system/client", { headers: { origin: "https://evil.example" } }]],
      ["that cannot even be decoded", 404, () => ["GET", "/%E0%A4%A", {}]],
    ])("calls %s are soon answered 429, and those of others are not", async (_what, status, call) => {
      const { app, world } = get();
      const actor = await world.actor();
      const address = network();
      expect((await app.call(listJobs, {}, { token: actor.token, address })).status).toBe(200);
      mostlyRefused(
        await flood(async (i) => {
          const [method, path, options] = call(i);
          return await app.request(method, path, { ...options, address });
        }),
        status,
      );
      const elsewhere = network();
      const [method, path, options] = call(many);
      expect((await app.request(method, path, { ...options, address: elsewhere })).status).toBe(status);
      expect((await app.call(listJobs, {}, { token: actor.token, address: elsewhere })).status).toBe(200);
      // A client in the same network whose session is known is not limited either.
      expect((await app.call(listJobs, {}, { token: actor.token, address })).status).toBe(200);
      expect((await app.call(characters, {}, { cookie: actor.cookie, address })).status).toBe(200);
    });

    test("calls without the header that writes require are soon answered 429", async () => {
      const { app } = get();
      const address = network();
      const answers = await flood(async () => {
        const answer = await app.process.web!.inject({ method: "POST", url: "/api/auth/logout", remoteAddress: address });
        return { status: answer.statusCode } as Answer;
      });
      mostlyRefused(answers, 403);
    });

    test("one IPv6 customer with all of a /48 is limited as well", async () => {
      const { app } = get();
      const call = async (i: number) =>
        await app.request("GET", "/api/audit", { address: `2001:db8:77:${(i % 4000).toString(16)}::1` });
      const { counts, seconds } = await flood(call, 2000);
      expect(counts[401]).toBeLessThanOrEqual(16 * given(rateLimits.refused, seconds));
      expect(counts[429]).toBeGreaterThan(0);
      expect((await app.request("GET", "/api/audit", { address: "2001:db8:78::1" })).status).toBe(401);
    });

    test("refusals of one account are soon 429 and written once in some seconds; its permitted calls still work", async () => {
      const { app, world, kind } = get();
      const actor = await world.actor();
      let writes = 0;
      let seconds = 0;
      const { db } = app.process.container.ports;
      const { write } = db;
      Object.assign(db, {
        write: async (...given: Parameters<typeof write>) => {
          if (given[0].startsWith("audit.")) writes += 1;
          return await write.apply(db, given);
        },
      });
      try {
        const call = async (i: number) =>
          await app.call(listAudit, {}, { token: actor.token, address: `10.${i % 200}.${i % 7}.1` });
        const flooded = await flood(call);
        mostlyRefused(flooded, 403);
        seconds = flooded.seconds;
      } finally {
        Object.assign(db, { write });
      }
      // The refusals of five seconds are written together; such a period may have begun earlier.
      expect([kind, writes > 0 && writes <= 2 + Math.floor(seconds / 5)]).toEqual([kind, true]);
      expect((await app.call(listJobs, {}, { token: actor.token })).status).toBe(200);
      const other = await world.actor();
      expect((await app.call(listAudit, {}, { token: other.token })).status).toBe(403);
    });

    test("an ended session is limited on its own, not with its network", async () => {
      const { app, world } = get();
      const [ended, stays] = [await world.actor(), await world.actor()];
      const address = network();
      expect((await app.call(characters, {}, { cookie: ended.cookie, address })).status).toBe(200);
      await app.request("POST", "/api/auth/logout", { cookie: ended.cookie, address });
      mostlyRefused(await flood(async () => await app.call(characters, {}, { cookie: ended.cookie, address })), 401);
      const headers = { cookie: `${sessionCookieName}=${stays.cookie}` };
      expect((await app.call(characters, {}, { headers, address })).status).toBe(200);
      expect((await app.request("GET", "/api/audit", { address })).status).toBe(401);
    });

    test("neither a fresh token nor a fresh cookie is limited by anonymous clients in the same network", async () => {
      const { app, world } = get();
      const actor = await world.actor();
      const [cookie, address] = [await sealedAnew(actor.cookie), network()];
      mostlyRefused(await flood(async () => await app.request("GET", "/api/audit", { address })), 401);
      expect((await app.call(characters, {}, { cookie, address })).status).toBe(200);
      expect((await app.call(listJobs, {}, { token: actor.token, address })).status).toBe(200);
    });

    test("requests from origins that are not listed consume nothing of the caller's network", async () => {
      const { app } = get();
      const address = network();
      const headers = { origin: "https://evil.example" };
      mostlyRefused(await flood(async () => await app.request("POST", "/api/auth/logout", { headers, address })), 403);
      expect((await app.request("GET", "/api/audit", { address })).status).toBe(401);
    });

    test.each([
      ["pictures", "GET", "/api/audit", 401],
      ["forms without the header", "POST", "/api/auth/token", 403],
    ] as const)("%s of another site, sent with the cookie, do not limit its session", async (_what, method, url, status) => {
      const { app, world } = get();
      const actor = await world.actor();
      const address = network();
      const headers = { cookie: `${sessionCookieName}=${actor.cookie}` };
      const bySite = async () => {
        const answer = await app.process.web!.inject({ method, url, headers, remoteAddress: address });
        return { status: answer.statusCode } as Answer;
      };
      mostlyRefused(await flood(bySite), status);
      expect((await app.call(characters, {}, { cookie: actor.cookie, address })).status).toBe(200);
      expect((await app.call(listJobs, {}, { token: actor.token, address })).status).toBe(200);
    });

    test("an ended session has one token bucket, regardless of the number of cookies that contain it", async () => {
      const { app, world } = get();
      const { cookie } = await world.actor();
      const cookies = await Promise.all(Array.from({ length: 10 }, async () => await sealedAnew(cookie)));
      const address = network();
      for (const one of cookies) expect((await app.call(characters, {}, { cookie: one, address })).status).toBe(200);
      await app.request("POST", "/api/auth/logout", { cookie, address });
      mostlyRefused(await flood(async (i) => await app.call(characters, {}, { cookie: cookies[i % 10] ?? "", address })), 401);
    });

    test("an expired user token, even a repeated one, does not limit the next token of its session", async () => {
      const { app, world } = get();
      const [job, address] = ["expiring", network()];
      const actor = await world.actor({ job });
      await world.grant(job, 1, { "audit.view": true });
      mostlyRefused(await flood(async () => await app.call(listJobs, {}, { token: actor.token, address })), 401);
      const token = await world.tokenOf(actor);
      expect((await app.call(listJobs, {}, { token, address })).status).toBe(200);
    });

    test("live handshakes of one network are soon answered 429 with a problem document, others are accepted", async () => {
      const { port } = get().app.process.web!.server.address() as AddressInfo;
      const open: Duplex[] = [];
      const upgrade = (localAddress: string) =>
        new Promise<{ status: number; body: string; retry: string | undefined }>((resolve, reject) => {
          const sent = request({
            port,
            host: "127.0.0.1",
            localAddress,
            path: "/api/realtime",
            headers: {
              connection: "Upgrade",
              upgrade: "websocket",
              "sec-websocket-version": "13",
              "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
            },
          });
          sent.on("error", reject).on("upgrade", (answer, socket) => {
            open.push(socket);
            resolve({ status: answer.statusCode ?? 0, body: "", retry: undefined });
          });
          sent.on("response", (answer) => {
            let body = "";
            answer.on("data", (part: Buffer) => (body += part.toString()));
            answer.on("end", () => resolve({ status: answer.statusCode ?? 0, body, retry: answer.headers["retry-after"] }));
          });
          sent.end();
        });
      const started = performance.now();
      const answers = [];
      for (let i = 0; i < 50; i += 1) answers.push(await upgrade("127.0.0.21"));
      answers.push(...(await Promise.all(Array.from({ length: 350 }, async () => await upgrade("127.0.0.21")))));
      const seconds = (performance.now() - started) / 1000;
      const refused = answers.filter(({ status }) => status === 429);
      const limited = refused.filter(({ body }) => (JSON.parse(body) as { code: string }).code === "system.rateLimited");
      const waiting = refused.filter(({ body }) => (JSON.parse(body) as { code: string }).code === "realtime.tooManyWaiting");
      expect(answers.slice(0, 50).every(({ status }) => status === 101)).toBe(true);
      // Connections that wait for two seconds are replaced by others.
      expect(400 - refused.length).toBeLessThanOrEqual(50 * (1 + Math.floor(seconds / 2)));
      expect(limited.length).toBeGreaterThanOrEqual(400 - given(rateLimits.upgrade, seconds));
      expect(waiting.length + limited.length).toBe(refused.length);
      expect(waiting[0]).toMatchObject({ retry: "2", body: expect.stringContaining("50 live connections from your network") });
      expect((await upgrade("127.0.0.22")).status).toBe(101);
      for (const socket of open) socket.destroy();
    });

    test("a handshake that is refused by its origin leaves no open connection behind", async () => {
      const { port } = get().app.process.web!.server.address() as AddressInfo;
      const socket = connect(port, "127.0.0.1");
      socket.write(
        "GET /api/realtime HTTP/1.1\r\nHost: localhost\r\nOrigin: https://evil.example\r\nConnection: Upgrade\r\n" +
          "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n",
      );
      let response = "";
      for await (const part of socket) response += String(part);
      expect(response).toMatch(/^HTTP\/1\.1 403 .*"system\.originNotAllowed"/s);
      expect(response.toLowerCase()).toContain("connection: close");
    });

    test("a network may guess sync tokens ten times a minute; the game server in it is not affected", async () => {
      const { app } = get();
      const address = network();
      const status = async (token: string, from = address) => (await app.call(syncStatus, {}, { token, address: from })).status;
      const { counts, seconds } = await flood(async (i) => await app.call(syncStatus, {}, { token: `guess-${i}`, address }));
      expect(Object.keys(counts)).toEqual(["401", "429"]);
      expect(counts[401]).toBeLessThanOrEqual(given(rateLimits.syncGuess, seconds));
      expect(await status(testSecrets.sync)).toBe(200);
      // For a short token every attempt counts, also the right one.
      expect(await status(short)).toBe(429);
      expect(await status(short, network())).toBe(200);
    });

    test("the same wrong sync token counts as one guess", async () => {
      const { app } = get();
      const address = network();
      const status = async (token: string) => (await app.call(syncStatus, {}, { token, address })).status;
      for (let i = 0; i < 40; i += 1) expect(await status("a token of last year")).toBe(401);
      expect(await status(short)).toBe(200);
      mostlyRefused(await flood(async () => await app.call(syncStatus, {}, { token: "a token of last year", address })), 401);
      expect(await status(short)).toBe(200);
    });
  },
  { ROLLCALL_SYNC_APITOKENS: `${testSecrets.sync},${short}` },
  // Refills slowly, so that the counts are the same on a busy machine.
  { rates: { ...rateLimits, login: { perSecond: 1e6, burst: 1e6 }, refused: { ...rateLimits.refused, perSecond: 0.5 } } },
);
