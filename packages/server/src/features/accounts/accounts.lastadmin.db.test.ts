import { expect, test } from "vitest";
import { describeApps } from "#testkit/suite.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import { getSettings, putSettings } from "#features/settings/settings.contract.ts";
import { accountsApi } from "./accounts.api.ts";
import { deleteAccount, setAccountEnabled, setAccountLicence } from "./accounts.contract.ts";

const system = { kind: "system", name: "test" } as const;
const reason = "a test";
const rounds = [1, 2, 3, 4, 5];

describeApps("two config admins who take each other's powers at the same moment", (get) => {
  const standing = async (username: string) => {
    const { assembly, container } = get().app.process;
    const read = async (tx: Parameters<Parameters<typeof container.db.read>[1]>[0]) =>
      await assembly.api(accountsApi).byUsername(tx, username);
    return (await container.db.read("test.account", read))!;
  };
  const admin = async () => {
    const { cookie, username } = await get().world.actor({ groups: ["admin"] });
    return { as: { cookie }, username, id: (await standing(username)).id };
  };
  type Admin = Awaited<ReturnType<typeof admin>>;
  const disable = async ({ as }: Admin, { id }: Admin) =>
    await get().app.call(setAccountEnabled, { params: { accountId: id }, body: { enabled: false, reason } }, as);
  const remove = async ({ as }: Admin, { id }: Admin) =>
    await get().app.call(deleteAccount, { params: { accountId: id }, body: { reason } }, as);

  test.each([
    ["disable", disable, disable],
    ["delete", remove, remove],
    ["disable and delete", disable, remove],
  ] as const)("only the first one does: %s", async (_what, one, other) => {
    for (const _round of rounds) {
      const [first, second] = [await admin(), await admin()];
      const answers = await Promise.all([one(first, second), other(second, first)]);
      const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
      expect(statuses).toEqual([200, 401]);
    }
  });

  test("one account that was named in the settings is left, when the other one disables it beside that", async () => {
    const { assembly, container } = get().app.process;
    for (const _round of rounds) {
      for (const { enabled, licence } of await container.db.read("test.accounts", assembly.api(accountsApi).list))
        if (enabled) await assembly.api(accountsApi).setEnabled(system, licence, { enabled: false, reason });
      const [first, second] = [await get().world.actor(), await get().world.actor()];
      const naming = (configAdminUsers: string[]) => async (tx: Parameters<Parameters<typeof container.db.write>[1]>[0]) =>
        await assembly
          .api(settingsApi)
          .change(tx, system, (settings) => ({ ...settings, auth: { ...settings.auth, configAdminUsers } }));
      await container.db.write("test.settings", naming([first.licence, second.licence]));
      await assembly.api(settingsApi).current();
      const { version, settings } = (await get().app.call(getSettings, {}, { cookie: first.cookie })).output;
      const alone = { ...settings, auth: { ...settings.auth, configAdminUsers: [first.licence] } };
      const params = { accountId: (await standing(first.username)).id };
      const answers = await Promise.all([
        get().app.call(putSettings, { body: { version, settings: alone } }, { cookie: first.cookie }),
        get().app.call(setAccountEnabled, { params, body: { enabled: false, reason } }, { cookie: second.cookie }),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const checks = assembly.registry.parts("checks");
      const found = (await Promise.all(checks.map(async (check) => await check.run()))).flat().map(({ id }) => id);
      expect(found).not.toContain("accounts.noConfigAdmin");
    }
  });

  test("moving the own account to a licence is refused when the powers belong to the licence before, and by others is not", async () => {
    const { assembly, container } = get().app.process;
    const actor = await get().world.actor();
    const naming = async (tx: Parameters<Parameters<typeof container.db.write>[1]>[0]) =>
      await assembly.api(settingsApi).change(tx, system, (settings) => ({
        ...settings,
        auth: { ...settings.auth, configAdminUsers: [actor.licence] },
      }));
    await container.db.write("test.settings", naming);
    await assembly.api(settingsApi).current();
    const own = { as: { cookie: actor.cookie }, username: actor.username, id: (await standing(actor.username)).id };
    const move = async ({ as }: Admin, { id, username }: Admin) =>
      await get().app.call(setAccountLicence, { params: { accountId: id }, body: { licence: `moved-${username}`, reason } }, as);
    const refused = await move(own, own);
    expect([refused.status, refused.body.code]).toEqual([409, "accounts.ownAccount"]);
    expect((await standing(actor.username)).licence).toBe(actor.licence);
    const byGroup = await admin();
    expect((await move(byGroup, byGroup)).status).toBe(200);
    expect((await move(byGroup, own)).status).toBe(200);
  });
});
