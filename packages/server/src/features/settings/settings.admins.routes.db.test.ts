import { expect, test } from "vitest";
import { describeApps } from "#testkit/suite.ts";
import { accountsApi } from "#features/accounts/accounts.api.ts";
import { defaultSettings, getSettings, putSettings, type Settings, settingsHistory, undoSettings } from "./settings.contract.ts";
import { settingsApi } from "./settings.api.ts";

const system = { kind: "system", name: "test" } as const;

describeApps("settings that take admin powers", (get) => {
  const read = async (who: { cookie: string }) => (await get().app.call(getSettings, {}, who)).output;
  async function change(who: { cookie: string }, edit: (settings: Settings) => Settings) {
    const { version, settings } = await read(who);
    return await get().app.call(putSettings, { body: { version, settings: edit(settings) } }, who);
  }
  const naming = (configAdminUsers: string[]) => (settings: Settings) => ({
    ...settings,
    auth: { ...settings.auth, configAdminUsers },
  });
  const edit = async (work: (settings: Settings) => Settings) => {
    const { container, assembly } = get().app.process;
    return await container.db.write("test.settings", async (tx) => await assembly.api(settingsApi).change(tx, system, work));
  };
  /** The accounts of other tests cannot sign in from here on. */
  async function disableAll() {
    const { container, assembly } = get().app.process;
    const accounts = assembly.api(accountsApi);
    const known = await container.db.read("test.accounts", accounts.list);
    for (const { enabled, licence } of known)
      if (enabled) await accounts.setEnabled(system, licence, { enabled: false, reason: "a test" });
  }
  /** An admin by the list of the panel, as the setup makes the first one. */
  async function named() {
    const actor = await get().world.actor();
    await edit(naming([actor.licence]));
    await get().app.process.assembly.api(settingsApi).current();
    return { ...actor, as: { cookie: actor.cookie } };
  }
  const findings = async () => {
    const checks = get().app.process.assembly.registry.parts("checks");
    return (await Promise.all(checks.map(async (check) => await check.run()))).flat().map(({ id, state }) => [id, state]);
  };

  test("are refused for the only config admin, as a change and as an undo", async () => {
    await disableAll();
    const only = await named();
    const [appointed] = (await get().app.call(settingsHistory, {}, only.as)).output.revisions;
    const written = get().writes(["auth_sessions"]);
    const refused = await change(only.as, naming([]));
    const undone = await get().app.call(undoSettings, { params: { version: appointed?.version ?? 0 } }, only.as);
    expect([refused, undone].map(({ status, body }) => [status, body.code])).toEqual([
      [409, "settings.noConfigAdminLeft"],
      [409, "settings.noConfigAdminLeft"],
    ]);
    expect(written.tables()).toEqual([]);
    expect((await read(only.as)).settings.auth.configAdminUsers).toEqual([only.licence]);
  });

  test("count only config admins who can sign in", async () => {
    const disabled = await get().world.actor({ groups: ["admin"] });
    await disableAll();
    const only = await named();
    const more = await change(only.as, naming([only.licence, "nobody-registered"]));
    expect(more.status).toBe(200);
    const refused = await change(only.as, naming([disabled.licence, "nobody-registered"]));
    expect([refused.status, refused.body.code]).toEqual([409, "settings.noConfigAdminLeft"]);
    // The program itself may, as the setup and commands do for who has the machine.
    expect((await edit(naming([]))).auth.configAdminUsers).toEqual([]);
  });

  test("are refused for one's own power, which another config admin may take", async () => {
    await disableAll();
    const first = await named();
    const second = await get().world.actor();
    const both = [`license:${first.licence}`, second.licence];
    expect((await change(first.as, naming(both))).status).toBe(200);
    const own = await change(first.as, naming([second.licence]));
    expect([own.status, own.body.code]).toEqual([409, "settings.takesOwnPower"]);
    await expect.poll(async () => (await change({ cookie: second.cookie }, naming([second.licence]))).status).toBe(200);
  });

  test("the doctor finds that no config admin can sign in, however that came", async () => {
    await disableAll();
    const only = await named();
    expect((await findings()).map(([id]) => id)).not.toContain("accounts.noConfigAdmin");
    await get().world.actor();
    await get().app.process.assembly.api(accountsApi).setEnabled(system, only.licence, { enabled: false, reason: "a test" });
    expect(await findings()).toContainEqual(["accounts.noConfigAdmin", "problem"]);
  });

  test("the end of the setup is not undone, and the rest of its change is", async () => {
    const admin = { cookie: (await get().world.actor({ groups: ["admin"] })).cookie };
    const finished = (name: string, setupComplete: boolean) => (settings: Settings) => ({
      ...settings,
      general: { ...settings.general, name, setupComplete },
    });
    await change(admin, finished("Before", false));
    const { output: alone } = await change(admin, finished("Before", true));
    const refused = await get().app.call(undoSettings, { params: { version: alone.version } }, admin);
    expect([refused.status, refused.body.code]).toEqual([409, "settings.setupStaysFinished"]);
    await change(admin, finished("Before", false));
    const { output: both } = await change(admin, finished("After", true));
    const undone = await get().app.call(undoSettings, { params: { version: both.version } }, admin);
    expect(undone.output.settings.general).toEqual({ ...defaultSettings.general, name: "Before", setupComplete: true });
  });
});
