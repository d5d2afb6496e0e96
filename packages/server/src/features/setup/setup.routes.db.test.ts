import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import type { Config } from "#config/index.ts";
import { accountsApi } from "#features/accounts/accounts.api.ts";
import { syncAccounts } from "#features/accounts/accounts.contract.ts";
import { authApi } from "#features/auth/auth.api.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import { syncApi } from "#features/sync/sync.api.ts";
import { testOrigin, testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import { setupBegin, setupCheck, setupReceived, setupState } from "./setup.contract.ts";
import { SetupService } from "./setup.service.ts";

const password = "a quiet harbour at night";

describeApps("the first admin", (get) => {
  const stored = async () =>
    (
      await get().app.process.container.db.exclusive(
        "test.nonces",
        async ({ connection }) => await connection.execute("select nonce, made_at from setup_nonces order by made_at desc", []),
      )
    ).rows;
  const nonces = async () => (await stored()).map(({ nonce }) => String(nonce));
  const newest = async () => Number((await stored())[0]?.["made_at"]);
  /** As the log of the start prints it. */
  const keyOf = (nonce: string | undefined) =>
    createHmac("sha256", testSecrets.cookie).update(`rollcall first admin\n${nonce}`).digest("base64url").slice(0, 32);
  const begin = async (body: { username: string; password: string; licence: string; token?: string }) =>
    await get().app.call(setupBegin, { body: { token: keyOf((await nonces())[0]), ...body } });
  const settings = () => get().app.process.assembly.api(settingsApi);
  const listed = async () => (await settings().current()).auth.configAdminUsers;

  test("of a refused attempt leaves nothing behind: neither powers nor an account", async () => {
    const written = get().writes();
    const refused = [
      await begin({ username: "mara", password: "short", licence: "somebodyelse" }),
      await begin({ username: "a bad name", password, licence: "another" }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400]);
    expect([await listed(), written.tables()]).toEqual([[], []]);
  });

  test("is made with the key of this start; that of an earlier one, or of another database, is refused", async () => {
    const [now] = await nonces();
    expect(now).toMatch(/^\S{20,32}$/);
    const old = { username: "mara", password, licence: "mine" };
    for (const token of [keyOf("of another database"), keyOf(""), keyOf("undefined")])
      expect((await begin({ ...old, token })).body.code).toBe("setup.tokenWrong");
    const lines: string[] = [];
    const { assembly, container } = get().app.process;
    const startAt = async (instant: number) => {
      const service = new SetupService({
        ...container.ports,
        clock: { ...container.ports.clock, now: () => instant },
        config: { http: { publicURL: testOrigin, sessions: { cookieSecret: testSecrets.cookie } } } as Config,
        accounts: assembly.api(accountsApi),
        auth: assembly.api(authApi),
        settings: settings(),
        sync: assembly.api(syncApi),
      });
      await service.start();
      lines.push((await service.address()) ?? "");
    };
    const madeAt = await newest();
    await startAt(madeAt + 59_000);
    await startAt(madeAt + 61_000);
    const [same, renewed] = lines.map((line) => /#([\w-]+)$/.exec(line)?.[1]);
    expect([same, renewed]).toEqual([keyOf(now), keyOf((await nonces())[0])]);
    expect(renewed).not.toBe(same);
    expect((await begin({ ...old, token: keyOf(now) })).body.code).toBe("setup.tokenWrong");
  });

  test("has a token that is checked before a password is chosen, which changes nothing and does not use it up", async () => {
    const check = async (token: string) => await get().app.call(setupCheck, { body: { token } });
    const token = keyOf((await nonces())[0]);
    const written = get().writes();
    expect([(await check(token)).status, (await check(token)).status]).toEqual([204, 204]);
    expect(written.tables()).toEqual([]);
    for (const wrong of ["guessed", keyOf("of another database")]) {
      const refused = await check(wrong);
      expect([refused.status, refused.body.code]).toEqual([403, "setup.tokenWrong"]);
    }
    expect(setupCheck.rate).toBe(setupBegin.rate);
  });

  test("is asked for without a look at each of the accounts that the game server sent", async () => {
    const { app } = get();
    const items = Array.from({ length: 300 }, (_none, at) => ({
      licence: `license:${at.toString(16).padStart(20, "0")}`,
      groups: [],
    }));
    expect((await app.call(syncAccounts, { body: { items } }, { token: testSecrets.sync })).output.accepted).toBe(300);
    let rows = 0;
    const stop = app.process.container.db.observe((event) => {
      if (event.unit === "setup.state") rows += event.rows;
    });
    expect((await app.call(setupState, {})).output).toEqual({ needed: true });
    stop();
    expect(rows).toBeLessThan(2);
  });

  test("is created once, also by two attempts at the same time; what attempts in version 0.1 left is removed", async () => {
    await get().app.process.container.db.write("test", async (tx) => {
      const actor = { kind: "system", name: "test" } as const;
      await settings().change(tx, actor, ({ auth, ...rest }) => ({ ...rest, auth: { ...auth, configAdminUsers: ["stray"] } }));
    });
    const attempts = await Promise.all([
      begin({ username: "mara", password, licence: "mine" }),
      begin({ username: "lena", password, licence: "other" }),
    ]);
    expect(attempts.map(({ status }) => status).sort()).toEqual([204, 409]);
    const created = attempts[0].status === 204 ? "mine" : "other";
    expect(await listed()).toEqual([created]);
    expect((await get().app.call(setupState, {})).output).toEqual({ needed: false });
    expect(await nonces()).toEqual([]);
    expect((await begin({ username: "third", password, licence: "third" })).body.code).toBe("setup.notNeeded");
    expect((await get().app.call(setupCheck, { body: { token: "any" } })).body.code).toBe("setup.notNeeded");
    const check = get()
      .app.process.assembly.registry.parts("checks")
      .find(({ id }) => id === "accounts.admins");
    const gained = (await check?.run())?.find(({ id }) => id === "accounts.adminsGained");
    expect(gained?.params["list"]).toMatch(/^(mara|lena) \(config, [\d -]+:\d\d UTC, setup\)$/);
  });

  test("is followed by what the game server sent, counted by kind", async () => {
    const { app, world } = get();
    const { cookie } = await world.actor({ groups: ["admin"] });
    const count = async (kind: string) => {
      const { output } = await app.call(setupReceived, {}, { cookie });
      return output.kinds.find((one) => one.kind === kind)?.count ?? 0;
    };
    const before = await count("vehicles");
    await world.vehicle();
    expect(await count("vehicles")).toBe(before + 1);
    expect((await app.call(setupReceived, {}, { cookie })).output.lastDataAt).not.toBeNull();
  });
});
