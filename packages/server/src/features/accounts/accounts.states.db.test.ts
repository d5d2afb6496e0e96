import fc from "fast-check";
import { expect, test } from "vitest";
import { queries } from "#core/db/index.ts";
import { describeApps } from "#testkit/suite.ts";
import { login, register, reset } from "#features/auth/auth.contract.ts";
import { accountsApi } from "./accounts.api.ts";
import {
  createAccount,
  deleteAccount,
  getAccount,
  issueAccountToken,
  restoreAccount,
  setAccountEnabled,
} from "./accounts.contract.ts";
import { deletedKeptMs } from "./accounts.policy.ts";
import type { AccountTables } from "./accounts.schema.ts";

const runs = 12 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1);
const password = "a good password";
const cli = { kind: "cli", user: "test" } as const;

const commands = [
  "createNamed",
  "createBare",
  "createLogin",
  "setPassword",
  "issueRegister",
  "issueReset",
  "register",
  "reset",
  "disable",
  "enable",
  "delete",
  "restore",
  "purge",
] as const;
type Command = (typeof commands)[number];

/** What an account should be, in words of its own: the table of the program is not asked. */
interface Model {
  exists: boolean;
  name: string | null;
  password: boolean;
  open: boolean;
  gone: boolean;
  /** Whether a token of the kind was issued for this account and not used. */
  registerToken: boolean;
  resetToken: boolean;
}

const blank: Model = {
  exists: false,
  name: null,
  password: false,
  open: true,
  gone: false,
  registerToken: false,
  resetToken: false,
};

/** A password that is stored, a disabling and a deletion end the tokens of both kinds. */
const noTokens = { registerToken: false, resetToken: false } as const;

/** Whether an account in this condition gets and uses a token of the kind; otherwise what is wrong with it. */
function tokenProblem(kind: "register" | "reset", model: Model): string | null {
  if (model.gone) return "accounts.deleted";
  if (!model.open) return "accounts.disabled";
  if (kind === "register") return model.password ? "accounts.alreadyRegistered" : null;
  return model.name === null ? "accounts.notRegistered" : null;
}

type Expect = (model: Model, name: string) => string | null;

const created =
  (named: boolean): Expect =>
  (model, name) => {
    const problem = model.exists ? tokenProblem("register", model) : null;
    if (problem !== null) return problem;
    Object.assign(model, { exists: true, registerToken: true, ...(named ? { name } : {}) });
    return null;
  };

const issued =
  (kind: "register" | "reset"): Expect =>
  (model) => {
    const problem = tokenProblem(kind, model);
    if (problem === null) model[`${kind}Token`] = true;
    return problem;
  };

const used =
  (kind: "register" | "reset"): Expect =>
  (model, name) => {
    if (!model[`${kind}Token`] || tokenProblem(kind, model) !== null) return "accounts.tokenNotValid";
    Object.assign(model, noTokens, { password: true, ...(kind === "register" ? { name } : {}) });
    return null;
  };

/** Refused by a deleted account, and with `problem` where that is given. */
const changed =
  (change: Partial<Model>, problem: (model: Model) => string | null = () => null): Expect =>
  (model) => {
    const found = model.gone ? "accounts.deleted" : problem(model);
    if (found === null) Object.assign(model, change);
    return found;
  };

/** The expected code of the refusal, null for success; a success changes the model. */
const expectations: Readonly<Record<Command, Expect>> = {
  createNamed: created(true),
  createBare: created(false),
  createLogin: (model, name) =>
    changed({ ...noTokens, exists: true, name, password: true }, () => (model.password ? "accounts.licenceTaken" : null))(
      model,
      name,
    ),
  setPassword(model) {
    if (model.gone || model.name === null) return "accounts.notFound";
    Object.assign(model, noTokens, { password: true });
    return null;
  },
  issueRegister: issued("register"),
  issueReset: issued("reset"),
  register: used("register"),
  reset: used("reset"),
  disable: changed({ ...noTokens, open: false }),
  enable: changed({ open: true }, (model) => (model.open ? "accounts.notDisabled" : null)),
  delete: changed({ ...noTokens, gone: true }),
  restore(model) {
    if (!model.gone) return "accounts.notDeleted";
    model.gone = false;
    return null;
  },
  purge(model) {
    if (model.gone) Object.assign(model, blank);
    return null;
  },
};

/** These work without an account, or say themselves that there is none. */
const creating: readonly Command[] = ["createNamed", "createBare", "createLogin", "setPassword"];

function expected(model: Model, command: Command, name: string): string | null {
  return model.exists || creating.includes(command) ? expectations[command](model, name) : "accounts.notFound";
}

/** What the panel should offer for such an account. */
function offered(model: Model): string[] {
  if (model.gone) return ["restore"];
  if (!model.open) return ["delete", "disable", "enable", "move"];
  const tokens = (["register", "reset"] as const).filter((kind) => tokenProblem(kind, model) === null);
  const names = tokens.map((kind) => (kind === "register" ? "issueRegisterToken" : "issueResetToken"));
  return ["delete", "disable", ...names, "move"];
}

describeApps(
  "the states of accounts",
  (get) => {
    let count = 0;

    /** One account under drawn commands. */
    function driver(cookie: string) {
      const { app } = get();
      const { assembly, container } = app.process;
      const accounts = assembly.api(accountsApi);
      const as = { cookie };
      const n = (count += 1);
      const licence = `states-${n}`;
      const name = `states.${n}`;
      let id = 2_000_000_000;
      const tokens = { register: "none", reset: "none" };

      type Called = { status: number; body: { code?: string } };
      const codeOf = ({ status, body }: Called) => (status < 300 ? null : (body.code ?? `${status}`));
      const attempt = async (work: () => Promise<{ id: number }>) => {
        try {
          id = (await work()).id;
          return null;
        } catch (error) {
          return error instanceof Error ? error.message : String(error);
        }
      };
      const issue = async (kind: "register" | "reset") => {
        const answer = await app.call(issueAccountToken, { params: { accountId: id }, body: { kind } }, as);
        if (answer.status === 200) tokens[kind] = answer.output.token;
        return codeOf(answer);
      };
      const create = async (username?: string) => {
        const answer = await app.call(createAccount, { body: { licence, ...(username ? { username } : {}) } }, as);
        if (answer.status === 200) [id, tokens.register] = [answer.output.accountId, answer.output.token];
        return codeOf(answer);
      };
      const params = () => ({ params: { accountId: id } });
      const enabled = async (on: boolean) =>
        codeOf(await app.call(setAccountEnabled, { ...params(), body: { enabled: on, reason: "a test" } }, as));

      const run: Record<Command, () => Promise<string | null>> = {
        createNamed: async () => await create(name),
        createBare: async () => await create(),
        createLogin: async () => await attempt(async () => await accounts.create(cli, { licence, username: name, password })),
        setPassword: async () => await attempt(async () => await accounts.resetPassword(cli, name, password)),
        issueRegister: async () => await issue("register"),
        issueReset: async () => await issue("reset"),
        register: async () => codeOf(await app.call(register, { body: { token: tokens.register, username: name, password } })),
        reset: async () => codeOf(await app.call(reset, { body: { token: tokens.reset, password } })),
        disable: async () => await enabled(false),
        enable: async () => await enabled(true),
        delete: async () => codeOf(await app.call(deleteAccount, { ...params(), body: { reason: "a test" } }, as)),
        restore: async () => codeOf(await app.call(restoreAccount, params(), as)),
        purge: async () => {
          await container.db.write("test.age", async (tx) => {
            const long = container.ports.clock.now() - deletedKeptMs - 1000;
            const old = queries<AccountTables>(tx).updateTable("accounts").set({ deleted_at: long });
            await old.where("id", "=", id).where("deleted_at", "is not", null).execute();
          });
          await assembly.retain("accounts.cleanUp", { kind: "system", name: "test" });
          return null;
        },
      };
      return { name, run, detail: async () => await app.call(getAccount, params(), as) };
    }

    test("follow the model under drawn commands, and the panel offers what is possible", async () => {
      const { app, world } = get();
      const { cookie } = await world.actor({ groups: ["admin"] });
      const draw = fc.array(fc.constantFrom(...commands), { minLength: 1, maxLength: 14 });
      await fc.assert(
        fc.asyncProperty(draw, async (drawn) => {
          const { name, run, detail } = driver(cookie);
          const model = { ...blank };
          for (const [at, command] of drawn.entries()) {
            const wanted = model.exists || !["register", "reset", "purge"].includes(command);
            if (!wanted) continue;
            const code = expected(model, command, name);
            expect([drawn.slice(0, at + 1), await run[command]()]).toEqual([drawn.slice(0, at + 1), code]);
            const seen = await detail();
            expect([drawn.slice(0, at + 1), seen.status]).toEqual([drawn.slice(0, at + 1), model.exists ? 200 : 404]);
            if (!model.exists) continue;
            expect(seen.output).toMatchObject({
              username: model.name,
              hasPassword: model.password,
              enabled: model.open,
              deletedAt: model.gone ? expect.any(Number) : null,
            });
            expect([drawn.slice(0, at + 1), seen.output.events.toSorted()]).toEqual([
              drawn.slice(0, at + 1),
              offered(model).toSorted(),
            ]);
          }
          if (!model.exists || !model.password || !model.open || model.gone) return;
          expect((await app.call(login, { body: { username: name, password } })).status).toBe(200);
        }),
        { numRuns: runs, seed: 20_261_123 },
      );
    });

    test("of two who change one account at once, each finds the state that the other one left", async () => {
      const { app, world } = get();
      const as = { cookie: (await world.actor({ groups: ["admin"] })).cookie };
      const { id } = await app.process.assembly.api(accountsApi).create(cli, { licence: "both", username: "both", password });
      const params = { accountId: id };
      for (let round = 0; round < 4; round += 1) {
        const both = await Promise.all([
          app.call(deleteAccount, { params, body: { reason: "one" } }, as),
          app.call(deleteAccount, { params, body: { reason: "two" } }, as),
        ]);
        expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
        const back = await Promise.all([app.call(restoreAccount, { params }, as), app.call(restoreAccount, { params }, as)]);
        expect(back.map(({ status }) => status).toSorted()).toEqual([200, 409]);
      }
    });
  },
  {},
  { roles: ["web"] },
);
