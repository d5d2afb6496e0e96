import { describe, expect, test } from "vitest";
import type { InputOf, OperationDefinition } from "#core/contract/index.ts";
import { createRole, deleteRole, putRole } from "#features/access/access.contract.ts";
import {
  createAccount,
  deleteAccount,
  getAccount,
  issueAccountToken,
  setAccountEnabled,
  setAccountLicence,
  syncAccounts,
} from "#features/accounts/accounts.contract.ts";
import { changeUsername, register } from "#features/auth/auth.contract.ts";
import { syncUsers, syncUsersDelete } from "#features/citizens/citizens.contract.ts";
import { putNotice, removeNotice, restoreNotice } from "#features/notices/notices.contract.ts";
import { type Answer, type RequestOptions, testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { createPublicNotice } from "#features/notices/notices.testkit.ts";
import { loadVersionedOperations } from "#testkit/versions.ts";
import { features } from "./features.ts";

const operations = features.flatMap(({ contract }) => contract.operations ?? []);
const edits = await loadVersionedOperations();
const rounds = 2 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1);

describeApps(
  "two at once",
  (get) => {
    let counter = 0;
    let lead: TestActor | undefined;
    let admin: TestActor | undefined;
    const jobAdmin = async () => (lead ??= await get().world.actor({ groups: ["lead"], jobAdmin: true }));
    const configAdmin = async () => (admin ??= await get().world.actor({ groups: ["admin"] }));
    const newJob = async () => {
      const job = `twins${(counter += 1)}`;
      await get().world.job(job);
      return job;
    };
    const call = async <D extends OperationDefinition>(operation: D, input: Partial<InputOf<D>>, as: RequestOptions) =>
      await get().app.call(operation, input, as);

    test("every operation with a version is covered", () => {
      const versioned = operations.filter(({ id, input: { body } }) => {
        if (body === undefined) return false;
        if (!("properties" in body))
          throw new Error(`the body of ${id} is no object: this test cannot tell whether it has a version`);
        return "version" in (body.properties as object);
      });
      expect(edits.map(({ operation }) => operation.id).sort()).toEqual(versioned.map(({ id }) => id).sort());
    });

    test.each(edits.map((one) => [one.operation.id, one] as const))(
      "%s: one succeeds, the other gets the current version",
      async (_id, { operation, prepare }) => {
        for (let round = 0; round < rounds; round += 1) {
          const { as, version, change } = await prepare(get());
          const put = async (turn: "left" | "right") => {
            const { params, body } = change(turn);
            return await call(operation, { ...(params ? { params } : {}), body: { ...body, version } } as never, as);
          };
          const answers = await Promise.all([put("left"), put("right")]);
          const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
          expect([won?.status, lost?.status, lost?.body.code]).toEqual([200, 409, expect.stringMatching(/\.stale$/)]);
          expect(won?.body.version).toBeGreaterThan(version);
          expect(won?.body).toMatchObject(lost?.body.current);
        }
      },
    );

    describe("unique records", () => {
      /** Runs both at once; returns how many succeeded, and the errors of the others. */
      async function race(calls: readonly (() => Promise<Answer>)[]) {
        const answers = await Promise.all(calls.map(async (one) => await one()));
        const refused = answers.filter(({ status }) => status >= 400);
        return { won: answers.length - refused.length, refused: refused.map(({ status, body }) => `${status} ${body.code}`) };
      }

      test("a role, a user name, a licence and a token are given to one caller only", async () => {
        const { world, app } = get();
        for (let round = 0; round < rounds; round += 1) {
          const as = { cookie: (await configAdmin()).cookie };
          const jobAdminToken = { token: (await jobAdmin()).token };
          const job = await newJob();
          const role = async () => await call(createRole, { params: { job }, body: { grade: 2 } }, jobAdminToken);
          expect(await race([role, role])).toEqual({ won: 1, refused: ["409 access.roleExists"] });

          const named = `same${counter}`;
          const account = async (licence: string) => await call(createAccount, { body: { licence, username: named } }, as);
          expect(await race([async () => await account(`a${counter}`), async () => await account(`b${counter}`)])).toEqual({
            won: 1,
            refused: ["409 accounts.usernameTaken"],
          });

          const ids: number[] = [];
          for (const licence of [`c${counter}`, `d${counter}`])
            ids.push((await call(createAccount, { body: { licence } }, as)).output.accountId);
          const tokens: string[] = [];
          for (const accountId of ids)
            tokens.push((await call(issueAccountToken, { params: { accountId }, body: { kind: "register" } }, as)).output.token);
          const registering = async (token = "", username = `new${counter}`) =>
            await call(register, { body: { token, username, password: "a good password" } }, {});
          expect(await race(tokens.map((token) => async () => await registering(token)))).toEqual({
            won: 1,
            refused: ["409 accounts.usernameTaken"],
          });
          const fresh = (await call(createAccount, { body: { licence: `e${counter}` } }, as)).output.token;
          expect(await race([0, 1].map((n) => async () => await registering(fresh, `once${counter}n${n}`)))).toEqual({
            won: 1,
            refused: ["400 accounts.tokenNotValid"],
          });

          const people = [await world.actor(), await world.actor()];
          const rename = async (who: TestActor) =>
            await call(changeUsername, { body: { username: `Nick${counter}`, password: who.password } }, { cookie: who.cookie });
          expect(await race(people.map((who) => async () => await rename(who)))).toEqual({
            won: 1,
            refused: ["409 accounts.usernameTaken"],
          });
          const accountIds = await Promise.all(
            people.map(
              async ({ cookie }) => (await app.request("GET", "/api/auth/account", { cookie })).body.account.id as number,
            ),
          );
          const move = async (accountId: number) =>
            await call(setAccountLicence, { params: { accountId }, body: { licence: `moved${counter}`, reason: "a test" } }, as);
          expect(await race(accountIds.map((id) => async () => await move(id)))).toEqual({
            won: 1,
            refused: ["409 accounts.licenceHasLogin"],
          });
        }
      });

      test("the same citizens, sent and deleted by several callers at once, are stored once", async () => {
        const sync = { token: testSecrets.sync };
        for (let round = 0; round < rounds; round += 1) {
          counter += 1;
          const identifiers = Array.from({ length: 30 }, (_one, i) => `char1:crowd${counter}-${i}`);
          const items = (order: readonly string[], firstName: string) =>
            order.map((identifier) => ({
              identifier,
              firstName,
              lastName: "B",
              jobs: [{ name: "police", grade: 0 }],
              licences: ["drive"],
            }));
          const accounts = identifiers.map((identifier) => ({ licence: identifier.slice(6), groups: ["staff"] }));
          const answers = await Promise.all([
            call(syncUsers, { body: { items: items(identifiers, "A") } }, sync),
            call(syncUsers, { body: { items: items(identifiers.toReversed(), "A") } }, sync),
            call(syncUsers, { body: { items: items(identifiers, "C") } }, sync),
            call(syncUsersDelete, { body: { identifiers } }, sync),
            call(syncAccounts, { body: { items: accounts } }, sync),
            call(syncAccounts, { body: { items: accounts.toReversed() } }, sync),
          ]);
          expect(answers.map(({ status, body }) => [status, body.rejected])).toEqual(answers.map(() => [200, []]));
          const after = await call(syncUsers, { body: { items: items(identifiers, "Z") } }, sync);
          expect(after.body).toEqual({ accepted: identifiers.length, unchanged: 0, rejected: [] });
        }
      });
    });

    test("concurrent edits and deletions of the same record end consistently", async () => {
      for (let round = 0; round < rounds; round += 1) {
        const { writer, notice, content } = await createPublicNotice(get());
        const params = { id: notice.id };
        const admins = { cookie: (await configAdmin()).cookie };
        const { token } = await jobAdmin();
        const role = { job: await newJob(), grade: 1 };
        await call(createRole, { params: { job: role.job }, body: { grade: 1 } }, { token });
        const victim = (await call(createAccount, { body: { licence: `gone${counter}` } }, admins)).output.accountId;
        const account = { params: { accountId: victim } };
        const answers = await Promise.all([
          call(putNotice, { params, body: { ...content, version: 1, title: "After" } }, writer),
          call(removeNotice, { params }, writer),
          call(restoreNotice, { params }, writer),
          call(removeNotice, { params }, writer),
          call(
            putRole,
            { params: role, body: { version: 1, grants: { "citizens.view": { allow: true, attributes: {} } } } },
            { token },
          ),
          call(deleteRole, { params: role }, { token }),
          call(createRole, { params: { job: role.job }, body: { grade: 1 } }, { token }),
          call(deleteAccount, { ...account, body: { reason: "a test" } }, admins),
          call(setAccountEnabled, { ...account, body: { enabled: false } }, admins),
          call(issueAccountToken, { ...account, body: { kind: "register" } }, admins),
        ]);
        expect(answers.filter(({ status }) => ![200, 204, 404, 409].includes(status)).map(({ text }) => text)).toEqual([]);
        expect((await call(getAccount, account, admins)).body.deletedAt).toEqual(expect.any(Number));
      }
    });
  },
  { ROLLCALL_MODE: "debug" },
);
