import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { client, providerSettings, startStandIn, type StandIn } from "@rollcall/testkit/provider.ts";
import { call, person, type Person, sendTo, signIn } from "@rollcall/testkit/api.ts";
import { secrets } from "@rollcall/testkit/program.ts";
import { createScope, type Settings, type ConfiguredInstance } from "@rollcall/testkit/settings.ts";
import { queryFile } from "@rollcall/testkit/stored.ts";
import { visitor } from "@rollcall/testkit/visitor.ts";

/** What still works after a change of one secret. */
interface Working {
  /** The cookie from before the change. */
  readonly session: boolean;
  /** The user token from before the change. */
  readonly userToken: boolean;
  readonly storedTokens: string;
  readonly syncToken: boolean;
  readonly passwordSignIn: boolean;
  readonly providerSignIn: boolean;
}

const unchanged: Working = {
  session: true,
  userToken: true,
  storedTokens: "stored",
  syncToken: true,
  passwordSignIn: true,
  providerSignIn: true,
};

/**
 * By the interface document: changing a secret invalidates existing sessions or access. Each of the
 * three on which sessions depend signs everybody out; a change affects nothing that its secret does not protect.
 */
const expected: [option: string, value: unknown, stops: Partial<Working>][] = [
  ["http.sessions.cookieSecret", "another-cookie-secret-of-e2e-tests", { session: false, userToken: false }],
  ["jwt.secret", "another-jwt-secret-of-the-e2e-tests", { session: false, userToken: false }],
  ["secret", "another-secret-for-what-is-stored", { session: false, userToken: false, storedTokens: "reconnect" }],
  ["sync.apiTokens", ["another-sync-token-of-the-e2e-tests"], { syncToken: false }],
];

describe("changing one secret at a time", () => {
  const scope = createScope();
  let standIn: StandIn;
  let instance: ConfiguredInstance;
  let usual: Settings;
  let who: Person;

  beforeAll(async () => {
    standIn = await startStandIn();
    instance = await scope.instance();
    usual = {
      secret: "the-secret-for-what-is-stored",
      "oauth2.providers": [providerSettings(standIn, instance.url, "forum")],
    };
    instance.set(usual);
    const program = await scope.serve(instance);
    who = await person(instance, { username: "secretkeeper", groups: "admin" });
    expect(await visitor(instance.url, who.cookie).connect("forum", who.password, "/account")).toBe(
      "/account?oauth=connected&provider=forum",
    );
    await program.stop();
  }, 60_000);
  afterAll(async () => {
    await scope.end();
    standIn.close();
  });

  const opens = async (route: string, options: { cookie?: string; token?: string }) =>
    (await call(instance.url, route, options)).status !== 401;

  /** Checks with the credentials from before the change, then signs in again for the rest. */
  async function check(given: Person): Promise<Working> {
    const session = await opens("/api/auth/characters", { cookie: given.cookie });
    const userToken = await opens("/api/jobs", { token: given.token });
    const fresh = await signIn(instance.url, who.username, who.password).catch(() => null);
    const list = await call(instance.url, "/api/oauth2/connections", { cookie: fresh?.cookie ?? given.cookie });
    const item = { identifier: "char1:sync-check", firstName: "S", lastName: "C", jobs: [{ name: "police", grade: 0 }] };
    return {
      session,
      userToken,
      storedTokens: String(list.body.connections[0].tokens),
      syncToken: (await sendTo(instance.url, "users", [item], secrets.sync)).status === 200,
      passwordSignIn: fresh !== null,
      // Checked last: signing in stores the tokens again.
      providerSignIn: false,
    };
  }

  test.each(expected)(
    "%s",
    async (option, value, stops) => {
      instance.set(usual);
      const before = await scope.serve(instance);
      await visitor(instance.url).go("forum");
      const given = await signIn(instance.url, who.username, who.password);
      expect({ ...(await check(given)), providerSignIn: true }).toEqual(unchanged);
      await before.stop();

      instance.set({ ...usual, [option]: value });
      const after = await scope.serve(instance);
      const seen = await check(given);
      const newcomer = visitor(instance.url);
      const providerSignIn = (await newcomer.go("forum", "?return=/citizens")) === "/citizens";
      expect({ ...seen, providerSignIn }).toEqual({ ...unchanged, ...stops });
      await after.stop();
    },
    60_000,
  );

  test("rollcall secret rotate makes what was stored readable under another secret", async () => {
    instance.set(usual);
    const before = await scope.serve(instance);
    await visitor(instance.url).go("forum");
    await before.stop();
    instance.set({ ...usual, secret: "a-third-secret-for-what-is-stored" });
    writeFileSync(path.join(instance.folder, "old"), "the-secret-for-what-is-stored\n");
    const after = await scope.serve(instance);
    const state = async () => {
      const { cookie } = await signIn(instance.url, who.username, who.password);
      return (await call(instance.url, "/api/oauth2/connections", { cookie })).body.connections[0].tokens as string;
    };
    expect(await state()).toBe("reconnect");
    expect(after.output()).toContain(
      "1 access token(s) of external logins cannot be read, because they were stored under another secret",
    );
    writeFileSync(path.join(instance.folder, "wrong"), "a-secret-that-nothing-was-stored-under");
    expect(await scope.run(["secret", "rotate", "--old-file", "wrong"], instance)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/the secret in wrong opens none of the \d stored texts/),
    });
    const rotated = await scope.run(["secret", "rotate", "--old-file", "old"], instance);
    expect([rotated.code, rotated.stderr]).toEqual([0, ""]);
    expect(rotated.stdout).toContain("oauth_connections.access_token: 1 re-encrypted, 0 already");
    expect(await state()).toBe("stored");
    const again = await scope.run(["secret", "rotate", "--old-file", "old"], instance);
    expect(again.stdout).toContain("oauth_connections.access_token: 0 re-encrypted, 1 already");
    writeFileSync(path.join(instance.folder, "old"), "a-third-secret-for-what-is-stored");
    expect(await scope.run(["secret", "rotate", "--old-file", "old"], instance)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("current secret"),
    });
    expect((await scope.run(["secret", "rotate", "--old-file", "nowhere"], instance)).code).toBe(2);
    const rows = queryFile(path.join(instance.folder, "data", "rollcall.db"))(
      "select access_token, refresh_token from oauth_connections",
    );
    expect(rows).toHaveLength(1);
    expect(rows.join("\n")).not.toContain(client.token);
    await after.stop();
  }, 60_000);
});
