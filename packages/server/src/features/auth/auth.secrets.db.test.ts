import { SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { listCitizens } from "#features/citizens/citizens.contract.ts";
import { getAccount, syncAccountToken } from "#features/accounts/accounts.contract.ts";
import { syncStatus } from "#features/sync/sync.contract.ts";
import type { ProgramLogs } from "#infra/log/index.ts";
import { dsnText, startApp, type TestApp, testSecrets } from "#testkit/app.ts";
import { openTestDatabase, testedKinds } from "#testkit/database.ts";
import { silentLog } from "#testkit/silence.ts";
import { createWorld, type TestActor } from "#testkit/world.ts";
import { characters, enrolFactor, login, register, token as takeCharacter } from "./auth.contract.ts";

const others = {
  secret: { ROLLCALL_SECRET: "another-root-secret-of-these-tests" },
  "jwt.secret": { ROLLCALL_JWT_SECRET: "another-jwt-secret-of-these-tests" },
  "http.sessions.cookieSecret": { ROLLCALL_HTTP_SESSIONS_COOKIESECRET: "another-cookie-secret-of-these-tests" },
} as const;
const usual = { ROLLCALL_SECRET: "the-root-secret-of-these-tests" };

/** The warnings that the start logs. */
function collected(lines: string[]): ProgramLogs {
  const log = { ...silentLog, warn: (_facts: object, message: string) => void lines.push(message) };
  return { subsystem: () => log, close: async () => undefined };
}

describe.each(testedKinds)("changed secrets (%s)", { timeout: 60_000 }, (kind) => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>;
  const open: TestApp[] = [];
  beforeAll(async () => void (database = await openTestDatabase(kind)));
  afterEach(async () => {
    for (const app of open.splice(0)) await app.close();
    await database.empty();
  });
  afterAll(async () => await database.close());

  async function start(env: Record<string, string> = {}, lines: string[] = []): Promise<TestApp> {
    const app = await startApp({ dsn: dsnText(database.dsn), env: { ...usual, ...env }, logs: collected(lines) });
    open.push(app);
    return app;
  }

  async function stop(): Promise<void> {
    await open.pop()?.close();
  }

  const works = async (app: TestApp, { cookie, token }: Pick<TestActor, "cookie" | "token">) => [
    (await app.call(characters, {}, { cookie })).status,
    (await app.call(listCitizens, {}, { token })).status,
  ];
  const run = async (app: TestApp, statement: string, values: unknown[] = []) =>
    await app.process.container.db.exclusive(
      "test",
      async ({ connection }) => (await connection.execute(statement, values)).rows,
    );

  test.each(Object.entries(others))(
    "%s: earlier sessions and tokens are refused, and work again with the earlier secret",
    async (_name, env) => {
      const before = await start();
      const actor = await createWorld(before).actor({ rights: { "citizens.list": true } });
      expect(await works(before, actor)).toEqual([200, 200]);
      await stop();

      const lines: string[] = [];
      const after = await start(env, lines);
      expect(await works(after, actor)).toEqual([401, 401]);
      expect(lines).toContainEqual(expect.stringMatching(/^1 session\(s\) were started with another secret/));
      const body = { username: actor.username, password: actor.password };
      expect((await after.call(login, { body })).status).toBe(200);
      await stop();

      const back = await start();
      expect(await works(back, actor)).toEqual([200, 200]);
    },
  );

  test.runIf(kind === "mariadb")(
    "processes with the old and the new secret serve at the same time, each its own sessions",
    async () => {
      const [before, after] = [await start(), await start(others["jwt.secret"])];
      const [one, world] = [await createWorld(before).actor({ rights: { "citizens.list": true } }), createWorld(after)];
      await world.citizen();
      await world.citizen();
      const two = await world.actor({ rights: { "citizens.list": true } });
      expect([await works(before, one), await works(after, two)]).toEqual([
        [200, 200],
        [200, 200],
      ]);
      expect([await works(before, two), await works(after, one)]).toEqual([
        [401, 401],
        [401, 401],
      ]);
      expect([await works(before, one), await works(after, two)]).toEqual([
        [200, 200],
        [200, 200],
      ]);
    },
  );

  test("a session of an earlier version belongs to the secrets under which it is used first", async () => {
    const first = await start();
    const actor = await createWorld(first).actor({ rights: { "citizens.list": true } });
    await stop();
    const second = await start(others["jwt.secret"]);
    await run(second, "update auth_sessions set secrets = null");
    expect((await second.call(characters, {}, { cookie: actor.cookie })).status).toBe(200);
    await stop();
    const third = await start();
    expect(await works(third, actor)).toEqual([401, 401]);
  });

  test("the start logs how much cannot be read, and nothing when everything can", async () => {
    const [lines, none]: [string[], string[]] = [[], []];
    const first = await start();
    const actor = await createWorld(first).actor();
    await first.call(enrolFactor, { body: { password: actor.password } }, { cookie: actor.cookie });
    await stop();
    await start(others.secret, lines);
    await stop();
    await start({}, none);
    await stop();
    const bare: string[] = [];
    await start({ ROLLCALL_SECRET: "" }, bare);
    const logged = (all: readonly string[]) => all.filter((line) => line.includes("second factor"));
    expect(logged(lines)).toEqual([
      expect.stringMatching(/^1 second factor\(s\) cannot be read, because they were stored under another secret: /),
    ]);
    expect([logged(none), none.filter((line) => line.includes("session"))]).toEqual([[], []]);
    expect(logged(bare)).toEqual([expect.stringMatching(/^1 second factor\(s\) cannot be read, because secret is not set: /)]);
  });

  test("a user token that never expires is refused, although correctly signed", async () => {
    const app = await start();
    const actor = await createWorld(app).actor({ rights: { "citizens.list": true } });
    const answer = await app.call(takeCharacter, { body: { characterId: actor.characterId } }, { cookie: actor.cookie });
    const claims = JSON.parse(Buffer.from(answer.output.token.split(".")[1] ?? "", "base64url").toString()) as Record<
      string,
      unknown
    >;
    const signed = async (payload: Record<string, unknown>) =>
      await new SignJWT(payload).setProtectedHeader({ alg: "HS256", typ: "JWT" }).sign(new TextEncoder().encode(testSecrets.jwt));
    const { exp, ...endless } = claims;
    expect((await app.call(listCitizens, {}, { token: await signed({ ...endless, exp }) })).status).toBe(200);
    const refused = await app.call(listCitizens, {}, { token: await signed(endless) });
    expect([refused.status, refused.body.code]).toEqual([401, "system.tokenInvalid"]);
  });

  test("a removed sync token voids the unused account tokens that it requested; an additional one changes nothing", async () => {
    const issued = async (app: TestApp, licence: string, token: string) =>
      (await app.call(syncAccountToken, { body: { licence, kind: "register" } }, { token })).output;
    const request = async (app: TestApp, licence: string, token: string) => (await issued(app, licence, token)).token;
    const [own, added] = [testSecrets.sync, "another-sync-token-of-these-tests"];
    const redeem = async (app: TestApp, token: string, username: string) =>
      await app.call(register, { body: { token, username, password: "a good password" } });
    const first = await start();
    const early = await request(first, "early", own);
    const { token: late, accountId } = await issued(first, "late", own);
    const admin = await createWorld(first).actor({ groups: ["admin"] });
    await stop();

    const both = await start({ ROLLCALL_SYNC_APITOKENS: `${own},${added}` });
    const stays = await request(both, "stays", added);
    expect((await redeem(both, early, "early")).status).toBe(200);
    await stop();

    const without = await start({ ROLLCALL_SYNC_APITOKENS: added });
    expect((await without.call(syncStatus, {}, { token: own })).status).toBe(401);
    const refused = await redeem(without, late, "late");
    expect([refused.status, refused.body.code]).toEqual([400, "accounts.tokenWithdrawn"]);
    expect((await redeem(without, stays, "stays")).status).toBe(200);
    const { output } = await without.call(getAccount, { params: { accountId } }, { cookie: admin.cookie });
    expect(output.tokens).toEqual([]);
    await stop();

    const back = await start();
    expect((await redeem(back, late, "late")).status).toBe(200);
  });
});
