import { beforeEach, describe, expect, test } from "vitest";
import { characters } from "#features/auth/auth.contract.ts";
import { systemClock } from "#infra/clock.ts";
import { createIds } from "#infra/ids.ts";
import { sessionCookieName } from "#infra/http/cookie.ts";
import { rotateColumn } from "#infra/rotate.ts";
import { createVault } from "#infra/vault.ts";
import { describeApps } from "#testkit/suite.ts";
import * as contract from "./oauth.contract.ts";
import { cleanUpAttempts } from "./oauth.schedules.ts";
import {
  uniqueNumber,
  resetProviders,
  browser,
  chat,
  connectionsOf,
  elsewhere,
  forum,
  providers,
  newPerson,
} from "./oauth.testkit.ts";

const secret = "the present secret of these tests";
describeApps(
  "oauth connections",
  (get) => {
    beforeEach(resetProviders);
    const { sql, listed, connected } = connectionsOf(get);

    test("providers are listed with icons on Rollcall's own origin", async () => {
      const { output } = await get().app.call(contract.listProviders, {});
      expect(output.providers).toEqual([
        {
          name: "forum",
          label: "The forum",
          homepage: "https://forum.example.org",
          icon: "/api/oauth2/providers/forum/icon",
          iconName: null,
        },
        { name: "chat", label: "chat", homepage: null, icon: null, iconName: "tabler:message" },
        { name: "plain", label: "plain", homepage: null, icon: "/api/oauth2/providers/plain/icon", iconName: null },
        { name: "odd", label: "odd", homepage: null, icon: "/api/oauth2/providers/odd/icon", iconName: null },
      ]);
    });

    test("pictures are recognized by their bytes, and drawings are rendered", async () => {
      const icon = async (name: string) => await get().app.call(contract.providerIcon, { params: { name } });
      const [png, svg, page, none] = [await icon("forum"), await icon("plain"), await icon("odd"), await icon("chat")];
      expect([png.status, png.headers["content-type"], png.headers["x-content-type-options"]]).toEqual([
        200,
        "image/webp",
        "nosniff",
      ]);
      expect([svg.status, svg.headers["content-type"]]).toEqual([200, "image/webp"]);
      expect(svg.headers["content-security-policy"]).toContain("sandbox");
      expect([page.status, page.body.code, none.status]).toEqual([404, "oauth.imageNotFound", 404]);
    });

    test("a connection signs in, is shown, and ends", async () => {
      const actor = await connected();
      const person = forum.person as ReturnType<typeof newPerson>;
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

    test("connecting is recorded, and the person is notified", async () => {
      await connected();
      const [entry] = await sql(
        "select action, object_kind from audit_entries where action = 'oauth.connect' order by id desc limit 1",
      );
      expect(entry).toMatchObject({ object_kind: "account" });
      const [note] = await sql("select kind, params, link from notifications order by id desc limit 1");
      expect(note).toEqual({ kind: "oauth.connected", params: '{"provider":"The forum"}', link: "/account/connections" });
    });

    test("stored tokens cannot be read in a dump", async () => {
      await connected();
      const rows = await sql("select * from oauth_connections");
      expect(rows.length).toBeGreaterThan(0);
      const dump = JSON.stringify([rows, await sql("select * from audit_entries"), await sql("select * from oauth_attempts")]);
      expect(dump).not.toContain("of the tests");
      expect(dump).not.toContain(forum.lastQuery.get("state"));
      expect(String(rows.at(-1)?.["access_token"])).toMatch(/^v1\.[0-9a-f]{12}\./);
    });

    test.each([
      [9007199254740993n, "9007199254740993"],
      ["3f0c9f0e-52a5-4f1b-a0f5-7d7b8d3a6a10", "3f0c9f0e-52a5-4f1b-a0f5-7d7b8d3a6a10"],
      ["Ä".repeat(255), "Ä".repeat(255)],
    ])("an id %.40s is stored exactly", async (given, kept) => {
      forum.raw = { status: 200, text: `{"user":{"id":${typeof given === "bigint" ? given : JSON.stringify(given)}}}` };
      await connected();
      const [row] = await sql("select external_id, username from oauth_connections order by id desc limit 1");
      expect(row).toEqual({ external_id: kept, username: null });
    });

    describe("the chat platform", () => {
      test("gets requests in its own format, and provides name and picture", async () => {
        chat.person = { id: `8035${uniqueNumber()}`, username: "mara_l", global_name: "Mara", avatar: "pixel" };
        chat.clientAuth.length = 0;
        const actor = await connected("chat");
        expect([chat.lastQuery.get("scope"), chat.clientAuth]).toEqual(["identify", ["post"]]);
        const [shown] = await listed(actor.cookie);
        expect(shown).toMatchObject({
          username: "Mara",
          avatar: expect.stringMatching(/^\/api\/oauth2\/connections\/chat\/avatar/),
        });
        const avatar = await get().app.call(contract.connectionAvatar, { params: { name: "chat" } }, { cookie: actor.cookie });
        expect([avatar.status, avatar.headers["content-type"]]).toEqual([200, "image/webp"]);
      });

      test("provides no picture for people without one", async () => {
        chat.person = { id: `8035${uniqueNumber()}`, username: "jo", global_name: null, avatar: null };
        const actor = await connected("chat");
        expect(await listed(actor.cookie)).toMatchObject([{ username: "jo", avatar: null }]);
        const none = await get().app.call(contract.connectionAvatar, { params: { name: "chat" } }, { cookie: actor.cookie });
        expect(none.status).toBe(404);
      });
    });

    test("a picture from claims is not fetched from a private address; the default one is shown", async () => {
      forum.person = { id: `p${uniqueNumber()}`, picture: `${elsewhere.url}/pictures/pixel.png` };
      const actor = await connected("plain");
      const avatar = await get().app.call(contract.connectionAvatar, { params: { name: "plain" } }, { cookie: actor.cookie });
      expect([avatar.status, avatar.headers["content-type"]]).toEqual([200, "image/webp"]);
      forum.person = { user: { id: `p${uniqueNumber()}`, picture: `${elsewhere.url}/pictures/pixel.png` } };
      const other = await connected();
      const none = await get().app.call(contract.connectionAvatar, { params: { name: "forum" } }, { cookie: other.cookie });
      expect(none.status).toBe(404);
    });

    describe("connecting", () => {
      test("requires the same session at both ends", async () => {
        const { world } = get();
        const [one, other] = [await world.actor(), await world.actor()];
        const used = browser(get(), one.cookie);
        const back = await used.leaveToConnect("forum", "/account");
        used.jar.set(sessionCookieName, other.cookie);
        expect(await used.arrive(back)).toBe("/account?oauth=signInNeeded&provider=forum");
        expect(await listed(other.cookie)).toEqual([]);
      });

      test("the identity of another account is refused", async () => {
        await connected();
        const other = await get().world.actor();
        expect(await browser(get(), other.cookie).connect("forum", "/account")).toBe("/account?oauth=taken&provider=forum");
        expect(await listed(other.cookie)).toEqual([]);
      });

      test("a second identity of one provider is refused, the same one again is accepted", async () => {
        const actor = await connected();
        expect(await browser(get(), actor.cookie).connect("forum")).toBe("/?oauth=connected&provider=forum");
        forum.person = newPerson();
        expect(await browser(get(), actor.cookie).connect("forum")).toBe("/?oauth=alreadyConnected&provider=forum");
        expect(await listed(actor.cookie)).toHaveLength(1);
      });

      test("the identity of a deleted account can be connected", async () => {
        const deleted = await connected();
        await sql("update accounts set deleted_at = 1 where username = ?", [deleted.username]);
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

    test("tokens of another secret are listed as reconnect, until they are rotated or the person signs in", async () => {
      const { app } = get();
      const ids = createIds(systemClock);
      const [old, now] = [createVault("the earlier secret of these tests", ids), createVault(secret, ids)];
      const columns = app.process.assembly.registry.parts("sealed").filter(({ table }) => table === "oauth_connections");
      const { db } = app.process.container;
      const turn = async (from: typeof old, to: typeof old) => {
        const results = [];
        for (const column of columns) results.push(await rotateColumn(db, column, from, to));
        return results;
      };
      const findings = async () => {
        const checks = app.process.assembly.registry.parts("checks").filter(({ id }) => id === "oauth.tokens");
        return (await Promise.all(checks.map(async (check) => await check.run()))).flat();
      };
      await sql("delete from oauth_connections");
      const actors = [];
      for (let i = 0; i < 3; i += 1) {
        forum.person = newPerson();
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

    test("rotation handles more rows than one chunk, each once", async () => {
      const ids = createIds(systemClock);
      const [old, now] = [createVault("the earlier secret of these tests", ids), createVault(secret, ids)];
      const column = { table: "oauth_connections", key: "id", column: "access_token" };
      await sql("delete from oauth_connections");
      const rows = Array.from({ length: 401 }, (_row, i) => [
        900_000 + i,
        `b${i}`,
        old.seal(`t${i}`, "oauth_connections.access_token"),
      ]);
      await sql(
        `insert into oauth_connections (account_id, external_id, access_token, provider, scopes, created_at, updated_at) values ${rows.map(() => "(?, ?, ?, 'forum', '', 1, 1)").join(", ")}`,
        rows.flat(),
      );
      const { db } = get().app.process.container;
      expect(await rotateColumn(db, column, old, now)).toMatchObject({ rotated: 401, already: 0, unopened: 0 });
      const after = await sql("select external_id, access_token from oauth_connections order by id");
      const opened = after.map((row) => now.open(String(row["access_token"]), "oauth_connections.access_token"));
      expect(opened).toEqual(rows.map((_row, i) => ({ state: "open", text: `t${i}` })));
      expect(await rotateColumn(db, column, old, now)).toMatchObject({ rotated: 0, already: 401, unopened: 0 });
      await sql("delete from oauth_connections");
    });

    test("unfinished attempts are removed", async () => {
      await browser(get()).leave("forum");
      await sql("update oauth_attempts set expires_at = 1");
      const job = get().app.process.assembly.schedules.find(({ schedule: { id } }) => id === cleanUpAttempts.id);
      await job?.run({}, new AbortController().signal);
      expect(await get().count("oauth_attempts")).toBe(0);
    });
  },
  { ...providers, ROLLCALL_SECRET: secret },
);

describeApps(
  "oauth without secret",
  (get) => {
    test("connects, but stores no token and lists the reason", async () => {
      resetProviders();
      const actor = await get().world.actor();
      expect(await browser(get(), actor.cookie).connect("forum")).toBe("/?oauth=connected&provider=forum");
      const { output } = await get().app.call(contract.listConnections, {}, { cookie: actor.cookie });
      expect(output.connections).toMatchObject([{ provider: "forum", tokens: "noSecret" }]);
      const { rows } = await get().app.process.container.db.exclusive(
        "test",
        async ({ connection }) =>
          await connection.execute("select access_token, refresh_token, token_expires_at from oauth_connections", []),
      );
      expect(rows).toEqual([{ access_token: null, refresh_token: null, token_expires_at: null }]);
      const check = get()
        .app.process.assembly.registry.parts("checks")
        .find(({ id }) => id === "oauth.tokens");
      expect(await check?.run()).toMatchObject([{ id: "oauth.tokensNotStored" }]);
      expect(await browser(get()).go("forum")).toBe("/");
    });
  },
  providers,
);
