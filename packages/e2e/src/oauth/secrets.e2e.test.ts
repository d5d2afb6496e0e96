import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { client, providerSettings, startStandIn, type StandIn } from "#kit/provider.ts";
import { call, person, type Person, sendTo, signIn } from "#kit/api.ts";
import { secrets } from "#kit/program.ts";
import { createScope, type Settings, type SetPlace } from "#kit/settings.ts";
import { queryFile } from "#kit/stored.ts";
import { visitor } from "#kit/visitor.ts";

/** What a change of one secret leaves working. */
interface Working {
  /** The cookie of before the change. */
  readonly session: boolean;
  /** The user token of before the change. */
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
 * By the interface document: each secret is kept apart, and changing one invalidates what it guards
 * and nothing else.
 */
const expected: [option: string, value: unknown, stops: Partial<Working>][] = [
  // The cookie carries the session; the user token of an open tab goes on until its ten minutes are over.
  ["http.sessions.cookieSecret", "another-cookie-secret-of-e2e-tests", { session: false }],
  ["jwt.secret", "another-jwt-secret-of-the-e2e-tests", { userToken: false }],
  ["secret", "another-secret-for-what-is-stored", { storedTokens: "reconnect" }],
  ["sync.apiTokens", ["another-sync-token-of-the-e2e-tests"], { syncToken: false }],
];

describe("changing one secret at a time", () => {
  const scope = createScope();
  let standIn: StandIn;
  let place: SetPlace;
  let usual: Settings;
  let who: Person;

  beforeAll(async () => {
    standIn = await startStandIn();
    place = await scope.place();
    usual = {
      secret: "the-secret-for-what-is-stored",
      "oauth2.providers": [providerSettings(standIn, place.url, "forum")],
    };
    place.set(usual);
    const program = await scope.serve(place);
    who = await person(place, { username: "secretkeeper", groups: "admin" });
    expect(await visitor(place.url, who.cookie).go("forum", "?connect=1&return=/account")).toBe(
      "/account?oauth=connected&provider=forum",
    );
    await program.stop();
  }, 60_000);
  afterAll(async () => {
    await scope.end();
    standIn.close();
  });

  const opens = async (route: string, options: { cookie?: string; token?: string }) =>
    (await call(place.url, route, options)).status !== 401;

  /** Looks with what was given before the change, then signs in anew for the rest. */
  async function look(given: Person): Promise<Working> {
    const session = await opens("/api/auth/characters", { cookie: given.cookie });
    const userToken = await opens("/api/jobs", { token: given.token });
    const fresh = await signIn(place.url, who.username, who.password).catch(() => null);
    const list = await call(place.url, "/api/oauth2/connections", { cookie: fresh?.cookie ?? given.cookie });
    const item = { identifier: "char1:sync-check", firstName: "S", lastName: "C", jobs: [{ name: "police", grade: 0 }] };
    return {
      session,
      userToken,
      storedTokens: String(list.body.connections[0].tokens),
      syncToken: (await sendTo(place.url, "users", [item], secrets.sync)).status === 200,
      passwordSignIn: fresh !== null,
      // Looked at last: signing in stores the tokens anew.
      providerSignIn: false,
    };
  }

  test.each(expected)(
    "%s",
    async (option, value, stops) => {
      place.set(usual);
      const before = await scope.serve(place);
      await visitor(place.url).go("forum");
      const given = await signIn(place.url, who.username, who.password);
      expect({ ...(await look(given)), providerSignIn: true }).toEqual(unchanged);
      await before.stop();

      place.set({ ...usual, [option]: value });
      const after = await scope.serve(place);
      const seen = await look(given);
      const newcomer = visitor(place.url);
      const providerSignIn = (await newcomer.go("forum", "?return=/citizens")) === "/citizens";
      expect({ ...seen, providerSignIn }).toEqual({ ...unchanged, ...stops });
      await after.stop();
    },
    60_000,
  );

  test("rollcall secret rotate makes what was stored readable under another secret", async () => {
    place.set(usual);
    const before = await scope.serve(place);
    await visitor(place.url).go("forum");
    await before.stop();
    place.set({ ...usual, secret: "a-third-secret-for-what-is-stored" });
    writeFileSync(path.join(place.folder, "old"), "the-secret-for-what-is-stored\n");
    const after = await scope.serve(place);
    const state = async () => {
      const { cookie } = await signIn(place.url, who.username, who.password);
      return (await call(place.url, "/api/oauth2/connections", { cookie })).body.connections[0].tokens as string;
    };
    expect(await state()).toBe("reconnect");
    const rotated = await scope.run(["secret", "rotate", "--old-file", "old"], place);
    expect([rotated.code, rotated.stderr]).toEqual([0, ""]);
    expect(rotated.stdout).toContain("oauth_connections.access_token: 1 encrypted anew, 0 already");
    expect(await state()).toBe("stored");
    const again = await scope.run(["secret", "rotate", "--old-file", "old"], place);
    expect(again.stdout).toContain("oauth_connections.access_token: 0 encrypted anew, 1 already");
    writeFileSync(path.join(place.folder, "old"), "a-third-secret-for-what-is-stored");
    expect(await scope.run(["secret", "rotate", "--old-file", "old"], place)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("present secret"),
    });
    expect((await scope.run(["secret", "rotate", "--old-file", "nowhere"], place)).code).toBe(2);
    const rows = queryFile(path.join(place.folder, "data", "rollcall.db"))(
      "select access_token, refresh_token from oauth_connections",
    );
    expect(rows).toHaveLength(1);
    expect(rows.join("\n")).not.toContain(client.token);
    await after.stop();
  }, 60_000);
});
