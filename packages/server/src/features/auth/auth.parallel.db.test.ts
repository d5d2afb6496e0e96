import { TOTP } from "otpauth";
import { expect, test } from "vitest";
import type { Answer } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { changeUsername, confirmFactor, enrolFactor, login, loginFactor, reset } from "./auth.contract.ts";

/** Attempts that a limit allows: the free ones, and the one whose failure begins the wait. */
const evaluated = { pair: 6, network: 31, account: 51, factor: 11 };

const codesOf = (answers: readonly Answer[], code: string) => answers.filter(({ body }) => body?.code === code).length;

describeApps(
  "attempts at the same time",
  (get) => {
    const codeOf = (seed: string, steps = 0) => new TOTP({ secret: seed }).generate({ timestamp: Date.now() + steps * 30_000 });

    async function enrolled(actor: TestActor): Promise<{ seed: string; codes: string[] }> {
      const { app } = get();
      const begun = await app.call(enrolFactor, { body: { password: actor.password } }, { cookie: actor.cookie });
      const body = { code: codeOf(begun.output.secret) };
      const confirmed = await app.call(confirmFactor, { body }, { cookie: actor.cookie });
      return { seed: begun.output.secret, codes: confirmed.output.recoveryCodes };
    }

    async function firstStep(actor: TestActor): Promise<Record<string, string>> {
      const answer = await get().app.call(login, { body: { username: actor.username, password: actor.password } });
      expect(answer.body).toEqual({ factorNeeded: true });
      const cookies = [answer.headers["set-cookie"] ?? []].flat();
      return { cookie: cookies.find((one) => one.startsWith("rollcall_factor="))?.split(";", 1)[0] ?? "" };
    }

    const second = async (headers: Record<string, string>, code: string, address: string) =>
      await get().app.call(loginFactor, { body: { code } }, { headers, address });

    const atOnce = async (count: number, one: (i: number) => Promise<Answer>) =>
      await Promise.all(Array.from({ length: count }, async (_none, i) => await one(i)));

    // First: a refusal of another test is counted in the audit log up to a minute later.
    test("of tokens for another password, which leave nothing in the database", async () => {
      const { app, writes } = get();
      const written = writes();
      const answers = await atOnce(60, async (i) => {
        const body = { token: `AAAA-BBBB-${1000 + i}`, password: "a good password" };
        return await app.call(reset, { body }, { address: "10.67.0.1" });
      });
      expect(codesOf(answers, "accounts.tokenNotValid")).toBe(evaluated.network);
      expect(codesOf(answers, "auth.throttled")).toBe(60 - evaluated.network);
      expect(written.tables()).toEqual([]);
    });

    test("of the second factor from one network: no more are checked than in sequence", async () => {
      const actor = await get().world.actor();
      await enrolled(actor);
      const headers = await firstStep(actor);
      const answers = await atOnce(60, async () => await second(headers, "000000", "10.61.0.1"));
      expect(codesOf(answers, "auth.factorCodeWrong")).toBe(evaluated.pair);
      expect(codesOf(answers, "auth.throttled")).toBe(60 - evaluated.pair);
    });

    test("of the second factor from many networks, and of recovery codes: the account's limit applies to all together", async () => {
      const actor = await get().world.actor();
      const { seed } = await enrolled(actor);
      const headers = await firstStep(actor);
      const typed = (i: number) => (i % 2 === 0 ? "000000" : "AAAA-BBBB-CCCC-DDDD");
      const answers = await atOnce(150, async (i) => await second(headers, typed(i), `10.62.${i}.1`));
      expect(codesOf(answers, "auth.factorCodeWrong")).toBe(evaluated.factor);
      expect(codesOf(answers, "auth.throttled")).toBe(150 - evaluated.factor);
      // The owner signs in from an address that the account used before.
      expect((await second(headers, codeOf(seed, 1), "127.0.0.1")).status).toBe(200);
    });

    test("of the own password", async () => {
      const actor = await get().world.actor();
      const body = { username: "someoneelse", password: "a guess" };
      const answers = await atOnce(40, async () => await get().app.call(changeUsername, { body }, { cookie: actor.cookie }));
      const later = await atOnce(9, async () => await get().app.call(changeUsername, { body }, { cookie: actor.cookie }));
      const all = [...answers, ...later];
      expect(codesOf(all, "auth.passwordRefused")).toBe(evaluated.pair);
      expect(codesOf(all, "auth.throttled") + codesOf(all, "accounts.busy")).toBe(49 - evaluated.pair);
      expect(codesOf(later, "auth.throttled")).toBe(9);
    });

    test("of signing in from one network", async () => {
      const actor = await get().world.actor();
      const body = { username: actor.username, password: "a guess" };
      const wave = async () => await atOnce(20, async () => await get().app.call(login, { body }, { address: "10.63.0.1" }));
      const answers = [...(await wave()), ...(await wave())];
      expect(codesOf(answers, "auth.wrongPassword")).toBe(evaluated.pair);
      expect(codesOf(answers, "auth.throttled") + codesOf(answers, "auth.busy")).toBe(40 - evaluated.pair);
      expect(codesOf(answers, "auth.throttled")).toBeGreaterThan(0);
    });

    test("of signing in from many networks", { timeout: 60_000 }, async () => {
      const actor = await get().world.actor();
      const body = { username: actor.username, password: "a guess" };
      const wave = async (n: number) =>
        await atOnce(60, async (i) => await get().app.call(login, { body }, { address: `10.64.${n}.${i}` }));
      const network = async (n: number) =>
        await atOnce(60, async (i) => await get().app.call(login, { body }, { address: `10.${70 + n}.${i}.1` }));
      const answers = [...(await network(0)), ...(await network(1)), ...(await wave(2))];
      expect(codesOf(answers, "auth.wrongPassword")).toBeLessThanOrEqual(evaluated.account);
      expect(codesOf(answers, "auth.wrongPassword")).toBeGreaterThan(30);
    });

    test("a right password and a right code do not count against a limit", async () => {
      const { app, world } = get();
      const actor = await world.actor();
      const { codes } = await enrolled(actor);
      for (let i = 0; i < 8; i += 1) await firstStep(actor);
      for (const code of codes.slice(0, 8)) expect((await second(await firstStep(actor), code, "10.65.0.1")).status).toBe(200);
      const other = await world.actor();
      const attempt = async (password: string) =>
        (await app.call(login, { body: { username: other.username, password } }, { address: "10.66.0.1" })).status;
      for (let round = 0; round < 2; round += 1) {
        for (let i = 0; i < 5; i += 1) expect(await attempt("a guess")).toBe(401);
        expect(await attempt(other.password)).toBe(200);
      }
    });
  },
  { ROLLCALL_SECRET: "the-root-secret-of-the-parallel-tests" },
);
