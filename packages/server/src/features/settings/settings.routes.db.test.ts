import { expect, test } from "vitest";
import { positionHeader } from "#core/contract/realtime.ts";
import { clientConfig } from "#features/system/system.contract.ts";
import { describeApps } from "#testkit/suite.ts";
import { getSettings, putSettings, type Settings, settingsHistory, undoSettings } from "./settings.contract.ts";

describeApps("application settings", (get) => {
  const admin = async () => ({ cookie: (await get().world.actor({ groups: ["admin"] })).cookie });
  const read = async (who: { cookie: string }) => (await get().app.call(getSettings, {}, who)).output;
  async function change(who: { cookie: string }, edit: (settings: Settings) => Settings, version?: number) {
    const now = await read(who);
    const body = { version: version ?? now.version, settings: edit(now.settings) };
    return await get().app.call(putSettings, { body }, who);
  }
  const named = (name: string) => (settings: Settings) => ({ ...settings, general: { ...settings.general, name } });

  test("apply at once, and the history names the author and the change", async () => {
    const { app } = get();
    const who = await admin();
    const before = await read(who);
    const { status, output } = await change(who, named("Bay City"));
    expect([status, output.version]).toEqual([200, before.version + 1]);
    expect((await app.call(clientConfig, {})).output.name).toBe("Bay City");
    const [latest] = (await app.call(settingsHistory, {}, who)).output.revisions;
    expect(latest?.changes).toEqual([{ path: "general.name", before: before.settings.general.name, after: "Bay City" }]);
    const same = await change(who, named("Bay City"));
    expect(same.output.version).toBe(output.version);
  });

  test("are never older than an answered change, also with concurrent reads", async () => {
    const { app } = get();
    const who = await admin();
    for (let round = 0; round < 15; round += 1) {
      const reading = Array.from({ length: 4 }, async () => await app.call(clientConfig, {}));
      const { output } = await change(who, named(`Round ${round}`));
      const after = (await app.call(clientConfig, {})).output.name;
      expect([after, output.settings.general.name]).toEqual([`Round ${round}`, `Round ${round}`]);
      await Promise.all(reading);
    }
  });

  test("say to a browser with a session, and to nobody without one, which events they hold", async () => {
    const { app } = get();
    const who = await admin();
    const told = async (by: object) => (await app.call(clientConfig, {}, by)).headers[positionHeader];
    expect(await told(who)).toMatch(/^\d+ \S+$/);
    expect(await told({})).toBeUndefined();
    expect(await told({ cookie: "made-up" })).toBeUndefined();
  });

  test("of an older version are refused, and nothing is written", async () => {
    const who = await admin();
    const { output } = await change(who, named("One"));
    const written = get().writes(["auth_sessions"]);
    const stale = await change(who, named("Two"), output.version - 1);
    expect([stale.status, stale.body.code]).toEqual([409, "settings.stale"]);
    expect(written.tables()).toEqual([]);
  });

  test("can be undone change by change; later changes of other fields stay", async () => {
    const { app } = get();
    const who = await admin();
    await change(who, named("Before"));
    const { output: first } = await change(who, named("After"));
    await change(who, (settings) => ({ ...settings, auth: { ...settings.auth, signUp: false } }));
    const undone = await app.call(undoSettings, { params: { version: first.version } }, who);
    expect(undone.output.settings).toMatchObject({ general: { name: "Before" }, auth: { signUp: false } });
    const unknown = await app.call(undoSettings, { params: { version: 99_999 } }, who);
    expect([unknown.status, unknown.body.code]).toEqual([404, "settings.revisionUnknown"]);
  });

  test("are refused with the field and the problem", async () => {
    const who = await admin();
    const locale = await change(who, (settings) => ({ ...settings, display: { locale: "not a tag" } }));
    expect([locale.status, locale.body.code, locale.body.params]).toEqual([
      400,
      "settings.languageTagUnknown",
      { tag: "not a tag" },
    ]);
    const link = await change(who, (settings) => ({
      ...settings,
      website: { ...settings.website, imprintUrl: "javascript:alert(1)" },
    }));
    expect([link.status, link.body.params.field]).toEqual([400, "settings.website.imprintUrl"]);
  });

  test("show the banner until it expires", async () => {
    const { app } = get();
    const who = await admin();
    const banner = { enabled: true, text: "Restart at 04:00", tone: "warning" as const, expiresAt: null as number | null };
    await change(who, (settings) => ({ ...settings, banner }));
    expect((await app.call(clientConfig, {})).output.banner).toMatchObject({ text: "Restart at 04:00", tone: "warning" });
    await change(who, (settings) => ({ ...settings, banner: { ...banner, expiresAt: 1000 } }));
    expect((await app.call(clientConfig, {})).output.banner).toBeNull();
  });
});
