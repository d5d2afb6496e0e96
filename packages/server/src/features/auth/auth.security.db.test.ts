import { expect, test } from "vitest";
import { queries } from "#core/db/index.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import { createPasswordHashes } from "#infra/passwords.ts";
import { createCookieSeal, sessionCookieName } from "#infra/http/cookie.ts";
import { syncStatus } from "#features/sync/sync.contract.ts";
import { listCitizens } from "#features/citizens/citizens.contract.ts";
import { cookieOf, testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import { changePassword, characters, login, logout, ownSessions, revokeOtherSessions } from "./auth.contract.ts";
import type { AuthTables } from "./auth.schema.ts";
import { storedId } from "./auth.sessions.service.ts";

const proxy = "10.20.30.40";

describeApps(
  "sign-in security",
  (get) => {
    test("a sign-in does not use a session that an attacker planted", async () => {
      const { app, world } = get();
      const [attacker, victim] = [await world.actor(), await world.actor()];
      const body = { username: victim.username, password: victim.password };
      const answer = await app.call(login, { body }, { cookie: attacker.cookie });
      const cookie = cookieOf(answer);
      expect(cookie).not.toBe(attacker.cookie);
      const planted = await app.call(characters, {}, { cookie: attacker.cookie });
      expect(planted.status).toBe(401);
      expect((await app.call(characters, {}, { cookie })).output.account.username).toBe(victim.username);
    });

    test.each([
      ["from a foreign origin", { origin: "https://evil.example" }],
      ["from an opaque origin", { origin: "null" }],
    ])("a request of another site, %s, changes nothing", async (_what, headers) => {
      const { app, world } = get();
      const actor = await world.actor();
      const body = { password: actor.password, newPassword: "planted password" };
      const answers = [
        await app.call(changePassword, { body }, { cookie: actor.cookie, headers }),
        await app.call(revokeOtherSessions, {}, { cookie: actor.cookie, headers }),
        await app.call(logout, {}, { cookie: actor.cookie, headers }),
      ];
      for (const { status } of answers) expect([400, 403]).toContain(status);
      expect((await app.call(characters, {}, { cookie: actor.cookie })).status).toBe(200);
      const old = { username: actor.username, password: actor.password };
      expect((await app.call(login, { body: old })).status).toBe(200);
    });

    test("a session ends some days after its sign-in, however recently it was used, and is listed no more", async () => {
      const { app, world } = get();
      const actor = await world.actor();
      const cookie = cookieOf(await app.call(login, { body: { username: actor.username, password: actor.password } }));
      const { db, clock } = app.process.container.ports;
      const settings = app.process.assembly.api(settingsApi);
      const limit = async (sessionDays: number) => {
        await db.write("test", async (tx) => {
          const system = { kind: "system", name: "test" } as const;
          await settings.change(tx, system, ({ auth, ...rest }) => ({ ...rest, auth: { ...auth, sessionDays } }));
        });
        await settings.current();
      };
      const openedAt = clock.now() - 30 * 86_400_000 - 1000;
      const id = storedId((await createCookieSeal(testSecrets.cookie).open(cookie)) ?? "");
      await db.write("test", async (tx) => {
        await queries<AuthTables>(tx).updateTable("auth_sessions").set({ created_at: openedAt }).where("id", "=", id).execute();
      });
      expect((await app.call(characters, {}, { cookie })).status).toBe(401);
      const listed = async () => (await app.call(ownSessions, {}, { cookie: actor.cookie })).output.sessions.map((one) => one.id);
      expect(await listed()).not.toContain(id);
      await limit(31);
      expect((await app.call(characters, {}, { cookie })).status).toBe(200);
      expect(await listed()).toContain(id);
      await limit(30);
    });

    test("signing out with the cookie of a session that ended writes nothing", async () => {
      const { app, world, writes } = get();
      const actor = await world.actor();
      expect((await app.call(logout, {}, { cookie: actor.cookie })).status).toBe(204);
      const written = writes(["auth_sessions"]);
      for (let again = 0; again < 3; again += 1) expect((await app.call(logout, {}, { cookie: actor.cookie })).status).toBe(204);
      expect(written.tables()).toEqual([]);
    });

    test("a request without the header that other sites cannot send changes nothing", async () => {
      const { app, world } = get();
      const actor = await world.actor();
      const headers = { cookie: `${sessionCookieName}=${actor.cookie}` };
      const answer = await app.process.web!.inject({ method: "POST", url: logout.path, headers });
      expect(answer.statusCode).toBe(403);
      expect((await app.call(characters, {}, { cookie: actor.cookie })).status).toBe(200);
    });

    test("no kind of token is accepted as another", async () => {
      const { app, world } = get();
      const actor = await world.actor({ rights: { "citizens.list": true } });
      expect((await app.call(listCitizens, {}, { token: actor.token })).status).toBe(200);
      for (const token of [actor.cookie, testSecrets.sync]) {
        expect((await app.call(listCitizens, {}, { token })).status).toBe(401);
      }
      for (const token of [actor.token, actor.cookie]) expect((await app.call(syncStatus, {}, { token })).status).toBe(401);
      expect((await app.call(characters, {}, { cookie: actor.token })).status).toBe(401);
    });

    test("a forwarded address counts from the listed proxy only", async () => {
      const { app, world } = get();
      const actor = await world.actor();
      const body = { username: actor.username, password: actor.password };
      const headers = { "x-forwarded-for": "203.0.113.50" };
      const through = async (address: string) => await app.call(login, { body }, { address, headers });
      const [listed, unlisted] = [await through(proxy), await through("10.99.99.99")];
      expect([listed.status, unlisted.status]).toEqual([200, 200]);
      const { sessions } = (await app.call(ownSessions, {}, { cookie: actor.cookie })).output;
      const addresses = ["10.99.99.99", "127.0.0.1", "203.0.113.50"];
      expect(sessions.map(({ address }) => address).sort()).toEqual(addresses);
      const { rows } = await app.process.container.db.exclusive(
        "test",
        async ({ connection }) =>
          await connection.execute(
            "select address from audit_entries where action = 'auth.login' and result = 'ok' and object_id = (select id from accounts where username = ?)",
            [actor.username],
          ),
      );
      expect(rows.map((row) => String(row["address"])).sort()).toEqual(addresses);
    });

    test("a spoofed header does not get around the throttle", async () => {
      const { app, world } = get();
      const actor = await world.actor();
      const guess = async (i: number, address: string) =>
        await app.call(
          login,
          { body: { username: actor.username, password: "guess" } },
          { address, headers: { "x-forwarded-for": `198.51.100.${i}` } },
        );
      const statuses = [];
      for (let i = 0; i < 8; i += 1) statuses.push((await guess(i, "10.99.99.98")).status);
      expect(statuses.slice(6)).toEqual([429, 429]);
      expect((await guess(200, proxy)).status).toBe(401);
    });

    test("an attack from many networks blocks unknown callers for a while, and never an address of the owner", async () => {
      const { app, world } = get();
      const actor = await world.actor();
      const from = async (address: string, password: string) =>
        (await app.call(login, { body: { username: actor.username, password } }, { address })).status;
      for (let i = 0; i < 52; i += 1) await from(`10.${i}.0.1`, "guess");
      expect(await from("10.200.0.1", actor.password)).toBe(429);
      expect(await from("127.0.0.1", actor.password)).toBe(200);
    });

    test("the owner's browser signs in from a new network during such an attack", async () => {
      const { app, world } = get();
      const [actor, other] = [await world.actor(), await world.actor()];
      const body = (who: { username: string; password: string }) => ({ username: who.username, password: who.password });
      const device = async (who: { username: string; password: string }) => {
        const cookies = [(await app.call(login, { body: body(who) })).headers["set-cookie"] ?? []].flat();
        return cookies.find((one) => one.startsWith("rollcall_device="))?.split(";", 1)[0] ?? "";
      };
      const [own, foreign] = [await device(actor), await device(other)];
      expect(own).not.toBe("");
      for (let i = 0; i < 52; i += 1)
        await app.call(login, { body: { username: actor.username, password: "guess" } }, { address: `10.${i}.1.1` });
      const from = async (address: string, cookie: string, password = actor.password) =>
        (await app.call(login, { body: { username: actor.username, password } }, { address, headers: { cookie } })).status;
      expect(await from("10.201.0.1", foreign)).toBe(429);
      expect(await from("10.201.0.2", "rollcall_device=made-up")).toBe(429);
      expect(await from("10.201.0.3", own)).toBe(200);
      // A stolen device cookie has one counter of its own for all networks.
      const guesses = [];
      for (let i = 0; i < 7; i += 1) guesses.push(await from(`10.202.${i}.1`, own, "guess"));
      expect(guesses.slice(5)).toEqual([401, 429]);
    });

    test("while unknown callers fill the queue, an account still signs in from an address that it used before", async () => {
      const { app, world } = get();
      const actor = await world.actor();
      const from = async (address: string, username: string, password: string) =>
        (await app.call(login, { body: { username, password } }, { address })).status;
      const guesses = Array.from({ length: 60 }, async (_guess, i) => await from(`10.${i}.9.1`, `nobody${i}`, "guess"));
      const mine = from("127.0.0.1", actor.username, actor.password);
      const [owner, ...statuses] = await Promise.all([mine, ...guesses]);
      expect(owner).toBe(200);
      expect(new Set(statuses)).toEqual(new Set([401, 429]));
    });

    test("neither the time nor the answer of a refused sign-in reveals whether the account exists", async () => {
      const { app, world } = get();
      const actor = await world.actor();
      let attempts = 0;
      const refused = async (username: string) => {
        attempts += 1;
        const begun = performance.now();
        const body = { username, password: "not the password" };
        const answer = await app.call(login, { body }, { address: `10.210.${attempts}.1` });
        return { answer, ms: performance.now() - begun };
      };
      // The first unknown name of a process computes the hash that the others are compared with.
      await refused("nobody-first");
      const pairs = [];
      for (let i = 0; i < 21; i += 1) {
        // In alternating order, right after each other, so that other load on the machine affects both.
        const names = [actor.username, `nobody-at-all-${i}`];
        const [one, other] = i % 2 === 0 ? names : names.toReversed();
        const [first, second] = [await refused(one!), await refused(other!)];
        pairs.push(i % 2 === 0 ? { known: first, unknown: second } : { known: second, unknown: first });
      }
      const ratios = pairs.map(({ known, unknown }) => unknown.ms / known.ms).toSorted((a, b) => a - b);
      expect(ratios[10]).toBeGreaterThan(0.5);
      expect(ratios[10]).toBeLessThan(2);

      const seen = ({ answer: { status, headers, text, body } }: Awaited<ReturnType<typeof refused>>) => {
        expect(body.traceId).toMatch(/^\S+$/);
        const { date: _date, ...others } = headers;
        return JSON.parse(JSON.stringify({ status, others, text }).replaceAll(String(body.traceId), "trace")) as unknown;
      };
      const wrong = seen(pairs[0]!.known);
      expect(wrong).toMatchObject({ status: 401, text: expect.stringContaining("auth.wrongPassword") });
      for (const { known, unknown } of pairs) expect([seen(known), seen(unknown)]).toEqual([wrong, wrong]);
    });

    test("one IPv6 customer counts as one network, whatever the number of addresses", async () => {
      const { app, world } = get();
      const actor = await world.actor();
      const statuses = [];
      for (let i = 1; i <= 8; i += 1) {
        const body = { username: actor.username, password: "guess" };
        statuses.push((await app.call(login, { body }, { address: `2001:db8:1:2::${i}` })).status);
      }
      expect(statuses.slice(6)).toEqual([429, 429]);
    });
  },
  { ROLLCALL_HTTP_TRUSTEDPROXIES: proxy },
  // Times are compared, so the hash must cost what it costs in use.
  { passwordHashes: createPasswordHashes() },
);
