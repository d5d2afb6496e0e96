import { describe, expect, test } from "vitest";
import { getAccount, setAccountEnabled, syncAccountToken, syncAccounts } from "#features/accounts/accounts.contract.ts";
import { putRole } from "#features/access/access.contract.ts";
import { listCitizens } from "#features/citizens/citizens.contract.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import { defaultSettings, type Settings } from "#features/settings/settings.contract.ts";
import { cookieOf, testSecrets } from "#testkit/app.ts";
import { type AppUnderTest, describeApps } from "#testkit/suite.ts";
import {
  changePassword,
  changeUsername,
  characters,
  enterJobAdmin,
  login,
  ownAccount,
  ownSessions,
  register,
  reset,
  revokeOtherSessions,
  revokeSession,
  revokeSessionsOf,
  signInOf,
  token,
} from "./auth.contract.ts";

const sync = { token: testSecrets.sync };
const firefox = { "user-agent": "Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0" };

async function changeSettings({ app }: AppUnderTest, change: Partial<Settings["auth"]>): Promise<void> {
  const settings = app.process.assembly.api(settingsApi);
  await app.process.container.db.write("test", async (tx) => {
    const edit = (before: Settings) => ({ ...before, auth: { ...defaultSettings.auth, ...change } });
    return await settings.change(tx, { kind: "system", name: "test" }, edit);
  });
  await settings.current();
}

async function notified({ app }: AppUnderTest, username: string): Promise<{ kind: string; params: string }[]> {
  return await app.process.container.db.exclusive("test", async ({ connection }) => {
    const { rows } = await connection.execute(
      "select kind, params from notifications where account_id = (select id from accounts where username = ?) order by id",
      [username],
    );
    return rows as { kind: string; params: string }[];
  });
}

describeApps("registration and reset", (get) => {
  const issue = async (licence: string, kind: "register" | "reset") =>
    await get().app.call(syncAccountToken, { body: { licence, kind } }, sync);

  test("a token of the Sync API registers once, whatever its case, and opens a session", async () => {
    const { app } = get();
    const issued = await issue("license:reg-1", "register");
    expect(issued.status).toBe(200);
    const { token: text, url, expiresAt, username } = issued.output;
    expect(text).toMatch(/^(?:[0-9A-Z]{4}-){12}[0-9A-Z]{4}$/);
    expect(url).toBe(`http://localhost:8080/register#${text}`);
    expect(expiresAt - Date.now()).toBeGreaterThan(6.9 * 86_400_000);
    expect(username).toBeNull();
    const body = { token: ` ${text.toLowerCase().replaceAll("-", " ")}`, username: "Reg.One", password: "a fine password" };
    const answer = await app.call(register, { body });
    expect([answer.status, answer.output.account?.username]).toEqual([200, "Reg.One"]);
    expect((await app.call(ownAccount, {}, { cookie: cookieOf(answer) })).output.licence).toBe("reg-1");
    const again = await app.call(register, { body: { ...body, username: "Reg.Two" } });
    expect([again.status, again.body.code]).toEqual([400, "accounts.tokenNotValid"]);
    expect((await issue("reg-1", "register")).body).toMatchObject({
      code: "accounts.alreadyRegistered",
      params: { username: "Reg.One" },
    });
  });

  test("no dump of the table holds a token that works", async () => {
    const { app } = get();
    const { token: text } = (await issue("reg-dump", "register")).output;
    const { rows } = await app.process.container.db.exclusive(
      "test",
      async ({ connection }) => await connection.execute("select * from links", []),
    );
    expect(JSON.stringify(rows)).not.toContain(text);
    expect(JSON.stringify(rows)).not.toContain(text.replaceAll("-", ""));
  });

  test("the answer names the wrong field, and the token stays usable", async () => {
    const { app, world } = get();
    const other = await world.actor();
    const { token: text } = (await issue("reg-2", "register")).output;
    const tried = async (username: string, password: string) =>
      (await app.call(register, { body: { token: text, username, password } })).body.code;
    expect(await tried("a b", "a fine password")).toBe("accounts.usernameInvalid");
    expect(await tried("fine", "short")).toBe("accounts.passwordTooShort");
    expect(await tried(other.username.toUpperCase(), "a fine password")).toBe("accounts.usernameTaken");
    expect((await app.call(register, { body: { token: text, username: "reg2", password: "a fine password" } })).status).toBe(200);
  });

  test("a new token replaces the older one of its kind; a token of one kind does not work as the other", async () => {
    const { app } = get();
    const first = (await issue("reg-3", "register")).output.token;
    const second = (await issue("reg-3", "register")).output.token;
    const use = async (text: string) =>
      await app.call(register, { body: { token: text, username: "reg3", password: "a fine password" } });
    expect((await use(first)).body.code).toBe("accounts.tokenNotValid");
    expect((await app.call(reset, { body: { token: second, password: "a fine password" } })).body.code).toBe(
      "accounts.tokenNotValid",
    );
    expect((await use(second)).status).toBe(200);
  });

  test("an expired token gets the same answer as an unknown one", async () => {
    const { app } = get();
    const { token: text } = (await issue("reg-4", "register")).output;
    await app.process.container.db.exclusive("test", async ({ connection }) => {
      await connection.execute("update links set expires_at = ?", [Date.now() - 1]);
    });
    const body = { username: "reg4", password: "a fine password" };
    const expired = await app.call(register, { body: { ...body, token: text } });
    const unknown = await app.call(register, { body: { ...body, token: "AAAA-BBBB" } });
    expect([expired.status, expired.body.code, expired.body.title]).toEqual([
      unknown.status,
      unknown.body.code,
      unknown.body.title,
    ]);
  });

  test("two uses of one token at the same time create one account", async () => {
    const { app } = get();
    const { token: text } = (await issue("reg-5", "register")).output;
    const answers = await Promise.all(
      ["reg5a", "reg5b"].map(
        async (username) => await app.call(register, { body: { token: text, username, password: "a fine password" } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  test("the old password works until the reset token is used; then every session ends but the new one", async () => {
    const { app, world } = get();
    const actor = await world.actor();
    const { token: text, url } = (await issue(actor.licence, "reset")).output;
    expect(url).toContain("/reset#");
    const old = { username: actor.username, password: actor.password };
    expect((await app.call(login, { body: old })).status).toBe(200);
    const answer = await app.call(reset, { body: { token: text, password: "the second password" } });
    expect(answer.status).toBe(200);
    expect((await app.call(characters, {}, { cookie: actor.cookie })).status).toBe(401);
    expect((await app.call(login, { body: old })).status).toBe(401);
    expect((await app.call(characters, {}, { cookie: cookieOf(answer) })).status).toBe(200);
  });

  test("a refused token request names the reason", async () => {
    const { app, world } = get();
    expect((await issue("nobody-yet", "reset")).body.code).toBe("accounts.notRegistered");
    const actor = await world.actor();
    const admin = await world.actor({ groups: ["admin"] });
    const id = (await app.call(ownAccount, {}, { cookie: actor.cookie })).output.account.id;
    const disable = { params: { accountId: id }, body: { enabled: false, reason: "a test" } };
    expect((await app.call(setAccountEnabled, disable, { cookie: admin.cookie })).status).toBe(200);
    expect((await issue(actor.licence, "reset")).body.code).toBe("accounts.disabled");
    await changeSettings(get(), { signUp: false });
    expect((await issue("nobody-yet", "register")).body.code).toBe("accounts.signUpOff");
    await changeSettings(get(), {});
  });

  test("with sign-up off a token cannot be used to register", async () => {
    const { app } = get();
    const { token: text } = (await issue("reg-6", "register")).output;
    await changeSettings(get(), { signUp: false });
    const answer = await app.call(register, { body: { token: text, username: "reg6", password: "a fine password" } });
    expect([answer.status, answer.body.code]).toEqual([403, "accounts.signUpOff"]);
    await changeSettings(get(), {});
  });
});

describeApps("own account and sessions", (get) => {
  const signIn = async (
    actor: { username: string; password: string },
    options: { address?: string; headers?: typeof firefox } = {},
  ) => await get().app.call(login, { body: { username: actor.username, password: actor.password } }, options);

  test("lists devices by name, flags this one and ends another at once", async () => {
    const { app, world } = get();
    const actor = await world.actor({ rights: { "citizens.list": true } });
    const other = cookieOf(await signIn(actor, { address: "203.0.113.9", headers: firefox }));
    const { sessions } = (await app.call(ownSessions, {}, { cookie: actor.cookie })).output;
    expect(sessions).toHaveLength(2);
    expect(sessions.find(({ current }) => !current)).toMatchObject({
      browser: "Firefox",
      system: "Windows",
      address: "203.0.113.9",
    });
    const sessionId = sessions.find(({ current }) => !current)?.id ?? "";
    expect((await app.call(characters, {}, { cookie: other })).status).toBe(200);
    expect((await app.call(revokeSession, { params: { sessionId } }, { cookie: actor.cookie })).status).toBe(204);
    expect((await app.call(characters, {}, { cookie: other })).status).toBe(401);
    const again = await app.call(revokeSession, { params: { sessionId } }, { cookie: actor.cookie });
    expect([again.status, again.body.code]).toEqual([404, "auth.sessionUnknown"]);
  });

  test("cannot end a session of another account", async () => {
    const { app, world } = get();
    const [a, b] = [await world.actor(), await world.actor()];
    const sessionId = (await app.call(ownSessions, {}, { cookie: b.cookie })).output.sessions[0]?.id ?? "";
    expect((await app.call(revokeSession, { params: { sessionId } }, { cookie: a.cookie })).status).toBe(404);
    expect((await app.call(characters, {}, { cookie: b.cookie })).status).toBe(200);
  });

  test("ends all other sessions", async () => {
    const { app, world } = get();
    const actor = await world.actor();
    const others = [cookieOf(await signIn(actor)), cookieOf(await signIn(actor))];
    expect((await app.call(revokeOtherSessions, {}, { cookie: actor.cookie })).output.ended).toBe(2);
    for (const cookie of others) expect((await app.call(characters, {}, { cookie })).status).toBe(401);
    expect((await app.call(characters, {}, { cookie: actor.cookie })).status).toBe(200);
  });

  test("the last use is listed before it is stored", async () => {
    const { app, world } = get();
    const actor = await world.actor();
    const lastSeen = async () => (await app.call(ownSessions, {}, { cookie: actor.cookie })).output.sessions[0]!;
    const yesterday = Date.now() - 86_400_000;
    const age = "update auth_sessions set last_seen_at = ?, created_at = ?";
    await app.process.container.db.exclusive("test", async (db) => await db.connection.execute(age, [yesterday, yesterday]));
    const { createdAt, lastSeenAt } = await lastSeen();
    expect(createdAt).toBe(yesterday);
    expect(Date.now() - lastSeenAt).toBeLessThan(60_000);
  });

  test("a changed password ends the other sessions and gives this browser a new session id", async () => {
    const { app, world } = get();
    const actor = await world.actor({ rights: { "citizens.list": true } });
    const other = cookieOf(await signIn(actor));
    const wrong = await app.call(
      changePassword,
      { body: { password: "not it", newPassword: "the second password" } },
      { cookie: actor.cookie },
    );
    expect([wrong.status, wrong.body.code]).toEqual([403, "auth.passwordRefused"]);
    const body = { password: actor.password, newPassword: "the second password" };
    const answer = await app.call(changePassword, { body }, { cookie: actor.cookie });
    expect(answer.status).toBe(204);
    expect((await app.call(characters, {}, { cookie: other })).status).toBe(401);
    expect((await app.call(characters, {}, { cookie: actor.cookie })).status).toBe(401);
    expect((await app.call(listCitizens, {}, { token: actor.token })).status).toBe(401);
    const { sessions } = (await app.call(ownSessions, {}, { cookie: cookieOf(answer) })).output;
    expect(sessions.map(({ current }) => current)).toEqual([true]);
    expect((await signIn({ ...actor, password: "the second password" })).status).toBe(200);
  });

  test("changes the user name with the password, to one that is not taken", async () => {
    const { app, world } = get();
    const [actor, other] = [await world.actor(), await world.actor()];
    const change = async (username: string, password = actor.password) =>
      await app.call(changeUsername, { body: { username, password } }, { cookie: actor.cookie });
    expect((await change(other.username)).body.code).toBe("accounts.usernameTaken");
    expect((await change("a b")).body.code).toBe("accounts.usernameInvalid");
    expect((await change("Renamed", "not it")).body.code).toBe("auth.passwordRefused");
    expect((await change(`renamed-${actor.username}`)).output.username).toBe(`renamed-${actor.username}`);
    expect((await signIn(actor)).status).toBe(401);
  });

  test("notifies of a new device: not of the first one, and not when address or browser is known", async () => {
    const { world } = get();
    const actor = await world.actor();
    await signIn(actor, { address: "127.0.0.1", headers: firefox });
    expect(await notified(get(), actor.username)).toEqual([]);
    await signIn(actor, { address: "198.51.100.4", headers: firefox });
    expect(await notified(get(), actor.username)).toEqual([]);
    await signIn(actor, {
      address: "198.51.100.77",
      headers: { "user-agent": "Mozilla/5.0 (X11; Linux) Chrome/140.0 Safari/537" },
    });
    const notifications = await notified(get(), actor.username);
    expect(notifications.map(({ kind, params }) => [kind, JSON.parse(params)])).toEqual([
      ["auth.newDevice", { device: "Chrome, Linux", address: "198.51.100.77" }],
    ]);
  });

  test("disabling ends sessions at once and the next sign-in answers why; enabling lets the account sign in again", async () => {
    const { app, world } = get();
    const [actor, admin] = [await world.actor(), await world.actor({ groups: ["admin"] })];
    const accountId = (await app.call(ownAccount, {}, { cookie: actor.cookie })).output.account.id;
    const set = async (enabled: boolean) =>
      await app.call(
        setAccountEnabled,
        { params: { accountId }, body: { enabled, reason: "Ticket 42" } },
        { cookie: admin.cookie },
      );
    expect((await set(false)).output).toMatchObject({ enabled: false, disabledReason: "Ticket 42" });
    expect((await app.call(characters, {}, { cookie: actor.cookie })).status).toBe(401);
    expect((await signIn(actor)).body.code).toBe("auth.accountDisabled");
    await set(true);
    expect((await signIn(actor)).status).toBe(200);
  });

  test("a config admin sees and ends the sessions of others", async () => {
    const { app, world } = get();
    const [actor, admin] = [await world.actor(), await world.actor({ groups: ["admin"] })];
    const accountId = (await app.call(ownAccount, {}, { cookie: actor.cookie })).output.account.id;
    const seen = await app.call(signInOf, { params: { accountId } }, { cookie: admin.cookie });
    expect(seen.output).toMatchObject({ factor: false, sessions: [{ current: false }] });
    expect((await app.call(signInOf, { params: { accountId } }, { cookie: actor.cookie })).status).toBe(403);
    expect((await app.call(revokeSessionsOf, { params: { accountId } }, { cookie: admin.cookie })).output.ended).toBe(1);
    expect((await app.call(characters, {}, { cookie: actor.cookie })).status).toBe(401);
  });
});

describeApps("settings in force", (get) => {
  test("the last-character lock allows the character of the game, else the one chosen last; admins are exempt", async () => {
    const { app, world } = get();
    const actor = await world.actor();
    const second = await world.citizen({ identifier: `char2:${actor.licence}`, firstName: "Second" });
    const choose = async (characterId: number, cookie = actor.cookie) =>
      await app.call(token, { body: { characterId } }, { cookie });
    const locks = async () =>
      (await app.call(characters, {}, { cookie: actor.cookie })).output.characters.map(({ id, locked }) => [id, locked]);
    await changeSettings(get(), { lastCharacterLock: true });
    expect(await locks()).toEqual([
      [actor.characterId, false],
      [second, true],
    ]);
    const refused = await choose(second);
    expect([refused.status, refused.body.code]).toEqual([403, "auth.characterLocked"]);
    expect(refused.body.title).toContain("last played in the game");
    const item = { licence: actor.licence, groups: [], lastCharacterIdentifier: `char2:${actor.licence}` };
    expect((await app.call(syncAccounts, { body: { items: [item] } }, sync)).body.rejected).toEqual([]);
    await expect.poll(async () => (await choose(second)).status).toBe(200);
    expect((await choose(actor.characterId)).status).toBe(403);
    expect((await app.call(listCitizens, {}, { token: actor.token })).status).toBe(401);
    const admin = await world.actor({ groups: ["lead"] });
    const spare = await world.citizen({ identifier: `char2:${admin.licence}` });
    expect((await choose(spare, admin.cookie)).status).toBe(200);
    await changeSettings(get(), {});
    await expect.poll(async () => (await choose(actor.characterId)).status).toBe(200);
  });

  test("admins without a second factor keep their rights and lose their powers while the settings require one", async () => {
    const { app, world } = get();
    const admin = await world.actor({ groups: ["admin"], rights: { "citizens.list": true } });
    const accountId = (await app.call(ownAccount, {}, { cookie: admin.cookie })).output.account.id;
    const look = async () => (await app.call(getAccount, { params: { accountId } }, { cookie: admin.cookie })).status;
    expect(await look()).toBe(200);
    await changeSettings(get(), { secondFactorForAdmins: true });
    expect(await look()).toBe(403);
    const { account } = (await app.call(characters, {}, { cookie: admin.cookie })).output;
    expect(account).toMatchObject({ configAdmin: false, mayJobAdmin: false, factorNeededForAdmin: true });
    const fresh = await world.tokenOf(admin);
    expect((await app.call(listCitizens, {}, { token: fresh })).status).toBe(200);
    const refused = await app.call(enterJobAdmin, { body: { reason: "because" } }, { token: fresh });
    expect([refused.status, refused.body.code]).toEqual([403, "auth.jobAdminNotAllowed"]);
    await changeSettings(get(), {});
    expect(await look()).toBe(200);
  });

  test("changed roles notify the players whose permissions are others, once, and not who changed them", async () => {
    const [{ app, world }, job] = [get(), "changed-roles"];
    const first = await world.actor({ job, grade: 2 });
    await world.grant(job, 2, { "citizens.list": true });
    await expect.poll(async () => (await notified(get(), first.username)).length).toBe(1);
    const [lower, same] = [await world.actor({ job, grade: 1 }), await world.actor({ job, grade: 2 })];
    const admin = await world.actor({ job, grade: 1, groups: ["lead"], jobAdmin: true });
    const body = { version: 0, grants: { "citizens.list": { allow: true, attributes: {} } } };
    const saved = await app.call(putRole, { params: { job, grade: 1 }, body }, { token: admin.token });
    expect([saved.status, saved.output.affected]).toEqual([200, 2]);
    await expect.poll(async () => (await notified(get(), lower.username)).length).toBe(1);
    const [told] = await notified(get(), lower.username);
    expect(told).toMatchObject({ kind: "auth.rightsChanged", params: expect.stringContaining('"gained":"citizens.list"') });
    for (const { username } of [same, admin]) expect(await notified(get(), username)).toEqual([]);
  });

  test("the same groups sent again change nothing, and a deleted account stays deleted", async () => {
    const { app } = get();
    const item = { licence: "sync-again", groups: ["a"], lastCharacterIdentifier: "char1:sync-again" };
    const send = async (items: unknown[]) => (await app.call(syncAccounts, { body: { items: items as never } }, sync)).body;
    await send([item]);
    expect(await send([item])).toMatchObject({ accepted: 0, unchanged: 1 });
    await app.process.container.db.exclusive("test", async ({ connection }) => {
      await connection.execute("update accounts set deleted_at = 5 where licence = 'sync-again'", []);
    });
    await send([{ ...item, groups: ["b"] }]);
    const { rows } = await app.process.container.db.exclusive(
      "test",
      async ({ connection }) =>
        await connection.execute("select deleted_at, staff_groups from accounts where licence = 'sync-again'", []),
    );
    expect(rows).toEqual([{ deleted_at: 5, staff_groups: '["b"]' }]);
  });

  describe("while signed in", () => {
    test("a second sign-in in the same browser ends the first session (fixation)", async () => {
      const { app, world } = get();
      const actor = await world.actor();
      const body = { username: actor.username, password: actor.password };
      const answer = await app.call(login, { body }, { cookie: actor.cookie });
      expect(cookieOf(answer)).not.toBe(actor.cookie);
      expect((await app.call(characters, {}, { cookie: actor.cookie })).status).toBe(401);
      expect((await app.call(characters, {}, { cookie: cookieOf(answer) })).status).toBe(200);
    });
  });
});
