import { beforeEach, describe, expect, test } from "vitest";
import { characters } from "#features/auth/auth.contract.ts";
import { systemClock } from "#infra/clock.ts";
import { sessionCookieName } from "#infra/http/cookie.ts";
import { describeApps } from "#testkit/suite.ts";
import { resetProviders, browser, callback, client, connectionsOf, forum, providers } from "./oauth.testkit.ts";

describeApps(
  "oauth",
  (get) => {
    beforeEach(resetProviders);
    const { sql, connected } = connectionsOf(get);

    test("redirects with state, PKCE, nonce and the configured addresses", async () => {
      await browser(get()).leave("forum");
      expect(Object.fromEntries(forum.lastQuery)).toEqual({
        tenant: "city",
        response_type: "code",
        client_id: client.id,
        redirect_uri: callback("forum"),
        scope: "read openid",
        state: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{32}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: "S256",
      });
      await browser(get()).leave("plain");
      expect([forum.lastQuery.get("nonce"), forum.lastQuery.get("scope")]).toEqual([null, null]);
    });

    test("a person without a connection gets that outcome, and no account is created", async () => {
      const written = get().writes();
      expect(await browser(get()).go("forum", "?return=/citizens%3Fq%3Dx")).toBe(
        "/citizens?q=x&oauth=unconnected&provider=forum",
      );
      for (const table of ["accounts", "oauth_connections", "auth_sessions"]) expect(written.tables()).not.toContain(table);
    });

    describe("an answer", () => {
      test("works once", async () => {
        await connected();
        const one = browser(get());
        const back = await one.leave("forum", "?return=/vehicles");
        const jar = new Map(one.jar);
        expect(await one.arrive(back)).toBe("/vehicles");
        for (const [name, value] of jar) one.jar.set(name, value);
        one.jar.delete(sessionCookieName);
        expect(await one.arrive(back)).toBe("/vehicles?oauth=stateWrong&provider=forum");
        expect(one.jar.has(sessionCookieName)).toBe(false);
      });

      test("works in the browser that began it, also after it failed in another one", async () => {
        await connected();
        const [one, other] = [browser(get()), browser(get())];
        const back = await one.leave("forum");
        await other.leave("forum");
        expect(await other.arrive(back)).toBe("/?oauth=cookieLost&provider=forum");
        expect(await browser(get()).arrive(back)).toBe("/?oauth=cookieLost&provider=forum");
        expect(await one.arrive(back)).toBe("/");
      });

      test("is matched to one of several tabs", async () => {
        await connected();
        const one = browser(get());
        const [first, second] = [await one.leave("forum", "?return=/a"), await one.leave("forum", "?return=/b")];
        expect(await one.arrive(first)).toBe("/a");
        expect(await one.arrive(second)).toBe("/b");
      });

      test("expires after ten minutes", async () => {
        await connected();
        const one = browser(get());
        const back = await one.leave("forum", "?return=/vehicles");
        const [row] = await sql("select expires_at - created_at as life from oauth_attempts where used_at is null");
        expect(Number(row?.["life"])).toBe(600_000);
        await sql("update oauth_attempts set expires_at = ? where used_at is null", [systemClock.now()]);
        expect(await one.arrive(back)).toBe("/vehicles?oauth=expired&provider=forum");
      });

      test.each([
        ["without state", (back: string) => back.replace(/&?state=[^&]*/, "")],
        ["with an invented state", (back: string) => back.replace(/state=[^&]*/, "state=invented")],
        ["at another provider", (back: string) => back.replace("/forum", "/plain")],
      ])("%s is refused", async (_what, change) => {
        await connected();
        const one = browser(get());
        expect(await one.arrive(change(await one.leave("forum")))).toMatch(/^\/\?oauth=stateWrong&provider=(?:forum|plain)$/);
        expect(one.jar.has(sessionCookieName)).toBe(false);
      });

      test("requires its own kind of cookie, and that cookie is not a session", async () => {
        const actor = await connected();
        const one = browser(get());
        const back = await one.leave("forum");
        const sealed = one.jar.get("rollcall_oauth") ?? "";
        expect((await get().app.call(characters, {}, { cookie: sealed })).status).toBe(401);
        one.jar.set("rollcall_oauth", actor.cookie);
        expect(await one.arrive(back)).toBe("/?oauth=cookieLost&provider=forum");
        one.jar.set("rollcall_oauth", actor.token);
        expect(await one.arrive(back)).toBe("/?oauth=cookieLost&provider=forum");
      });
    });

    describe("an error", () => {
      test.each([
        [{ error: "access_denied", error_description: "<script>alert(1)</script>" }, "denied"],
        [{ error: "<img src=x onerror=alert(1)>" }, "providerError"],
        [{}, "providerError"],
      ])("of the provider becomes an outcome, not its own text: %j", async (refusal, outcome) => {
        forum.refusal = refusal;
        expect(await browser(get()).go("forum", "?return=/vehicles")).toBe(`/vehicles?oauth=${outcome}&provider=forum`);
      });

      test.each<[string, object, string]>([
        ["a refused code", { tokenStatus: 400, token: { error: "invalid_grant" } }, "exchangeFailed"],
        ["a token endpoint that fails", { tokenStatus: 500 }, "exchangeFailed"],
        ["a token answer without a token", { token: { access_token: undefined } }, "exchangeFailed"],
        ["a token of an unusable type", { token: { token_type: "mac" } }, "exchangeFailed"],
        ["a token that is not accepted", { token: { access_token: "other" } }, "exchangeFailed"],
        ["user info that fails", { raw: { status: 500, text: '{"user":{"id":1}}' } }, "exchangeFailed"],
        ["user info that is a page", { raw: { status: 200, text: "<html>" } }, "exchangeFailed"],
        ["user info without an id", { person: { user: { names: { shown: "x" } } } }, "noIdentity"],
        ["an id that is neither text nor number", { person: { user: { id: { a: 1 } } } }, "noIdentity"],
        ["an empty id", { person: { user: { id: " " } } }, "noIdentity"],
        ["an id that is too long", { person: { user: { id: "x".repeat(256) } } }, "noIdentity"],
        ["an id token for another nonce", { token: { id_token: idToken({ nonce: "other" }) } }, "exchangeFailed"],
        ["an id token that cannot be read", { token: { id_token: "nonsense" } }, "exchangeFailed"],
      ])("in %s becomes an outcome", async (_what, change, outcome) => {
        Object.assign(forum, change);
        const written = get().writes();
        expect(await browser(get()).go("forum")).toBe(`/?oauth=${outcome}&provider=forum`);
        expect(written.tables()).not.toContain("auth_sessions");
      });

      test("is in the audit log, equal ones folded", async () => {
        forum.refusal = { error: "access_denied" };
        for (let i = 0; i < 2; i += 1) await browser(get()).go("forum");
        const [entry] = await sql(
          "select result, folded, data from audit_entries where action = 'oauth.login' and data like '%denied%' order by id desc limit 1",
        );
        expect(entry).toMatchObject({ result: "denied", data: expect.stringContaining('"why":"denied"') });
        expect(Number(entry?.["folded"])).toBeGreaterThan(1);
      });
    });

    test("a provider that is not configured, or does not answer, becomes an outcome", async () => {
      const one = browser(get());
      expect(await one.arrive("/api/oauth2/login/nobody?return=/vehicles")).toBe(
        "/vehicles?oauth=unknownProvider&provider=nobody",
      );
    });

    test("a disabled account cannot sign in", async () => {
      const actor = await connected();
      await sql("update accounts set enabled = 0 where username = ?", [actor.username]);
      const one = browser(get());
      expect(await one.go("forum")).toBe("/?oauth=disabled&provider=forum");
      expect(one.jar.has(sessionCookieName)).toBe(false);
    });

    test.each([
      "https://evil.example/",
      "//evil.example",
      "/\\evil.example",
      "\\\\evil.example",
      "/.//evil.example",
      "/x/..//evil.example",
      "/\t/evil.example",
      "/\n/evil.example",
      "/%2e//evil.example",
      "javascript:alert(1)",
      "evil.example",
      "/api/auth/logout",
      "/API/auth/characters",
      "",
    ])("returning to %j leads to the start page", async (path) => {
      forum.refusal = { error: "access_denied" };
      const back = await browser(get()).go("forum", `?return=${encodeURIComponent(path)}`);
      expect(back).toBe("/?oauth=denied&provider=forum");
    });
  },
  providers,
);

function idToken(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const now = Math.floor(systemClock.now() / 1000);
  const usual = { iss: forum.url, aud: client.id, sub: "1", iat: now, exp: now + 60 };
  return `${part({ alg: "RS256" })}.${part({ ...usual, ...claims })}.${part({})}`;
}
