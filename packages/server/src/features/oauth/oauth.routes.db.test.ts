import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { characters } from "#features/auth/auth.contract.ts";
import { systemClock } from "#infra/clock.ts";
import { createIds } from "#infra/ids.ts";
import { sessionCookieName } from "#infra/http/cookie.ts";
import { rotateColumn } from "#infra/rotate.ts";
import { createVault } from "#infra/vault.ts";
import { type Answer, testOrigin } from "#testkit/app.ts";
import { type AppUnderTest, describeApps } from "#testkit/suite.ts";
import * as contract from "./oauth.contract.ts";
import { cleanUpAttempts } from "./oauth.jobs.ts";
import { client, pixel, providerEnv, startStandIn } from "./oauth.testkit.ts";

const secret = "the present secret of these tests";
const forum = await startStandIn();
const chat = await startStandIn("post");
const elsewhere = await startStandIn();
afterAll(() => [forum, chat, elsewhere].forEach((standIn) => standIn.close()));

const shared = (index: number) => ({ clientID: client.id, clientSecret: `${client.secret} ${index}` });
const callback = (name: string) => `${testOrigin}/api/oauth2/callback/${name}`;
const endpoints = {
  "endpoints.authURL": `${forum.url}/authorize?tenant=city`,
  "endpoints.tokenURL": `${forum.url}/token`,
  "endpoints.userInfoURL": `${forum.url}/me`,
};
const providers = {
  ...providerEnv(0, {
    ...shared(0),
    ...endpoints,
    name: "forum",
    label: "The forum",
    homepage: "https://forum.example.org",
    icon: `${forum.url}/pictures/pixel.png`,
    type: "generic",
    redirectURL: callback("forum"),
    scopes: "read,openid",
    "mapping.id": "user.id",
    "mapping.username": "user.names.shown",
    "mapping.avatar": "user.picture",
  }),
  ...providerEnv(1, { ...shared(1), name: "chat", type: "chat", redirectURL: callback("chat"), icon: "mdi:chat" }),
  ...providerEnv(2, {
    ...shared(2),
    ...endpoints,
    name: "plain",
    type: "generic",
    redirectURL: callback("plain"),
    icon: `${forum.url}/pictures/drawing.svg`,
    defaultAvatar: `${forum.url}/pictures/pixel.png`,
    "mapping.id": "id",
    "mapping.avatar": "picture",
  }),
  ...providerEnv(3, {
    ...shared(3),
    ...endpoints,
    name: "odd",
    type: "generic",
    redirectURL: callback("odd"),
    "mapping.id": "id",
    icon: `${forum.url}/pictures/page.png`,
  }),
  ROLLCALL_CHAT_API_URL: `${chat.url}/api`,
};

/** A browser: keeps cookies and follows the provider's redirect. */
function browser({ app }: AppUnderTest, session?: string) {
  const jar = new Map<string, string>(session === undefined ? [] : [[sessionCookieName, session]]);
  async function get(path: string): Promise<Answer> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await app.request("GET", path, cookie === "" ? {} : { headers: { cookie } });
    for (const line of [answer.headers["set-cookie"] ?? []].flat()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }
  /** Leaves for the provider and gives the path of the answer that it sends the browser back with. */
  async function leave(name: string, query = ""): Promise<string> {
    const left = await get(`/api/oauth2/login/${name}${query}`);
    expect(left.status).toBe(303);
    const there = await fetch(String(left.headers["location"]), { redirect: "manual" });
    return String(there.headers.get("location")).slice(testOrigin.length);
  }
  const arrive = async (path: string) => String((await get(path)).headers["location"]);
  return { jar, get, leave, arrive, go: async (name: string, query = "") => await arrive(await leave(name, query)) };
}

let people = 0;
const somebody = () => ({ user: { id: (people += 1), names: { shown: `Person ${people}` } } });

describeApps(
  "oauth",
  (get) => {
    beforeEach(() => {
      for (const standIn of [forum, chat]) Object.assign(standIn, { token: {}, tokenStatus: 200, raw: null, refusal: null });
      forum.person = somebody();
    });

    async function sql(statement: string, values: readonly unknown[] = []) {
      return await get().app.process.parts.db.exclusive(
        "test",
        async ({ connection }) => (await connection.execute(statement, [...values])).rows,
      );
    }
    const listed = async (cookie: string) => (await get().app.call(contract.listConnections, {}, { cookie })).output.connections;
    async function connected(name = "forum") {
      const actor = await get().world.actor();
      expect(await browser(get(), actor.cookie).go(name, "?connect=1&return=/account")).toBe(
        `/account?oauth=connected&provider=${name}`,
      );
      return actor;
    }

    test("providers are listed with icons on our own origin", async () => {
      const { output } = await get().app.call(contract.listProviders, {});
      expect(output.providers).toEqual([
        { name: "forum", label: "The forum", homepage: "https://forum.example.org", icon: "/api/oauth2/providers/forum/icon" },
        { name: "chat", label: "chat", homepage: null, icon: null },
        { name: "plain", label: "plain", homepage: null, icon: "/api/oauth2/providers/plain/icon" },
        { name: "odd", label: "odd", homepage: null, icon: "/api/oauth2/providers/odd/icon" },
      ]);
    });

    test("pictures are told by their bytes, and a drawing can run nothing", async () => {
      const icon = async (name: string) => await get().app.call(contract.providerIcon, { params: { name } });
      const [png, svg, page, none] = [await icon("forum"), await icon("plain"), await icon("odd"), await icon("chat")];
      expect([png.status, png.headers["content-type"], png.headers["x-content-type-options"]]).toEqual([
        200,
        "image/png",
        "nosniff",
      ]);
      expect([svg.status, svg.headers["content-type"]]).toEqual([200, "image/svg+xml"]);
      expect(svg.headers["content-security-policy"]).toContain("sandbox");
      expect([page.status, page.body.code, none.status]).toEqual([404, "oauth.imageNotFound", 404]);
    });

    test("leaves with state, PKCE, nonce and the addresses as configured", async () => {
      await browser(get()).leave("forum");
      expect(Object.fromEntries(forum.asked)).toEqual({
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
      expect([forum.asked.get("nonce"), forum.asked.get("scope")]).toEqual([null, null]);
    });

    test("a person who is not connected is told so, and no account is made", async () => {
      const before = await get().counts();
      expect(await browser(get()).go("forum", "?return=/citizens%3Fq%3Dx")).toBe(
        "/citizens?q=x&oauth=unconnected&provider=forum",
      );
      const after = await get().counts();
      expect([after["accounts"], after["oauth_connections"], after["auth_sessions"]]).toEqual([
        before["accounts"],
        before["oauth_connections"],
        before["auth_sessions"],
      ]);
    });

    test("a connection signs in, is shown, and ends", async () => {
      const actor = await connected();
      const person = forum.person as ReturnType<typeof somebody>;
      expect(await listed(actor.cookie)).toMatchObject([
        {
          provider: "forum",
          label: "The forum",
          configured: true,
          username: person.user.names.shown,
          avatar: null,
          tokens: "stored",
        },
      ]);
      const elsewhereBrowser = browser(get());
      forum.person = { user: { ...person.user, names: { shown: "Renamed" } } };
      expect(await elsewhereBrowser.go("forum", "?return=/citizens")).toBe("/citizens");
      const cookie = elsewhereBrowser.jar.get(sessionCookieName) ?? "";
      expect((await get().app.call(characters, {}, { cookie })).output.account.username).toBe(actor.username);
      expect(elsewhereBrowser.jar.has("rollcall_oauth")).toBe(false);
      expect(await listed(actor.cookie)).toMatchObject([{ username: "Renamed" }]);
      const [entry] = await sql("select data from audit_entries where action = 'auth.login' order by id desc limit 1");
      expect(String(entry?.["data"])).toContain("oauth:forum");
      expect((await get().app.call(contract.disconnect, { params: { name: "forum" } }, { cookie })).status).toBe(204);
      expect((await get().app.call(contract.disconnect, { params: { name: "forum" } }, { cookie })).body.code).toBe(
        "oauth.notConnected",
      );
      expect(await listed(cookie)).toEqual([]);
      expect(await browser(get()).go("forum")).toBe("/?oauth=unconnected&provider=forum");
    });

    test("connecting is noted, and told to the person", async () => {
      await connected();
      const [entry] = await sql(
        "select action, object_kind from audit_entries where action = 'oauth.connect' order by id desc limit 1",
      );
      expect(entry).toMatchObject({ object_kind: "account" });
      const [note] = await sql("select kind, params, link from notifications order by id desc limit 1");
      expect(note).toEqual({ kind: "oauth.connected", params: '{"provider":"The forum"}', link: "/account" });
    });

    test("stored tokens cannot be read in a dump", async () => {
      await connected();
      const rows = await sql("select * from oauth_connections");
      expect(rows.length).toBeGreaterThan(0);
      const dump = JSON.stringify([rows, await sql("select * from audit_entries"), await sql("select * from oauth_attempts")]);
      expect(dump).not.toContain("of the tests");
      expect(dump).not.toContain(forum.asked.get("state"));
      expect(String(rows.at(-1)?.["access_token"])).toMatch(/^v1\.[0-9a-f]{12}\./);
    });

    test.each([
      [9007199254740993n, "9007199254740993"],
      ["3f0c9f0e-52a5-4f1b-a0f5-7d7b8d3a6a10", "3f0c9f0e-52a5-4f1b-a0f5-7d7b8d3a6a10"],
      ["Ä".repeat(255), "Ä".repeat(255)],
    ])("an id %.40s is kept exactly", async (given, kept) => {
      forum.raw = { status: 200, text: `{"user":{"id":${typeof given === "bigint" ? given : JSON.stringify(given)}}}` };
      await connected();
      const [row] = await sql("select external_id, username from oauth_connections order by id desc limit 1");
      expect(row).toEqual({ external_id: kept, username: null });
    });

    describe("the chat platform", () => {
      test("is spoken to as it wants, and gives name and picture", async () => {
        chat.person = { id: `8035${(people += 1)}`, username: "mara_l", global_name: "Mara", avatar: "pixel" };
        chat.clientAuth.length = 0;
        const actor = await connected("chat");
        expect([chat.asked.get("scope"), chat.clientAuth]).toEqual(["identify", ["post"]]);
        const [shown] = await listed(actor.cookie);
        expect(shown).toMatchObject({
          username: "Mara",
          avatar: expect.stringMatching(/^\/api\/oauth2\/connections\/chat\/avatar/),
        });
        const avatar = await get().app.call(contract.connectionAvatar, { params: { name: "chat" } }, { cookie: actor.cookie });
        expect([avatar.status, avatar.headers["content-type"]]).toEqual([200, "image/png"]);
      });

      test("has no picture of people without one", async () => {
        chat.person = { id: `8035${(people += 1)}`, username: "jo", global_name: null, avatar: null };
        const actor = await connected("chat");
        expect(await listed(actor.cookie)).toMatchObject([{ username: "jo", avatar: null }]);
        const none = await get().app.call(contract.connectionAvatar, { params: { name: "chat" } }, { cookie: actor.cookie });
        expect(none.status).toBe(404);
      });
    });

    test("a picture that people name is not fetched from inside; the default one is shown", async () => {
      forum.person = { id: `p${(people += 1)}`, picture: `${elsewhere.url}/pictures/pixel.png` };
      const actor = await connected("plain");
      const avatar = await get().app.call(contract.connectionAvatar, { params: { name: "plain" } }, { cookie: actor.cookie });
      expect([avatar.status, avatar.text.length]).toEqual([200, pixel.toString().length]);
      forum.person = { user: { id: `p${(people += 1)}`, picture: `${elsewhere.url}/pictures/pixel.png` } };
      const other = await connected();
      const none = await get().app.call(contract.connectionAvatar, { params: { name: "forum" } }, { cookie: other.cookie });
      expect(none.status).toBe(404);
    });

    describe("an answer", () => {
      test("counts once", async () => {
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

      test("counts in the browser that asked, and stays good there", async () => {
        await connected();
        const [one, other] = [browser(get()), browser(get())];
        const back = await one.leave("forum");
        await other.leave("forum");
        expect(await other.arrive(back)).toBe("/?oauth=cookieLost&provider=forum");
        expect(await browser(get()).arrive(back)).toBe("/?oauth=cookieLost&provider=forum");
        expect(await one.arrive(back)).toBe("/");
      });

      test("is found among several tabs", async () => {
        await connected();
        const one = browser(get());
        const [first, second] = [await one.leave("forum", "?return=/a"), await one.leave("forum", "?return=/b")];
        expect(await one.arrive(first)).toBe("/a");
        expect(await one.arrive(second)).toBe("/b");
      });

      test("comes too late after ten minutes", async () => {
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

      test("wants its own kind of cookie, and its cookie is no session", async () => {
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
      ])("of the provider comes back as %j, never in its words", async (refusal, outcome) => {
        forum.refusal = refusal;
        expect(await browser(get()).go("forum", "?return=/vehicles")).toBe(`/vehicles?oauth=${outcome}&provider=forum`);
      });

      test.each<[string, object, string]>([
        ["a refused code", { tokenStatus: 400, token: { error: "invalid_grant" } }, "exchangeFailed"],
        ["a token endpoint that fails", { tokenStatus: 500 }, "exchangeFailed"],
        ["a token answer without a token", { token: { access_token: undefined } }, "exchangeFailed"],
        ["a token of a kind nobody can use", { token: { token_type: "mac" } }, "exchangeFailed"],
        ["a token that opens nothing", { token: { access_token: "other" } }, "exchangeFailed"],
        ["user info that fails", { raw: { status: 500, text: '{"user":{"id":1}}' } }, "exchangeFailed"],
        ["user info that is a page", { raw: { status: 200, text: "<html>" } }, "exchangeFailed"],
        ["user info without an id", { person: { user: { names: { shown: "x" } } } }, "noIdentity"],
        ["an id that is no text or number", { person: { user: { id: { a: 1 } } } }, "noIdentity"],
        ["an empty id", { person: { user: { id: " " } } }, "noIdentity"],
        ["an id that is too long", { person: { user: { id: "x".repeat(256) } } }, "noIdentity"],
        ["an id token for another nonce", { token: { id_token: idToken({ nonce: "other" }) } }, "exchangeFailed"],
        ["an id token that cannot be read", { token: { id_token: "nonsense" } }, "exchangeFailed"],
      ])("in %s is told in words", async (_what, change, outcome) => {
        Object.assign(forum, change);
        const before = (await get().counts())["auth_sessions"];
        expect(await browser(get()).go("forum")).toBe(`/?oauth=${outcome}&provider=forum`);
        expect((await get().counts())["auth_sessions"]).toBe(before);
      });

      test("is in the audit trail, equal ones folded", async () => {
        forum.refusal = { error: "access_denied" };
        for (let i = 0; i < 2; i += 1) await browser(get()).go("forum");
        const [entry] = await sql(
          "select result, folded, data from audit_entries where action = 'oauth.login' and data like '%denied%' order by id desc limit 1",
        );
        expect(entry).toMatchObject({ result: "denied", data: expect.stringContaining('"why":"denied"') });
        expect(Number(entry?.["folded"])).toBeGreaterThan(1);
      });
    });

    test("a provider that nobody configured, or that does not answer, is told in words", async () => {
      const one = browser(get());
      expect(await one.arrive("/api/oauth2/login/nobody?return=/vehicles")).toBe(
        "/vehicles?oauth=unknownProvider&provider=nobody",
      );
    });

    test("a disabled account stays out", async () => {
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
    ])("coming back to %j leads to the start page", async (path) => {
      forum.refusal = { error: "access_denied" };
      const back = await browser(get()).go("forum", `?return=${encodeURIComponent(path)}`);
      expect(back).toBe("/?oauth=denied&provider=forum");
    });

    describe("connecting", () => {
      test("wants a session, the same at both ends", async () => {
        const { world } = get();
        expect(await browser(get()).arrive("/api/oauth2/login/forum?connect=1&return=/account")).toBe(
          "/account?oauth=signInNeeded&provider=forum",
        );
        const [one, other] = [await world.actor(), await world.actor()];
        const used = browser(get(), one.cookie);
        const back = await used.leave("forum", "?connect=1&return=/account");
        used.jar.set(sessionCookieName, other.cookie);
        expect(await used.arrive(back)).toBe("/account?oauth=signInNeeded&provider=forum");
        expect(await listed(other.cookie)).toEqual([]);
      });

      test("the identity of somebody else is refused", async () => {
        await connected();
        const other = await get().world.actor();
        expect(await browser(get(), other.cookie).go("forum", "?connect=1&return=/account")).toBe(
          "/account?oauth=taken&provider=forum",
        );
        expect(await listed(other.cookie)).toEqual([]);
      });

      test("a second identity of one provider is refused, the same one again is fine", async () => {
        const actor = await connected();
        expect(await browser(get(), actor.cookie).go("forum", "?connect=1")).toBe("/?oauth=connected&provider=forum");
        forum.person = somebody();
        expect(await browser(get(), actor.cookie).go("forum", "?connect=1")).toBe("/?oauth=alreadyConnected&provider=forum");
        expect(await listed(actor.cookie)).toHaveLength(1);
      });

      test("the identity of an account that is gone is free", async () => {
        const gone = await connected();
        await sql("update accounts set deleted_at = 1 where username = ?", [gone.username]);
        const actor = await connected();
        expect(await listed(actor.cookie)).toHaveLength(1);
      });
    });

    test("a config admin sees and ends the connections of an account", async () => {
      const [actor, admin] = [await connected(), await get().world.actor({ groups: ["admin"] })];
      const [row] = await sql("select id from accounts where username = ?", [actor.username]);
      const accountId = Number(row?.["id"]);
      const { app } = get();
      const list = async () => await app.call(contract.listConnectionsOf, { params: { accountId } }, { cookie: admin.cookie });
      expect((await list()).output.connections).toMatchObject([{ provider: "forum" }]);
      const params = { accountId, name: "forum" };
      expect((await app.call(contract.disconnectOf, { params }, { cookie: admin.cookie })).status).toBe(204);
      expect((await list()).output.connections).toEqual([]);
      const missing = await app.call(contract.listConnectionsOf, { params: { accountId: 987_654 } }, { cookie: admin.cookie });
      expect([missing.status, missing.body.code]).toEqual([404, "accounts.notFound"]);
    });

    test("tokens of another secret say reconnect, until they are rotated or the person signs in", async () => {
      const { app } = get();
      const ids = createIds(systemClock);
      const [old, now] = [createVault("the earlier secret of these tests", ids), createVault(secret, ids)];
      const columns = app.process.assembly.registry.sealed().filter(({ table }) => table === "oauth_connections");
      const { db } = app.process.parts;
      const turn = async (from: typeof old, to: typeof old) => {
        const results = [];
        for (const column of columns) results.push(await rotateColumn(db, column, from, to));
        return results;
      };
      const findings = async () => {
        const checks = app.process.assembly.registry.checks().filter(({ id }) => id === "oauth.tokens");
        return (await Promise.all(checks.map(async (check) => await check.run()))).flat();
      };
      await sql("delete from oauth_connections");
      const actors = [];
      for (let i = 0; i < 3; i += 1) {
        forum.person = somebody();
        actors.push(await connected());
      }
      const [first] = actors;
      expect(await findings()).toEqual([]);
      await turn(now, old);
      expect(await findings()).toEqual([{ id: "oauth.tokensUnreadable", state: "warning", params: { count: 3 } }]);
      expect(await listed(first?.cookie ?? "")).toMatchObject([{ tokens: "reconnect" }]);
      expect(await browser(get()).go("forum")).toBe("/");
      expect(await listed(actors[2]?.cookie ?? "")).toMatchObject([{ tokens: "stored" }]);
      await sql(
        "update oauth_connections set refresh_token = 'v1.damaged.x' where account_id = (select min(account_id) from (select account_id from oauth_connections) t)",
      );
      expect(await turn(old, now)).toEqual([
        { column: "oauth_connections.access_token", rotated: 2, already: 1, unopened: 0 },
        { column: "oauth_connections.refresh_token", rotated: 1, already: 1, unopened: 1 },
      ]);
      expect(await turn(old, now)).toMatchObject([
        { rotated: 0, already: 3 },
        { rotated: 0, already: 2, unopened: 1 },
      ]);
      expect(await findings()).toMatchObject([{ params: { count: 1 } }]);
    });

    test("attempts that never came back are removed", async () => {
      await browser(get()).leave("forum");
      await sql("update oauth_attempts set expires_at = 1");
      const job = get().app.process.assembly.jobs.find(({ job: { id } }) => id === cleanUpAttempts.id);
      await job?.run({}, new AbortController().signal);
      expect((await get().counts())["oauth_attempts"]).toBe(0);
    });
  },
  { ...providers, ROLLCALL_SECRET: secret },
);

describeApps(
  "oauth without secret",
  (get) => {
    test("connects, but stores no token and says why", async () => {
      Object.assign(forum, { token: {}, tokenStatus: 200, raw: null, refusal: null, person: somebody() });
      const actor = await get().world.actor();
      expect(await browser(get(), actor.cookie).go("forum", "?connect=1")).toBe("/?oauth=connected&provider=forum");
      const { output } = await get().app.call(contract.listConnections, {}, { cookie: actor.cookie });
      expect(output.connections).toMatchObject([{ provider: "forum", tokens: "noSecret" }]);
      const { rows } = await get().app.process.parts.db.exclusive(
        "test",
        async ({ connection }) =>
          await connection.execute("select access_token, refresh_token, token_expires_at from oauth_connections", []),
      );
      expect(rows).toEqual([{ access_token: null, refresh_token: null, token_expires_at: null }]);
      const check = get()
        .app.process.assembly.registry.checks()
        .find(({ id }) => id === "oauth.tokens");
      expect(await check?.run()).toMatchObject([{ id: "oauth.tokensNotStored" }]);
      expect(await browser(get()).go("forum")).toBe("/");
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
