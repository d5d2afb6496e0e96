import { TOTP } from "otpauth";
import { expect, test } from "vitest";
import type { CallContext } from "#core/feature.ts";
import { accountsApi } from "#features/accounts/accounts.api.ts";
import { accountsChanged, setAccountEnabled } from "#features/accounts/accounts.contract.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { notificationsApi } from "#features/notifications/notifications.api.ts";
import { type Answer, cookieOf, testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { authApi } from "./auth.api.ts";
import {
  changePassword,
  characters,
  confirmFactor,
  enrolFactor,
  login,
  loginFactor,
  ownAccount,
  ownSessions,
  sessionsChanged,
} from "./auth.contract.ts";
import { passwordFingerprint, SessionOpener } from "./auth.open.service.ts";
import { lazyFingerprintOfSecrets } from "./auth.secrets.policy.ts";

const cli = { kind: "cli", user: "test" } as const;
const rootSecret = "the-root-secret-of-the-epoch-tests";
const secretsFingerprint = lazyFingerprintOfSecrets({
  secret: rootSecret,
  jwtSecret: testSecrets.jwt,
  cookieSecret: testSecrets.cookie,
});

/** The app has no worker, so a reaction runs only where a test calls it. */
describeApps(
  "sessions of another epoch",
  (get) => {
    const api = () => get().app.process.assembly.api(accountsApi);
    const signIn = async ({ username, password }: Pick<TestActor, "username" | "password">) =>
      cookieOf(await get().app.call(login, { body: { username, password } }));
    const statusOf = async (cookie: string) => (await get().app.call(characters, {}, { cookie })).status;
    const idOf = async ({ cookie }: TestActor) => (await get().app.call(ownAccount, {}, { cookie })).output.account.id;
    const query = async (statement: string, values: readonly (string | number)[]) =>
      await get().app.process.container.db.exclusive(
        "test",
        async ({ connection }) => (await connection.execute(statement, [...values])).rows,
      );
    const endedOf = async (accountId: number) =>
      (
        await query("select ended_at from auth_sessions where account_id = ? order by created_at, account_epoch", [accountId])
      ).map((row) => row["ended_at"] !== null);

    async function react(accountId: number): Promise<void> {
      const { assembly, container } = get().app.process;
      const reaction = assembly.reactions.find(({ consumer }) => consumer === "auth.endSessions")!;
      const { clock } = container.ports;
      await container.db.write("test.react", async (tx) => {
        await reaction.handle(tx, {
          eventId: "event",
          type: accountsChanged.id,
          schemaVersion: 1,
          key: `account/${accountId}`,
          version: clock.now(),
          at: clock.now(),
          payload: { accountIds: [accountId], endSessions: true },
        });
      });
    }

    test("are refused and listed nowhere right after the commit, before any reaction ran", async () => {
      const actor = await get().world.actor();
      const accountId = await idOf(actor);
      const cookie = await signIn(actor);
      await api().resetPassword(cli, actor.username, "another password");
      expect(await statusOf(cookie)).toBe(401);
      expect(await endedOf(accountId)).toEqual([false, false]);
      const fresh = await signIn({ ...actor, password: "another password" });
      const { output } = await get().app.call(ownSessions, {}, { cookie: fresh });
      expect(output.sessions.map(({ current }) => current)).toEqual([true]);
    });

    test("are ended by the reaction, which is harmless when it runs twice and spares those of the present epoch", async () => {
      const actor = await get().world.actor();
      const accountId = await idOf(actor);
      await api().resetPassword(cli, actor.username, "another password");
      const fresh = await signIn({ ...actor, password: "another password" });
      await react(accountId);
      expect(await endedOf(accountId)).toEqual([true, false]);
      const announced = async () =>
        (await query("select payload from outbox_events where type = ?", [sessionsChanged.id])).map((row) =>
          String(row["payload"]),
        );
      const [{ id } = { id: "" }] = (await query("select id from auth_sessions where account_id = ? and ended_at is not null", [
        accountId,
      ])) as { id: string }[];
      expect((await announced()).filter((payload) => payload.includes(id))).toHaveLength(1);
      await react(accountId);
      expect(await endedOf(accountId)).toEqual([true, false]);
      expect((await announced()).filter((payload) => payload.includes(id))).toHaveLength(1);
      expect(await statusOf(fresh)).toBe(200);
    });

    test("do not come from the browser that changed the password: its new session stays", async () => {
      const actor = await get().world.actor();
      const accountId = await idOf(actor);
      const body = { password: actor.password, newPassword: "another password" };
      const changed = await get().app.call(changePassword, { body }, { cookie: actor.cookie });
      await react(accountId);
      expect(await statusOf(cookieOf(changed))).toBe(200);
      expect(await endedOf(accountId)).toEqual([true, false]);
    });

    test("a sign-in that read the account before the password changed, and opens its session after it, is refused", async () => {
      const { assembly, container } = get().app.process;
      const { db } = container;
      const { ports } = container;
      const actor = await get().world.actor();
      const opener = new SessionOpener({
        ...ports,
        accounts: api(),
        audit: assembly.api(auditApi),
        notifications: assembly.api(notificationsApi),
        secretsFingerprint,
        emitChanged: async () => undefined,
      });
      const read = async () =>
        (await db.read("test.account", async (tx) => await api().byUsername(tx, actor.username))) ?? expect.fail("no account");
      const open = async (account: Awaited<ReturnType<typeof read>>) => {
        let secret = "";
        const cookies = {
          session: () => null,
          setSession: (value: string | null) => void (secret = value ?? ""),
          get: async () => null,
          set: () => undefined,
        };
        const call = { cookies, address: "127.0.0.1", userAgent: "test", actor: { kind: "system", name: "test" } };
        const hash = await db.read("test.hash", async (tx) => await api().passwordHash(tx, account.id));
        const proof = { method: "oauth:test", factor: false, passwordFingerprint: passwordFingerprint(hash) };
        await opener.open(call as unknown as CallContext, account, proof);
        return secret;
      };
      const bySession = async (secret: string) =>
        await assembly.api(authApi).authenticator.bySession(secret, { address: "127.0.0.1", userAgent: "test", traceId: "t" });
      const before = await read();
      await api().resetPassword(cli, actor.username, "another password");
      expect(await bySession(await open(before))).toBeNull();
      expect(await bySession(await open(await read()))).toMatchObject({ accountId: before.id });
    });

    test("a first step of signing in is void once the sessions of the account ended, also with the same password", async () => {
      const { app, world } = get();
      const admin = await world.actor({ groups: ["admin"] });
      const actor = await world.actor();
      const as = { cookie: actor.cookie };
      const accountId = await idOf(actor);
      const seed = (await app.call(enrolFactor, { body: { password: actor.password } }, as)).output.secret;
      const codeAt = (steps: number) => new TOTP({ secret: seed }).generate({ timestamp: Date.now() + steps * 30_000 });
      expect((await app.call(confirmFactor, { body: { code: codeAt(0) } }, as)).status).toBe(200);
      const firstStep = async () => {
        const answer: Answer = await app.call(login, { body: { username: actor.username, password: actor.password } });
        const cookies = [answer.headers["set-cookie"] ?? []].flat();
        return { cookie: cookies.find((one) => one.startsWith("rollcall_factor="))?.split(";", 1)[0] ?? "" };
      };
      const headers = await firstStep();
      for (const enabled of [false, true]) {
        const body = { enabled, reason: "a stolen device" };
        const set = await app.call(setAccountEnabled, { params: { accountId }, body }, { cookie: admin.cookie });
        expect(set.status).toBe(200);
      }
      const late = await app.call(loginFactor, { body: { code: codeAt(1) } }, { headers });
      expect([late.status, late.body.code]).toEqual([401, "auth.factorExpired"]);
      expect((await app.call(loginFactor, { body: { code: codeAt(1) } }, { headers: await firstStep() })).status).toBe(200);
    });
  },
  { ROLLCALL_SECRET: rootSecret },
  { roles: ["web"] },
);
