import { expect, test } from "vitest";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { listAudit } from "#features/audit/audit.contract.ts";
import { ownAccount, register } from "#features/auth/auth.contract.ts";
import { listNotifications } from "#features/notifications/notifications.contract.ts";
import { getSettings, putSettings } from "#features/settings/settings.contract.ts";
import { doctor } from "#features/system/system.contract.ts";
import { accountsApi } from "./accounts.api.ts";
import {
  confirmAdmin,
  getAccount,
  listAccounts,
  setAccountLicence,
  syncAccounts,
  syncAccountToken,
  type TokenKind,
} from "./accounts.contract.ts";

const sync = { token: testSecrets.sync };

describeApps("admins that the game server names", (get) => {
  let count = 0;
  const licenceOf = (what: string) => `${what}-${(count += 1)}`;

  const send = async (licence: string, groups: string[]) => {
    const { body } = await get().app.call(syncAccounts, { body: { items: [{ licence, groups }] } }, sync);
    expect(body.rejected).toEqual([]);
  };
  const ask = async (licence: string, kind: TokenKind) =>
    await get().app.call(syncAccountToken, { body: { licence, kind } }, sync);
  const chief = async () => {
    const admin = await get().world.actor({ groups: ["admin"] });
    return { admin, as: { cookie: admin.cookie } };
  };
  const accountOf = async (actor: TestActor) => (await get().app.call(ownAccount, {}, { cookie: actor.cookie })).output.account;
  const confirming = async (as: { cookie: string }, confirmGameAdmins: boolean) => {
    const { output } = await get().app.call(getSettings, {}, as);
    const settings = { ...output.settings, auth: { ...output.settings.auth, confirmGameAdmins } };
    expect((await get().app.call(putSettings, { body: { ...output, settings } }, as)).status).toBe(200);
  };
  const expectNotified = async (admin: TestActor, kind: string, name: string) => {
    const items = async () => (await get().app.call(listNotifications, { query: {} }, { token: admin.token })).output.items;
    await expect
      .poll(async () => (await items()).filter((one) => one.kind === kind && one.params["account"] === name).length)
      .toBe(1);
  };

  test("a sync token gets no token for an account that its groups make an admin", async () => {
    for (const group of ["admin", "lead"]) {
      const licence = licenceOf("game");
      await send(licence, [group]);
      const refused = await ask(licence, "register");
      expect([refused.status, refused.body.code]).toEqual([403, "accounts.outOfReach"]);
      expect(refused.body.title).toContain("rollcall account reset-password");
    }
  });

  test("a sync token gets no token for an account that has or had admin powers", async () => {
    const { app, world } = get();
    const { admin, as } = await chief();
    expect((await ask(admin.licence, "reset")).status).toBe(403);
    const { id } = await accountOf(admin);
    await chief();
    await send(admin.licence, []);
    expect((await ask(admin.licence, "reset")).body.code).toBe("accounts.outOfReach");
    await expect.poll(async () => (await app.call(getAccount, { params: { accountId: id } }, as)).status).toBe(403);
    expect((await ask((await world.actor()).licence, "reset")).status).toBe(200);
  });

  test("a sync token gets no token for a licence that the panel names, and an earlier token is void", async () => {
    const { app } = get();
    const { as } = await chief();
    const licence = licenceOf("named");
    const issued = await ask(licence, "register");
    expect(issued.status).toBe(200);
    const { output } = await app.call(getSettings, {}, as);
    const auth = { ...output.settings.auth, jobAdminUsers: [`license:${licence}`] };
    await app.call(putSettings, { body: { ...output, settings: { ...output.settings, auth } } }, as);
    expect((await ask(licence, "register")).status).toBe(403);
    const used = await app.call(register, {
      body: { token: issued.output.token, username: "taken.over", password: "a fine password" },
    });
    expect([used.status, used.body.code]).toEqual([400, "accounts.tokenNotValid"]);
  });

  test("a refused token request creates no account", async () => {
    const { app } = get();
    const { as } = await chief();
    const { output } = await app.call(getSettings, {}, as);
    const licence = licenceOf("unknown");
    const auth = { ...output.settings.auth, configAdminUsers: [licence] };
    await app.call(putSettings, { body: { ...output, settings: { ...output.settings, auth } } }, as);
    expect((await ask(licence, "register")).status).toBe(403);
    expect((await app.call(listAccounts, { query: { q: licence } }, as)).output.items).toEqual([]);
  });

  test("groups grant powers at once; every other config admin is notified, the audit log and the doctor show it", async () => {
    const { app, world } = get();
    const { admin, as } = await chief();
    const player = await world.actor();
    await send(player.licence, ["admin"]);
    await expect.poll(async () => (await accountOf(player)).configAdmin).toBe(true);
    await expectNotified(admin, "auth.gainedConfigAdmin", player.username);
    const { id } = await accountOf(player);
    const entries = await app.call(listAudit, { query: { action: "accounts.powersGained" } }, { token: admin.token });
    expect(entries.output.items.find(({ target }) => target?.id === id)).toMatchObject({ actor: { kind: "sync" } });
    const { findings } = (await app.call(doctor, {}, as)).output;
    expect(findings.find((one) => one.id === "accounts.adminsGained")?.params["list"]).toContain(player.username);
    await send(player.licence, ["admin", "other"]);
    await expectNotified(admin, "auth.gainedConfigAdmin", player.username);
  });

  test("when a confirmation is required, groups wait in list, account and doctor until a config admin confirms", async () => {
    const { app, world } = get();
    const { admin, as } = await chief();
    await confirming(as, true);
    const player = await world.actor();
    const { id } = await accountOf(player);
    const read = async () => (await app.call(getAccount, { params: { accountId: id } }, as)).output;
    await send(player.licence, ["lead"]);
    expect(await read()).toMatchObject({ groups: ["lead"], admin: null, adminWaiting: "job" });
    expect(await accountOf(player)).toMatchObject({ configAdmin: false, mayJobAdmin: false });
    expect((await app.call(listAccounts, { query: { only: "waiting" } }, as)).output.items.map((row) => row.id)).toEqual([id]);
    expect((await ask(player.licence, "reset")).status).toBe(403);
    await expectNotified(admin, "auth.waitingJobAdmin", player.username);
    const { findings } = (await app.call(doctor, {}, as)).output;
    expect(findings.find((one) => one.id === "accounts.adminsWaiting")?.params["list"]).toContain(player.username);

    // Groups that the game server sent after the admin looked are not confirmed.
    await send(player.licence, ["lead", "admin"]);
    const other = await app.call(confirmAdmin, { params: { accountId: id }, body: { power: "job" } }, as);
    expect([other.status, other.body.code]).toEqual([409, "accounts.otherToConfirm"]);
    expect(await read()).toMatchObject({ admin: null, adminWaiting: "config" });
    await send(player.licence, ["lead"]);
    const confirmed = await app.call(confirmAdmin, { params: { accountId: id }, body: { power: "job" } }, as);
    expect(confirmed.output).toMatchObject({ admin: "job", adminWaiting: null });
    expect((await accountOf(player)).mayJobAdmin).toBe(true);
    expect((await app.call(confirmAdmin, { params: { accountId: id }, body: { power: "job" } }, as)).body.code).toBe(
      "accounts.nothingToConfirm",
    );
    // Groups beyond the confirmed ones wait again; the confirmed ones stay in force.
    await send(player.licence, ["lead", "admin"]);
    expect(await read()).toMatchObject({ admin: "job", adminWaiting: "config" });
    // A group that the game server removes and sends again waits again.
    await send(player.licence, []);
    await send(player.licence, ["lead"]);
    expect(await read()).toMatchObject({ admin: null, adminWaiting: "job" });
    await confirming(as, false);
    expect(await read()).toMatchObject({ admin: "job", adminWaiting: null });
  });

  test("existing admins keep their powers when confirmation is turned on; the command line can confirm as well", async () => {
    const { app, world } = get();
    const { admin, as } = await chief();
    const before = await world.actor();
    await send(before.licence, ["admin"]);
    await confirming(as, true);
    await send(before.licence, ["admin", "more"]);
    expect((await accountOf(before)).configAdmin).toBe(true);
    expect((await accountOf(admin)).configAdmin).toBe(true);
    const player = await world.actor();
    await send(player.licence, ["admin"]);
    const accounts = app.process.assembly.api(accountsApi);
    await accounts.confirmAdmin({ kind: "cli", user: "operator" }, player.licence, "config");
    expect((await accountOf(player)).configAdmin).toBe(true);
    const named = await world.actor();
    await accounts.setGroups({ kind: "cli", user: "operator" }, named.username, ["lead"]);
    expect((await accountOf(named)).mayJobAdmin).toBe(true);
    await confirming(as, false);
  });

  test("a login moved to the licence of an admin gains powers, and admins are notified", async () => {
    const { app, world } = get();
    const { admin, as } = await chief();
    const player = await world.actor();
    const { id } = await accountOf(player);
    const licence = licenceOf("moved");
    await send(licence, ["admin"]);
    await app.call(setAccountLicence, { params: { accountId: id }, body: { licence, reason: "new computer" } }, as);
    await expectNotified(admin, "auth.gainedConfigAdmin", player.username);
  });
});
