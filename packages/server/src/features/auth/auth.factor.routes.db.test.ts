import { TOTP } from "otpauth";
import { describe, expect, test } from "vitest";
import { getAccount } from "#features/accounts/accounts.contract.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import { systemClock } from "#infra/clock.ts";
import { createIds } from "#infra/ids.ts";
import { createVault } from "#infra/vault.ts";
import { type Answer, cookieOf } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  adminsWithoutFactor,
  changePassword,
  characters,
  confirmFactor,
  disableFactor,
  enrolFactor,
  login,
  loginFactor,
  ownAccount,
  ownFactor,
  renewRecoveryCodes,
  resetFactorOf,
} from "./auth.contract.ts";

const secret = "the-root-secret-of-the-factor-tests";

/** The present code or, with `steps`, the one that many half minutes later. */
const codeOf = (uri: { secret: string }, steps = 0) =>
  new TOTP({ secret: uri.secret }).generate({ timestamp: Date.now() + steps * 30_000 });

function factorCookie(answer: Answer): Record<string, string> {
  const header = [answer.headers["set-cookie"] ?? []].flat().find((one) => one.startsWith("rollcall_factor="));
  return { cookie: header?.split(";", 1)[0] ?? "" };
}

describeApps(
  "second factor",
  (get) => {
    async function enrolled(actor: TestActor) {
      const { app } = get();
      const begun = await app.call(enrolFactor, { body: { password: actor.password } }, { cookie: actor.cookie });
      expect(begun.status).toBe(200);
      const confirmed = await app.call(confirmFactor, { body: { code: codeOf(begun.output) } }, { cookie: actor.cookie });
      expect(confirmed.status).toBe(200);
      return { seed: begun.output, codes: confirmed.output.recoveryCodes };
    }
    const signIn = async (actor: TestActor) =>
      await get().app.call(login, { body: { username: actor.username, password: actor.password } });
    const second = async (first: Answer, code: string, address = "127.0.0.1") =>
      await get().app.call(loginFactor, { body: { code } }, { headers: factorCookie(first), address });

    async function requireForAdmins(secondFactorForAdmins: boolean): Promise<void> {
      const { assembly, container } = get().app.process;
      const settings = assembly.api(settingsApi);
      await container.db.write("test", async (tx) => {
        await settings.change(tx, { kind: "system", name: "test" }, (before) => ({
          ...before,
          auth: { ...before.auth, secondFactorForAdmins },
        }));
      });
      await settings.current();
    }

    test("config admins see which admins have none", async () => {
      const { app, world } = get();
      const admin = await world.actor({ groups: ["admin"] });
      const other = await world.actor({ groups: ["admin"] });
      const plain = await world.actor();
      const missing = async () => (await app.call(adminsWithoutFactor, {}, { cookie: admin.cookie })).output;
      const ids = async () => (await missing()).accounts.map(({ id, username }) => [id > 0, username]);
      expect((await app.call(adminsWithoutFactor, {}, { cookie: plain.cookie })).status).toBe(403);
      const before = await missing();
      expect(await ids()).toEqual(
        expect.arrayContaining([
          [true, admin.username],
          [true, other.username],
        ]),
      );
      expect(await ids()).not.toContainEqual([true, plain.username]);
      await enrolled(other);
      expect((await missing()).total).toBe(before.total - 1);
      expect(await ids()).not.toContainEqual([true, other.username]);
    });

    test("is required after the password, and no session opens before it", async () => {
      const { app, world } = get();
      const actor = await world.actor();
      const { seed } = await enrolled(actor);
      expect(seed.uri).toMatch(/^otpauth:\/\/totp\//);
      const first = await signIn(actor);
      expect(first.body).toEqual({ factorNeeded: true });
      expect(cookieOf(first)).toBe("");
      const wrong = await second(first, "000000");
      expect([wrong.status, wrong.body.code]).toEqual([403, "auth.factorCodeWrong"]);
      const done = await second(first, codeOf(seed, 1));
      expect(done.output.account?.username).toBe(actor.username);
      expect((await app.call(characters, {}, { cookie: cookieOf(done) })).status).toBe(200);
    });

    test("accepts no code twice", async () => {
      const { world } = get();
      const actor = await world.actor();
      const { seed } = await enrolled(actor);
      const code = codeOf(seed, 1);
      expect((await second(await signIn(actor), codeOf(seed))).status).toBe(403);
      const first = await signIn(actor);
      expect((await second(first, code)).status).toBe(200);
      expect((await second(first, code)).body.code).toBe("auth.factorCodeWrong");
    });

    test("one code in two calls at the same time opens one session", async () => {
      const { world } = get();
      const actor = await world.actor();
      const { seed } = await enrolled(actor);
      const first = await signIn(actor);
      const answers = await Promise.all([second(first, codeOf(seed, 1)), second(first, codeOf(seed, 1))]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    });

    test("ten recovery codes work once each, and new ones replace them", async () => {
      const { app, world } = get();
      const actor = await world.actor();
      const { seed, codes } = await enrolled(actor);
      expect(new Set(codes).size).toBe(10);
      const first = codes[0] ?? "";
      expect((await second(await signIn(actor), first.toLowerCase().replaceAll("-", " "))).status).toBe(200);
      expect((await second(await signIn(actor), first)).status).toBe(403);
      expect((await app.call(ownFactor, {}, { cookie: actor.cookie })).output).toMatchObject({
        state: "on",
        recoveryCodesLeft: 9,
      });
      const body = { password: actor.password, code: codeOf(seed, 1) };
      const renewed = await app.call(renewRecoveryCodes, { body }, { cookie: actor.cookie });
      expect(renewed.output.recoveryCodes).toHaveLength(10);
      expect((await second(await signIn(actor), codes[1] ?? "")).status).toBe(403);
      expect((await second(await signIn(actor), renewed.output.recoveryCodes[0] ?? "")).status).toBe(200);
    });

    test("is not required before a first code confirmed it", async () => {
      const { app, world } = get();
      const actor = await world.actor();
      await app.call(enrolFactor, { body: { password: actor.password } }, { cookie: actor.cookie });
      expect((await app.call(ownFactor, {}, { cookie: actor.cookie })).output.state).toBe("off");
      expect((await signIn(actor)).output.factorNeeded).toBe(false);
    });

    test("is turned off with password and code only", async () => {
      const { app, world } = get();
      const actor = await world.actor();
      const { seed } = await enrolled(actor);
      const off = async (password: string, code: string) =>
        await app.call(disableFactor, { body: { password, code } }, { cookie: actor.cookie });
      expect((await off("not it", codeOf(seed, 1))).body.code).toBe("auth.passwordRefused");
      expect((await off(actor.password, "000000")).body.code).toBe("auth.factorCodeWrong");
      expect((await off(actor.password, codeOf(seed, 1))).status).toBe(204);
      expect((await signIn(actor)).output.factorNeeded).toBe(false);
      expect((await off(actor.password, "000000")).body.code).toBe("auth.factorNotSet");
    });

    test("guessing is limited from any number of addresses, and the owner's address stays open", async () => {
      const { world } = get();
      const actor = await world.actor();
      const { seed } = await enrolled(actor);
      const first = await signIn(actor);
      const answers: number[] = [];
      for (let i = 0; i < 14; i += 1) answers.push((await second(first, "000000", `10.9.${i}.1`)).status);
      expect(answers.slice(0, 11)).toEqual(Array.from({ length: 11 }, () => 403));
      expect(answers.slice(11)).toEqual([429, 429, 429]);
      expect((await second(first, codeOf(seed, 1))).status).toBe(200);
    });

    test("the cookie of the first step is not a session, and a session is not the cookie of the first step", async () => {
      const { app, world } = get();
      const actor = await world.actor();
      const { seed } = await enrolled(actor);
      const first = await signIn(actor);
      const value = factorCookie(first)["cookie"]?.slice("rollcall_factor=".length) ?? "";
      expect(value).not.toBe("");
      expect((await app.call(characters, {}, { cookie: value })).status).toBe(401);
      const headers = { cookie: `rollcall_factor=${actor.cookie}` };
      const swapped = await app.call(loginFactor, { body: { code: codeOf(seed, 1) } }, { headers });
      expect([swapped.status, swapped.body.code]).toEqual([401, "auth.factorExpired"]);
    });

    test("is stored sealed: no dump holds the seed or a recovery code", async () => {
      const { app, world } = get();
      const { seed, codes } = await enrolled(await world.actor());
      const dump = await app.process.container.db.exclusive("test", async ({ connection }) => {
        const tables = ["auth_factors", "auth_recovery_codes", "audit_entries", "outbox_events"];
        const found = [];
        for (const table of tables) found.push((await connection.execute(`select * from ${table}`, [])).rows);
        return JSON.stringify(found);
      });
      expect(dump).not.toContain(seed.secret);
      for (const code of codes) expect(dump).not.toContain(code);
    });

    test("under another secret the answer refers to an admin; recovery codes work, and an admin can remove the factor", async () => {
      const { app, world } = get();
      const [actor, admin] = [await world.actor(), await world.actor({ groups: ["admin"] })];
      const { seed, codes } = await enrolled(actor);
      const accountId = (await app.call(ownAccount, {}, { cookie: actor.cookie })).output.account.id;
      const foreign = createVault("another root secret entirely", createIds(systemClock)).seal(
        seed.secret,
        "auth_factors.secret",
      );
      await app.process.container.db.exclusive("test", async ({ connection }) => {
        await connection.execute("update auth_factors set secret = ? where account_id = ?", [foreign, accountId]);
      });
      const first = await signIn(actor);
      const refused = await second(first, codeOf(seed, 1));
      expect([refused.status, refused.body.code]).toEqual([409, "auth.factorUnreadable"]);
      expect((await second(first, codes[0] ?? "")).status).toBe(200);
      const findings = await Promise.all(app.process.assembly.registry.parts("checks").map(async (check) => await check.run()));
      expect(findings.flat()).toContainEqual({ id: "auth.factors", state: "problem", params: { count: 1 } });
      const undone = await app.call(resetFactorOf, { params: { accountId } }, { cookie: admin.cookie });
      expect(undone.status).toBe(204);
      expect((await signIn(actor)).output.factorNeeded).toBe(false);
    });

    test("gives admins their powers when the settings require one", async () => {
      const { app, world } = get();
      const admin = await world.actor({ groups: ["admin"] });
      const accountId = (await app.call(ownAccount, {}, { cookie: admin.cookie })).output.account.id;
      await requireForAdmins(true);
      const look = async () => (await app.call(getAccount, { params: { accountId } }, { cookie: admin.cookie })).status;
      expect(await look()).toBe(403);
      expect((await app.call(ownFactor, {}, { cookie: admin.cookie })).output.neededForAdmin).toBe(true);
      await enrolled(admin);
      expect(await look()).toBe(200);
      await requireForAdmins(false);
    });

    test("gives the powers to sessions that showed a code, and to no other session of the account", async () => {
      const { app, world } = get();
      const admin = await world.actor({ groups: ["admin"] });
      const accountId = (await app.call(ownAccount, {}, { cookie: admin.cookie })).output.account.id;
      const look = async (cookie: string) => (await app.call(getAccount, { params: { accountId } }, { cookie })).status;
      await requireForAdmins(true);
      const other = { ...admin, cookie: cookieOf(await signIn(admin)) };
      const { seed, codes } = await enrolled(other);
      expect([await look(other.cookie), await look(admin.cookie)]).toEqual([200, 403]);
      const state = async (cookie: string) => (await app.call(ownFactor, {}, { cookie })).output;
      expect(await state(admin.cookie)).toMatchObject({ state: "on", neededForAdmin: true });
      expect(await state(other.cookie)).toMatchObject({ state: "on", neededForAdmin: false });

      const again = cookieOf(await second(await signIn(admin), codeOf(seed, 1)));
      expect(await look(again)).toBe(200);
      const body = { password: admin.password, newPassword: "another good password" };
      const kept = cookieOf(await app.call(changePassword, { body }, { cookie: again }));
      expect([await look(kept), await look(other.cookie)]).toEqual([200, 401]);

      // A session that showed a code of an earlier factor has shown none of the present one.
      const changed = { ...admin, password: body.newPassword };
      const bare = { ...changed, cookie: cookieOf(await second(await signIn(changed), codes[0] ?? "")) };
      const off = { password: changed.password, code: codes[1] ?? "" };
      expect((await app.call(disableFactor, { body: off }, { cookie: bare.cookie })).status).toBe(204);
      await enrolled(bare);
      expect([await look(bare.cookie), await look(kept)]).toEqual([200, 403]);
      await requireForAdmins(false);
      expect(await look(kept)).toBe(200);
    });

    test("the first step is void once the password changed", async () => {
      const { app, world } = get();
      const actor = await world.actor();
      const { seed, codes } = await enrolled(actor);
      const first = await signIn(actor);
      const body = { password: actor.password, newPassword: "another good password" };
      expect((await app.call(changePassword, { body }, { cookie: actor.cookie })).status).toBe(204);
      const late = await second(first, codeOf(seed, 1));
      expect([late.status, late.body.code]).toEqual([401, "auth.factorExpired"]);
      expect(cookieOf(late)).toBe("");
      const changed = { ...actor, password: body.newPassword };
      expect((await second(await signIn(changed), codes[0] ?? "")).status).toBe(200);
    });
  },
  { ROLLCALL_SECRET: secret },
);

describeApps("second factor without secret", (get) => {
  test("cannot be set up, and the answer names the missing option", async () => {
    const { app, world } = get();
    const actor = await world.actor();
    const answer = await app.call(enrolFactor, { body: { password: actor.password } }, { cookie: actor.cookie });
    expect([answer.status, answer.body.code]).toEqual([409, "auth.factorNeedsSecret"]);
    expect(answer.body.title).toContain("option secret");
    expect((await app.call(ownFactor, {}, { cookie: actor.cookie })).output).toMatchObject({ state: "off", available: false });
  });
});

describe("codes as typed", async () => {
  const { readableCode, typedCode } = await import("#core/codes.ts");
  test("32 bytes make 13 groups, ten make four, and parsing reverses formatting", () => {
    const bytes = Uint8Array.from({ length: 32 }, (_byte, i) => i * 7);
    expect(readableCode(bytes).split("-")).toHaveLength(13);
    expect(readableCode(bytes.slice(0, 10))).toMatch(/^(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}$/);
    expect(typedCode(` ${readableCode(bytes).toLowerCase()} `)).toBe(readableCode(bytes).replaceAll("-", ""));
    expect(typedCode("oil0-1L")).toBe("011011");
  });
});
