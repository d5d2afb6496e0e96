import { beforeEach, describe, expect, test } from "vitest";
import { TOTP, Secret } from "otpauth";
import { confirmFactor, enrolFactor, login } from "#features/auth/auth.contract.ts";
import { sessionCookieName } from "#infra/http/cookie.ts";
import { cookieOf } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import { resetProviders, browser, connectionsOf, forum, providers } from "./oauth.testkit.ts";

const path = "/api/oauth2/connections/forum";

describeApps(
  "connecting an account with a provider",
  (get) => {
    beforeEach(resetProviders);
    const { sql, listed } = connectionsOf(get);
    const attempts = async () => Number((await sql("select count(*) as n from oauth_attempts"))[0]?.["n"]);

    test.each([
      ["no fetch metadata", {}],
      ["a link of another program", { "sec-fetch-site": "none" }],
      ["a page of Rollcall", { "sec-fetch-site": "same-origin" }],
      ["a page of another site", { "sec-fetch-site": "cross-site" }],
    ])("cannot be started with a link, from %s; the answer names the page for it", async (_from, headers) => {
      const { app, world } = get();
      const { cookie } = await world.actor();
      const before = await attempts();
      const answer = await app.request("GET", "/api/oauth2/login/forum?connect=1", { cookie, headers });
      expect([answer.status, answer.body.code]).toEqual([410, "oauth.connectByPost"]);
      expect(answer.body.title).toContain("/account/connections");
      expect(answer.headers["location"]).toBeUndefined();
      expect(await attempts()).toBe(before);
    });

    test("requires a session and the header", async () => {
      const { app, world } = get();
      const body = { password: "a good password", return: "/account" };
      expect((await app.request("POST", path, { body })).status).toBe(401);
      const { cookie } = await world.actor();
      const headers = { cookie: `${sessionCookieName}=${cookie}` };
      const bare = await app.process.web!.inject({ method: "POST", url: path, headers, payload: body });
      expect([bare.statusCode, bare.json().code]).toEqual([403, "system.headerMissing"]);
    });

    test("requires the password, throttled like everywhere else", async () => {
      const { world } = get();
      const { cookie } = await world.actor();
      const used = browser(get(), cookie);
      const before = await attempts();
      const send = async (proof: object) => (await used.ask("POST", path, { return: "/account", ...proof })).body.code as string;
      expect(await send({})).toBe("auth.confirmationNeeded");
      expect(await send({ code: "123456" })).toBe("auth.factorNotSet");
      for (let i = 0; i < 6; i += 1) expect(await send({ password: "a guess" })).toBe("auth.passwordRefused");
      expect(await send({ password: "a good password" })).toBe("auth.throttled");
      expect(await attempts()).toBe(before);
      expect(await listed(cookie)).toEqual([]);
    });

    test("with the password leads to the provider and connects the person who returns", async () => {
      const { cookie } = await get().world.actor();
      const used = browser(get(), cookie);
      expect(await used.connect("forum", "/account/connections")).toBe("/account/connections?oauth=connected&provider=forum");
      expect(await listed(cookie)).toHaveLength(1);
      const unknown = await used.ask("POST", "/api/oauth2/connections/nobody", { return: "/x", password: "a good password" });
      expect(unknown.body).toEqual({ location: "/x?oauth=unknownProvider&provider=nobody" });
    });

    test("works in the session that began it, not in another one of the same account and browser", async () => {
      const { app, world } = get();
      const { cookie, username, password } = await world.actor();
      const used = browser(get(), cookie);
      const back = await used.leaveToConnect("forum", "/account");
      const fresh = cookieOf(await app.call(login, { body: { username, password } }));
      used.jar.set(sessionCookieName, fresh);
      expect(await used.arrive(back)).toBe("/account?oauth=signInNeeded&provider=forum");
      expect(await listed(fresh)).toEqual([]);
      // It does not work in another browser that stole the answer either.
      const other = browser(get(), cookie);
      expect(await other.arrive(await browser(get(), cookie).leaveToConnect("forum", "/account"))).toBe(
        "/account?oauth=cookieLost&provider=forum",
      );
    });

    test("an attempt without a session connects nothing", async () => {
      const { cookie } = await get().world.actor();
      const used = browser(get(), cookie);
      const back = await used.leaveToConnect("forum", "/account");
      await sql("update oauth_attempts set session_id = null");
      expect(await used.arrive(back)).toBe("/account?oauth=signInNeeded&provider=forum");
    });

    test("accepts a code of the second factor in place of the password, once", async () => {
      const { app, world } = get();
      const { cookie, password } = await world.actor();
      const { secret } = (await app.call(enrolFactor, { body: { password } }, { cookie })).output;
      const totp = new TOTP({ secret: Secret.fromBase32(secret), digits: 6, period: 30 });
      const unconfirmed = await browser(get(), cookie).ask("POST", path, { return: "/", code: totp.generate() });
      expect(unconfirmed.body.code).toBe("auth.factorNotSet");
      const { recoveryCodes } = (await app.call(confirmFactor, { body: { code: totp.generate() } }, { cookie })).output;
      const used = browser(get(), cookie);
      const wrong = await used.ask("POST", path, { return: "/", code: "not a code" });
      expect(wrong.body.code).toBe("auth.factorCodeWrong");
      const back = await used.leaveToConnect("forum", "/account", { code: recoveryCodes[0] });
      expect(await used.arrive(back)).toBe("/account?oauth=connected&provider=forum");
      const again = await used.ask("POST", path, { return: "/", code: recoveryCodes[0] });
      expect(again.body.code).toBe("auth.factorCodeWrong");
    });

    describe("an account with neither password nor second factor", () => {
      test("connects from a session that was opened within five minutes, but not from an older one", async () => {
        const { cookie, username } = await get().world.actor();
        await sql("update accounts set password_hash = null where username = ?", [username]);
        await sql(
          "update auth_sessions set created_at = created_at - 301000 where account_id = (select id from accounts where username = ?)",
          [username],
        );
        const used = browser(get(), cookie);
        const old = await used.ask("POST", path, { return: "/account" });
        expect([old.status, old.body.code, old.body.params]).toEqual([403, "auth.signInAnew", { minutes: 5 }]);
        await sql(
          "update auth_sessions set created_at = created_at + 200000 where account_id = (select id from accounts where username = ?)",
          [username],
        );
        const back = await used.leaveToConnect("forum", "/account", {});
        expect(await used.arrive(back)).toBe("/account?oauth=connected&provider=forum");
        expect(forum.lastQuery.get("state")).toMatch(/./);
      });
    });
  },
  { ...providers, ROLLCALL_SECRET: "a secret of the tests of connecting" },
);
