import { expect, test } from "vitest";
import { changePassword, login, register, reset } from "#features/auth/auth.contract.ts";
import { cookieOf, testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import { accountsApi } from "./accounts.api.ts";
import {
  createAccount,
  deleteAccount,
  getAccount,
  issueAccountToken,
  restoreAccount,
  setAccountEnabled,
  setAccountLicence,
  syncAccountToken,
  type TokenKind,
} from "./accounts.contract.ts";
import { tokenHash } from "./accounts.tokens.policy.ts";

const password = "a fine password";
const cli = { kind: "cli", user: "test" } as const;
const reason = "a test";

describeApps("tokens of accounts end", (get) => {
  let counter = 0;
  const unique = (text: string) => `${text}${(counter += 1)}`;
  const admin = async () => await get().world.actor({ groups: ["admin"] });
  const accounts = () => get().app.process.assembly.api(accountsApi);
  const sql = async (statement: string, values: readonly (string | number)[]) =>
    await get().app.process.container.db.exclusive("test", async ({ connection }) => await connection.execute(statement, values));
  const idOf = async (username: string) => {
    const { db } = get().app.process.container;
    return (await db.read("test.id", async (tx) => await accounts().byUsername(tx, username)))!.id;
  };
  const issue = async (cookie: string, accountId: number, kind: TokenKind) => {
    const answer = await get().app.call(issueAccountToken, { params: { accountId }, body: { kind } }, { cookie });
    expect(answer.status).toBe(200);
    return answer.output.token;
  };
  /** A token that a version before secret links issued. */
  const issueOlder = async (accountId: number, kind: TokenKind) => {
    const text = `OLDER-${(counter += 1)}`;
    const values = [tokenHash(text), kind, accountId, "root", Date.now(), Date.now() + 60_000];
    const columns = "token_hash, kind, account_id, created_by, created_at, expires_at";
    await sql(`insert into accounts_tokens (${columns}) values (?, ?, ?, ?, ?, ?)`, values);
    return text;
  };
  const redeem = async (kind: TokenKind, token: string) => {
    const { app } = get();
    const answer =
      kind === "reset"
        ? await app.call(reset, { body: { token, password } })
        : await app.call(register, { body: { token, username: unique("ended."), password } });
    return [answer.status, answer.body?.code];
  };
  const ended = [400, "accounts.tokenNotValid"];
  /** A registered account with a reset token of today and one of an earlier version. */
  const registered = async (cookie: string) => {
    const username = unique("holder.");
    const { id } = await accounts().create(cli, { licence: unique("holder-"), username, password });
    return { id, username, tokens: [await issue(cookie, id, "reset"), await issueOlder(id, "reset")] };
  };
  const setEnabled = async (cookie: string, accountId: number, enabled: boolean) =>
    (await get().app.call(setAccountEnabled, { params: { accountId }, body: { enabled, reason } }, { cookie })).status;

  test("when its password is set on the command line", async () => {
    const { cookie } = await admin();
    const { username, tokens } = await registered(cookie);
    await accounts().resetPassword(cli, username, "another password");
    for (const token of tokens) expect(await redeem("reset", token)).toEqual(ended);
    const { app } = get();
    expect((await app.call(login, { body: { username, password: "another password" } })).status).toBe(200);
  });

  test("when its owner chooses another password: who asked for the token may not be the owner", async () => {
    const { app } = get();
    const { cookie } = await admin();
    const { username, tokens } = await registered(cookie);
    const own = cookieOf(await app.call(login, { body: { username, password } }));
    const body = { password, newPassword: "another password" };
    expect((await app.call(changePassword, { body }, { cookie: own })).status).toBe(204);
    for (const token of tokens) expect(await redeem("reset", token)).toEqual(ended);
    expect((await app.call(login, { body: { username, password: "another password" } })).status).toBe(200);
  });

  test("when it is disabled, and stay ended when it is enabled", async () => {
    const { cookie } = await admin();
    const { id, tokens } = await registered(cookie);
    expect([await setEnabled(cookie, id, false), await setEnabled(cookie, id, true)]).toEqual([200, 200]);
    for (const token of tokens) expect(await redeem("reset", token)).toEqual(ended);
    const shown = await get().app.call(getAccount, { params: { accountId: id } }, { cookie });
    expect(shown.output.tokens).toEqual([]);
  });

  test("when it is deleted, and stay ended when it is restored", async () => {
    const { app } = get();
    const { cookie } = await admin();
    const { id, tokens } = await registered(cookie);
    const params = { accountId: id };
    expect((await app.call(deleteAccount, { params, body: { reason } }, { cookie })).status).toBe(200);
    expect((await app.call(restoreAccount, { params }, { cookie })).status).toBe(200);
    for (const token of tokens) expect(await redeem("reset", token)).toEqual(ended);
  });

  test("when it gets another licence: the holder of a token would register with a character of that licence", async () => {
    const { app } = get();
    const { cookie } = await admin();
    const created = await app.call(createAccount, { body: { licence: unique("before-") } }, { cookie });
    const { accountId, token } = created.output;
    const older = await issueOlder(accountId, "register");
    const moved = { params: { accountId }, body: { licence: unique("after-"), reason } };
    expect((await app.call(setAccountLicence, moved, { cookie })).status).toBe(200);
    for (const one of [token, older]) expect(await redeem("register", one)).toEqual(ended);
    expect(await redeem("register", await issue(cookie, accountId, "register"))).toEqual([200, undefined]);
  });

  test("of both kinds when one of them is used", async () => {
    const { app } = get();
    const { cookie } = await admin();
    const body = { licence: unique("both-"), username: unique("both.") };
    const { accountId, token } = (await app.call(createAccount, { body }, { cookie })).output;
    const other = await issue(cookie, accountId, "reset");
    expect((await redeem("register", token))[0]).toBe(200);
    expect(await redeem("reset", other)).toEqual(ended);
  });

  test("of both kinds when the command line creates a login for it", async () => {
    const { app } = get();
    const { cookie } = await admin();
    const body = { licence: unique("login-"), username: unique("login.") };
    const { accountId } = (await app.call(createAccount, { body }, { cookie })).output;
    const other = await issue(cookie, accountId, "reset");
    await accounts().create(cli, { ...body, password });
    expect(await redeem("reset", other)).toEqual(ended);
  });

  test("before they are issued, when their issuer was disabled or lost its powers after the request guard let it in", async () => {
    const { app } = get();
    const target = await accounts().create(cli, { licence: unique("late-"), username: unique("late."), password });
    const changes = [
      ["update accounts set enabled = 0 where id = ?", [401, "system.signInNeeded"]],
      ["update accounts set staff_groups = '[]' where id = ?", [403, "system.configAdminNeeded"]],
    ] as const;
    for (const [statement, refused] of changes) {
      const issuer = await admin();
      await issue(issuer.cookie, target.id, "reset");
      // Without its event, as the guard of another process sees it for a moment.
      await sql(statement, [await idOf(issuer.username)]);
      const wanted = { params: { accountId: target.id }, body: { kind: "reset" } } as const;
      const answer = await app.call(issueAccountToken, wanted, { cookie: issuer.cookie });
      expect([answer.status, answer.body?.code]).toEqual(refused);
    }
  });

  test("when who issued them is disabled, deleted or loses the powers of a config admin; those of others stay", async () => {
    const { app } = get();
    const { cookie } = await admin();
    const endings: ((username: string, accountId: number) => Promise<unknown>)[] = [
      async (_username, accountId) => await setEnabled(cookie, accountId, false),
      async (_username, accountId) => await app.call(deleteAccount, { params: { accountId }, body: { reason } }, { cookie }),
      async (username) => await accounts().setGroups(cli, username, ["lead"]),
    ];
    for (const [at, end] of endings.entries()) {
      const issuer = await admin();
      const body = { licence: unique("issued-") };
      const created = await app.call(createAccount, { body }, { cookie: issuer.cookie });
      const bySync = await app.call(
        syncAccountToken,
        { body: { licence: unique("sync-"), kind: "register" } },
        { token: testSecrets.sync },
      );
      const mine = await app.call(createAccount, { body: { licence: unique("mine-") } }, { cookie });
      await end(issuer.username, await idOf(issuer.username));
      expect([at, await redeem("register", created.output.token)]).toEqual([at, ended]);
      for (const { output } of [bySync, mine]) expect([at, (await redeem("register", output.token))[0]]).toEqual([at, 200]);
    }
  });
});
