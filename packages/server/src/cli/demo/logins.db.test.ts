import { expect, test } from "vitest";
import { describeApps } from "#testkit/suite.ts";
import { login } from "#features/auth/auth.contract.ts";
import { createCity } from "./city.ts";
import { createLoginsWith } from "./identities.ts";
import { isDemoLoaded, renewLogins } from "./logins.ts";
import { demoSeed } from "./seed.ts";

describeApps("the logins of the demo city", (get) => {
  test("get new passwords that sign in; accounts of others with the same names keep theirs", async () => {
    const { app } = get();
    const { assembly: features, container } = app.process;
    const { db, ports } = container;
    const options = {
      db,
      features,
      actor: { kind: "cli", user: "test" },
      ids: ports.ids,
      seed: demoSeed,
      startGrade: 0,
    } as const;
    expect(await isDemoLoaded(db, features, 0)).toBe(false);
    expect(await renewLogins(options)).toEqual([]);
    const [first, second] = createCity({ seed: demoSeed, startGrade: 0 }).logins;
    const made = await createLoginsWith(options)([first!, { ...second!, licence: "somebody else" }]);
    const renewed = await renewLogins(options);
    expect(renewed.map(({ username }) => username)).toEqual([first!.username]);
    expect(renewed[0]!.password).not.toBe(made[0]!.password);
    const signIn = async ({ username, password }: { username: string; password: string | null }) =>
      (await app.call(login, { body: { username, password: password ?? "" } })).status;
    expect(await signIn(renewed[0]!)).toBe(200);
    expect(await signIn(made[0]!)).toBe(401);
    expect(await signIn(made[1]!)).toBe(200);
    expect(await isDemoLoaded(db, features, 0)).toBe(true);
  });
});
