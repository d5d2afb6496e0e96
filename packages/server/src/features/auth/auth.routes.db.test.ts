import { jwtVerify, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { listCitizens } from "#features/citizens/citizens.contract.ts";
import { syncUsers } from "#features/citizens/citizens.contract.ts";
import { accountsApi } from "#features/accounts/accounts.api.ts";
import { cookieOf, testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import { authApi } from "./auth.api.ts";
import { characters, enterJobAdmin, leaveJobAdmin, login, logout, token } from "./auth.contract.ts";

const key = (secret: string) => new TextEncoder().encode(secret);

describeApps("auth", (get) => {
  test("signs in without regard to case and sets a sealed cookie", async () => {
    const { app, world } = get();
    const actor = await world.actor();
    const answer = await app.call(login, {
      body: { username: actor.username.toUpperCase(), password: actor.password },
    });
    expect(answer.status).toBe(200);
    expect([answer.headers["set-cookie"]].flat()[0]).toMatch(
      /^rollcall_session=[\w.-]+; Path=\/; HttpOnly; Domain=localhost; Max-Age=\d+; SameSite=Lax$/,
    );
    const readable = Buffer.from(cookieOf(answer).replaceAll(".", ""), "base64url").toString("latin1");
    const { rows } = await app.process.container.db.exclusive(
      "test",
      async ({ connection }) => await connection.execute("select id from auth_sessions", []),
    );
    for (const { id } of rows) expect(readable).not.toContain(id as string);
  });

  test("an unknown name and a wrong password get the same answer", async () => {
    const { app, world } = get();
    const actor = await world.actor();
    const wrong = await app.call(login, { body: { username: actor.username, password: "not it" } });
    const unknown = await app.call(login, { body: { username: "nobody-here", password: "not it" } });
    expect([wrong.status, wrong.body.code]).toEqual([401, "auth.wrongPassword"]);
    expect([unknown.status, unknown.body.code, unknown.body.title]).toEqual([401, "auth.wrongPassword", wrong.body.title]);
  });

  test("delays guesses from one address, and not sign-ins from an address of the owner", async () => {
    const { app, world } = get();
    const actor = await world.actor();
    const guess = async () =>
      await app.call(login, { body: { username: actor.username, password: "guess" } }, { address: "10.1.1.1" });
    for (let i = 0; i < 6; i += 1) await guess();
    const slowed = await guess();
    expect([slowed.status, slowed.body.code]).toEqual([429, "auth.throttled"]);
    expect(Number(slowed.headers["retry-after"])).toBeGreaterThan(0);
    const owner = await app.call(login, { body: { username: actor.username, password: actor.password } });
    expect(owner.status).toBe(200);
  });

  test("a page within the cookie's domain signs in", async () => {
    const { app, world } = get();
    const actor = await world.actor();
    const answer = await app.call(
      login,
      { body: { username: actor.username, password: actor.password } },
      { headers: { origin: "http://localhost:8080" } },
    );
    expect(answer.status).toBe(200);
  });

  test("lists the characters of the licence, the one used last first", async () => {
    const { app, world } = get();
    const actor = await world.actor();
    const second = await world.citizen({ identifier: `char2:${actor.licence}`, firstName: "Second" });
    await app.call(token, { body: { characterId: second } }, { cookie: actor.cookie });
    const { output } = await app.call(characters, {}, { cookie: actor.cookie });
    expect(output.characters.map(({ id, lastUsed }) => [id, lastUsed])).toEqual([
      [second, true],
      [actor.characterId, false],
    ]);
  });

  test("gives no token for a character of another account", async () => {
    const { app, world } = get();
    const [a, b] = [await world.actor(), await world.actor()];
    const answer = await app.call(token, { body: { characterId: b.characterId } }, { cookie: a.cookie });
    expect([answer.status, answer.body.code]).toEqual([403, "auth.characterNotYours"]);
  });

  describe("user tokens", () => {
    test("can be verified by another library with jwt.secret, and with no other secret", async () => {
      const { world } = get();
      const actor = await world.actor();
      const { payload } = await jwtVerify(actor.token, key(testSecrets.jwt), {
        audience: "rollcall-user",
        issuer: "rollcall",
      });
      expect(payload).toMatchObject({ typ: "user", cid: actor.characterId, sid: expect.any(String) });
      expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBe(600);
      await expect(jwtVerify(actor.token, key(testSecrets.cookie))).rejects.toThrow();
    });

    test.each<[string, string, Record<string, unknown>]>([
      ["another secret", "some other secret of the same length", {}],
      ["another audience", testSecrets.jwt, { aud: "rollcall-other" }],
      ["another account", testSecrets.jwt, { sub: "999999" }],
      ["another type", testSecrets.jwt, { typ: "account" }],
    ])("are refused with %s", async (_what, secret, change) => {
      const { app, world } = get();
      const actor = await world.actor({ rights: { "citizens.list": true } });
      const { payload } = await jwtVerify(actor.token, key(testSecrets.jwt));
      const forged = await new SignJWT({ ...payload, ...change }).setProtectedHeader({ alg: "HS256" }).sign(key(secret));
      const answer = await app.call(listCitizens, {}, { token: forged });
      expect([answer.status, answer.body.code]).toEqual([401, "system.tokenInvalid"]);
    });

    test("end with the session", async () => {
      const { app, world } = get();
      const actor = await world.actor({ rights: { "citizens.list": true } });
      expect((await app.call(listCitizens, {}, { token: actor.token })).status).toBe(200);
      expect((await app.call(logout, {}, { cookie: actor.cookie })).status).toBe(204);
      const after = await app.call(listCitizens, {}, { token: actor.token });
      expect([after.status, after.body.code]).toEqual([401, "system.tokenInvalid"]);
      expect((await app.call(characters, {}, { cookie: actor.cookie })).status).toBe(401);
    });

    test("expire when the rights change, and a new one holds the new rights", async () => {
      const { app, world } = get();
      const actor = await world.actor({ job: "rights-change", rights: { "citizens.list": true } });
      await world.grant("rights-change", 1, { "citizens.list": false });
      const stale = await app.call(listCitizens, {}, { token: actor.token });
      expect([stale.status, stale.body.code]).toEqual([401, "system.tokenExpired"]);
      const denied = await app.call(listCitizens, {}, { token: await world.tokenOf(actor) });
      expect(denied.status).toBe(403);
    });

    test("expire when the game gives the character another job", async () => {
      const { app, world } = get();
      const actor = await world.actor({ rights: { "citizens.list": true } });
      const item = {
        identifier: `char1:${actor.licence}`,
        firstName: "Act",
        lastName: "Or",
        jobs: [{ name: "fired", grade: 0 }],
      };
      await app.call(syncUsers, { body: { items: [item] } }, { token: testSecrets.sync });
      await expect.poll(async () => (await app.call(listCitizens, {}, { token: actor.token })).status).toBe(401);
      expect((await app.call(listCitizens, {}, { token: await world.tokenOf(actor) })).status).toBe(403);
    });
  });

  test("a password reset ends every session of the account", async () => {
    const { app, world } = get();
    const actor = await world.actor();
    await app.process.assembly.api(accountsApi).resetPassword({ kind: "cli", user: "test" }, actor.username, "another password");
    await expect.poll(async () => (await app.call(characters, {}, { cookie: actor.cookie })).status).toBe(401);
    expect((await app.call(login, { body: { username: actor.username, password: "another password" } })).status).toBe(200);
  });

  describe("job admin", () => {
    test("is open to the accounts that auth.* names, and grants every right for a limited time", async () => {
      const { app, world } = get();
      await world.job("ja-police", [0, 7]);
      const lead = await world.actor({ groups: ["lead"] });
      const entered = await app.call(
        enterJobAdmin,
        { body: { reason: "ticket 42", job: "ja-police", minutes: 5 } },
        { token: lead.token },
      );
      expect(entered.status).toBe(200);
      expect((await app.call(listCitizens, {}, { token: lead.token })).body.code).toBe("system.tokenExpired");
      const answer = await app.call(token, { body: { characterId: lead.characterId } }, { cookie: lead.cookie });
      expect(answer.output.jobAdmin).toMatchObject({ job: "ja-police", reason: "ticket 42" });
      // The token and an open connection expire with the mode.
      const { until } = entered.output;
      expect(answer.output.expiresAt).toBe(until);
      const from = { address: "", userAgent: "", traceId: "" };
      const live = await app.process.assembly.api(authApi).byToken(answer.output.token, from);
      expect(live).toMatchObject({ expiresAt: until, viewer: { standingUntil: until } });
      expect((await app.call(listCitizens, {}, { token: answer.output.token })).status).toBe(200);
      expect((await app.call(leaveJobAdmin, {}, { token: answer.output.token })).status).toBe(204);
      expect((await app.call(listCitizens, {}, { token: await world.tokenOf(lead) })).status).toBe(403);
    });

    test("is refused to other accounts, and for unknown jobs", async () => {
      const { app, world } = get();
      const [ordinary, admin] = [await world.actor(), await world.actor({ groups: ["admin"] })];
      const refused = await app.call(enterJobAdmin, { body: { reason: "because" } }, { token: ordinary.token });
      expect([refused.status, refused.body.code]).toEqual([403, "auth.jobAdminNotAllowed"]);
      const unknown = await app.call(enterJobAdmin, { body: { reason: "because", job: "no-such-job" } }, { token: admin.token });
      expect([unknown.status, unknown.body.code]).toEqual([404, "auth.jobUnknown"]);
    });
  });
});

describeApps(
  "a page outside of the cookie's domain",
  (get) => {
    test("is told the wrong option, and no session is opened", async () => {
      const { app, world } = get();
      const { username, password } = await world.actor();
      const page = { headers: { origin: "http://192.168.1.7:8080" } };
      const answer = await app.call(login, { body: { username, password } }, page);
      expect([answer.status, answer.body.code]).toEqual([400, "auth.cookieCannotStick"]);
      expect(answer.body.params).toEqual({ option: "http.sessions.domain", value: "localhost", seen: "192.168.1.7" });
      expect(answer.headers["set-cookie"]).toBeUndefined();
    });
  },
  { ROLLCALL_HTTP_ORIGINS: "http://localhost:8080, http://192.168.1.7:8080" },
);
