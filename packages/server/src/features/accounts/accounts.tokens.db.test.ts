import { expect, test } from "vitest";
import { register } from "#features/auth/auth.contract.ts";
import { createPasswordHashes } from "#infra/passwords.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import { openToken, revokeAccountToken, syncAccountToken, tokenLinks } from "./accounts.contract.ts";
import { tokenHash } from "./accounts.tokens.policy.ts";

const cheap = createPasswordHashes({ memoryCost: 8, timeCost: 1 });

/** Hashes that wait between `hold` and `release`. */
class HeldHashes {
  #gate: PromiseWithResolvers<void> | null = null;
  #arrived = Promise.withResolvers<void>();

  readonly verify = cheap.verify;

  readonly hash = async (password: string) => {
    if (this.#gate !== null) {
      this.#arrived.resolve();
      await this.#gate.promise;
    }
    return await cheap.hash(password);
  };

  hold(): void {
    this.#gate = Promise.withResolvers();
    this.#arrived = Promise.withResolvers();
  }

  /** A hash was asked for. */
  async reached(): Promise<void> {
    await this.#arrived.promise;
  }

  release(): void {
    this.#gate?.resolve();
    this.#gate = null;
  }
}

const hashes = new HeldHashes();

describeApps(
  "tokens of accounts",
  (get) => {
    const issue = async (licence: string, kind: "register" | "reset") =>
      await get().app.call(syncAccountToken, { body: { licence, kind } }, { token: testSecrets.sync });

    test("what a token is for is shown to whoever has it, until it is used", async () => {
      const { app, world } = get();
      const { token: text } = (await issue("reg-shown", "register")).output;
      const open = async (link: string) => (await app.call(openToken, {}, { link })).body;
      expect(await open(text.toLowerCase())).toEqual({ kind: "register", username: null });
      const { username, licence } = await world.actor();
      expect(await open((await issue(licence, "reset")).output.token)).toEqual({ kind: "reset", username });
      await app.call(register, { body: { token: text, username: "reg.shown", password: "a fine password" } });
      expect((await open(text)).code).toBe("system.linkInvalid");
    });

    test("a token that is revoked while its password is hashed registers nobody", async () => {
      const { app, world } = get();
      const { token: text, accountId } = (await issue("reg-revoked", "register")).output;
      const { cookie } = await world.actor({ groups: ["admin"] });
      const body = { token: text, username: "reg.revoked", password: "a fine password" };
      const params = { accountId, kind: "register" } as const;
      hashes.hold();
      const registering = app.call(register, { body });
      await hashes.reached();
      const revoked = await app.call(revokeAccountToken, { params }, { cookie });
      expect([revoked.status, revoked.output.tokens]).toEqual([200, []]);
      hashes.release();
      expect((await registering).body.code).toBe("accounts.tokenNotValid");
      const again = await app.call(revokeAccountToken, { params }, { cookie });
      expect([again.status, again.body.code]).toEqual([404, "accounts.tokenMissing"]);
    });

    test("a purged account leaves no token and no link that it issued", async () => {
      const { app, world } = get();
      const { accountId } = (await issue("reg-purged", "register")).output;
      const stays = (await issue("reg-stays", "register")).output.accountId;
      const sql = async (statement: string, values: readonly (string | number)[]) =>
        await app.process.container.db.exclusive("test", async ({ connection }) => await connection.execute(statement, values));
      const left = async () =>
        (
          await sql(
            "select subject from links where subject in (?, ?) or account_id = ?",
            [accountId, stays, accountId].map(String),
          )
        ).rows.length;
      await world.link(tokenLinks.reset, String(accountId));
      await sql("update links set account_id = ? where subject = ?", [accountId, "1"]);
      expect(await left()).toBeGreaterThanOrEqual(3);
      await sql("update accounts set deleted_at = ? where id = ?", [1, accountId]);
      await app.process.assembly.retain("accounts.cleanUp", { kind: "system", name: "test" });
      expect(await left()).toBe(1);
    });

    test("a token that an earlier version issued still works once, and a new one replaces it", async () => {
      const { app } = get();
      const insert = async (text: string, accountId: number) =>
        await app.process.container.db.exclusive(
          "test",
          async ({ connection }) =>
            await connection.execute(
              "insert into accounts_tokens (token_hash, kind, account_id, created_by, created_at, expires_at) values (?, ?, ?, ?, ?, ?)",
              [tokenHash(text), "register", accountId, "root", Date.now(), Date.now() + 60_000],
            ),
        );
      const use = async (token: string, username: string) =>
        await app.call(register, { body: { token, username, password: "a fine password" } });
      const { accountId } = (await issue("reg-earlier", "register")).output;
      await insert("EARL-0001", accountId);
      expect((await use("earl 0001", "reg.earlier")).status).toBe(200);
      expect((await use("EARL-0001", "reg.earlier2")).body.code).toBe("accounts.tokenNotValid");
      const other = (await issue("reg-replaced", "register")).output.accountId;
      await insert("EARL-0002", other);
      await issue("reg-replaced", "register");
      expect((await use("EARL-0002", "reg.replaced")).body.code).toBe("accounts.tokenNotValid");
    });
  },
  {},
  { passwordHashes: hashes },
);
