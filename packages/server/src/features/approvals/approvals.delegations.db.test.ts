import { expect, test } from "vitest";
import { queries } from "#core/db/index.ts";
import type { Decider } from "#core/ports/index.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { accountsChanged, setAccountEnabled } from "#features/accounts/accounts.contract.ts";
import { listAudit } from "#features/audit/audit.contract.ts";
import { syncUsers } from "#features/citizens/citizens.contract.ts";
import { listNotifications } from "#features/notifications/notifications.contract.ts";
import { endDelegation, listAllDelegations, listDelegations, longestDelegation, mostDelegations } from "./approvals.contract.ts";
import * as repo from "./approvals.delegations.repo.ts";
import type { ApprovalTables } from "./approvals.schema.ts";
import { ApprovalDriver, otherApproval, trialApproval, TrialApprovals } from "./approvals.testkit.ts";

const trial = new TrialApprovals();
const listing = { "citizens.list": { fields: [] } };

describeApps(
  "delegations of decisions",
  (get) => {
    let count = 0;
    const drive = () => new ApprovalDriver(get());

    /** A boss who alone may decide, somebody of another job, and a request that waits. */
    const scene = async () => {
      const { world } = get();
      const driver = drive();
      const job = `bosses${(count += 1)}`;
      const boss = await world.actor({ job, grade: 3, rights: listing });
      const deputy = await world.actor({ job: `${job}-deputies`, rights: listing });
      const requester = await world.actor({ job: `${job}-others`, rights: listing });
      const subject = `delegated ${get().kind} ${count}`;
      trial.chain(subject, [[{ by: "grade", job, minGrade: 3 } satisfies Decider]]);
      const id = (await driver.request(subject, requester))!;
      return { driver, job, boss, deputy, requester, subject, id };
    };
    const employ = async (actor: TestActor, job: string, grade: number) => {
      const user = { identifier: `char1:${actor.licence}`, firstName: "Act", lastName: "Or", jobs: [{ name: job, grade }] };
      await get().app.call(syncUsers, { body: { items: [user] } }, { token: testSecrets.sync });
    };

    /** Delegations between this person and nobody in particular, until so many fewer than the limit are left. */
    const fill = async ({ from, to, leave = 0 }: { from?: TestActor; to?: TestActor; leave?: number }) => {
      const { container } = get().app.process;
      const person = (from ?? to)!;
      const accountId = await drive().accountId(person);
      const now = container.ports.clock.now();
      await container.db.write("test.fill", async (tx) => {
        const live = await repo.ofAccount(tx, accountId, now);
        const have = live.filter((row) => (from ? row.account_id : row.to_account_id) === accountId).length;
        for (let n = have; n < mostDelegations - leave; n += 1)
          await repo.insert(tx, {
            account_id: from ? accountId : 900_000 + n,
            character_id: from ? person.characterId : 900_000 + n,
            name: "",
            to_account_id: to ? accountId : 900_000 + n,
            to_character_id: to ? person.characterId : 900_000 + n,
            to_name: "",
            kinds: "[]",
            from_at: now,
            until_at: now + 3_600_000,
            revoked_at: null,
            created_at: now,
          });
      });
    };

    /** What a worker would do with the stored events of an account; this process has none. */
    const react = async (consumer: string, type: string, accountId: number) => {
      const { assembly, container } = get().app.process;
      const reaction = assembly.reactions.find((one) => one.consumer === consumer)!;
      await container.db.write("test.react", async (tx) => {
        const select = queries<{ outbox_events: { type: string; payload: string; created_at: number } }>(tx).selectFrom(
          "outbox_events",
        );
        for (const { payload, created_at: at } of await select.selectAll().where("type", "=", type).execute()) {
          const read = JSON.parse(payload) as { accountIds: number[] };
          if (read.accountIds.includes(accountId)) await reaction.handle(tx, { payload: read, at } as never);
        }
      });
    };

    test("a delegate sees, decides on behalf, and both find it among what was decided", async () => {
      const { app, world } = get();
      const { driver, boss, deputy, subject, id } = await scene();
      expect((await driver.get(deputy, id)).status).toBe(404);
      const given = await driver.delegate(boss, deputy);
      expect(given.output).toMatchObject({ given: true, kinds: [trialApproval.id] });
      const got = await app.call(listDelegations, {}, { token: deputy.token });
      expect(got.output.items).toMatchObject([{ id: given.output.id, given: false, by: given.output.by }]);
      expect(got.output.kinds).toContain(trialApproval.id);
      const told = await app.call(listNotifications, { query: { kind: "approvals.delegationGiven" } }, { token: deputy.token });
      expect(told.output.items.length).toBe(1);
      expect((await driver.list(deputy)).map((one) => [one.id, one.onBehalf])).toEqual([[id, given.output.by]]);
      const approved = await driver.approve(deputy, id);
      expect(approved.output.chain[0]?.decision).toMatchObject({ approved: true, onBehalf: { name: given.output.by } });
      expect(trial.of(subject)).toEqual(["approved"]);
      for (const actor of [boss, deputy]) expect((await driver.list(actor, "decided")).map((one) => one.id)).toEqual([id]);
      const admin = await world.actor({ groups: ["admin"] });
      for (const [action, kind, target] of [
        ["approvals.delegate", "approvals.delegation", given.output.id],
        ["approvals.approve", "approvals.request", id],
      ] as const) {
        const entries = await app.call(listAudit, { query: { action } }, { token: admin.token });
        expect(entries.output.items.map(({ object }) => object && { kind: object.kind, id: object.id })).toContainEqual({
          kind,
          id: String(target),
        });
      }
    });

    test("it counts for its kinds only, and is not handed on", async () => {
      const { world } = get();
      const { driver, boss, deputy, id } = await scene();
      const third = await world.actor({ job: `third${count}` });
      await driver.delegate(boss, deputy, [otherApproval.id]);
      expect(await driver.list(deputy)).toEqual([]);
      await driver.delegate(boss, deputy);
      await driver.delegate(deputy, third);
      expect((await driver.list(deputy)).map((one) => one.id)).toEqual([id]);
      expect(await driver.list(third)).toEqual([]);
      expect((await driver.approve(third, id)).status).toBe(404);
    });

    test("it ends when who handed it over may not decide any more: another job, a disabled account", async () => {
      const { app, world } = get();
      const { driver, job, boss, deputy, id } = await scene();
      await driver.delegate(boss, deputy);
      expect((await driver.list(deputy)).length).toBe(1);
      await employ(boss, job, 2);
      expect(await driver.list(deputy)).toEqual([]);
      expect((await driver.approve(deputy, id)).status).toBe(404);
      await employ(boss, job, 3);
      expect((await driver.list(deputy)).length).toBe(1);
      const admin = await world.actor({ groups: ["admin"] });
      const params = { accountId: await driver.accountId(boss) };
      await app.call(setAccountEnabled, { params, body: { enabled: false } }, { cookie: admin.cookie });
      expect((await driver.approve(deputy, id)).status).toBe(404);
      expect((await driver.get(deputy, id)).status).toBe(404);
    });

    test("the requester gets nothing decided by a delegate of their own, or as one", async () => {
      const { world } = get();
      const driver = drive();
      const job = `selfish${(count += 1)}`;
      const [one, two] = [
        await world.actor({ job, grade: 3, rights: listing }),
        await world.actor({ job: `${job}-x`, rights: listing }),
      ];
      const subject = `selfish ${get().kind} ${count}`;
      trial.chain(subject, [[{ by: "grade", job, minGrade: 3 }]]);
      const id = (await driver.request(subject, one))!;
      await driver.delegate(one, two);
      expect(await driver.list(two)).toEqual([]);
      expect((await driver.approve(two, id)).body.code).toBe("approvals.notDecider");
    });

    test("revoked while the delegate decides, it either counted or it did not; ended, it does not count", async () => {
      for (let round = 0; round < 3; round += 1) {
        const { driver, boss, deputy, requester, subject, id } = await scene();
        const { output } = await driver.delegate(boss, deputy);
        const [decided, revoked] = await Promise.all([driver.approve(deputy, id), driver.revoke(boss, output.id)]);
        expect(revoked.status).toBe(204);
        const { state } = (await driver.get(requester, id)).output;
        expect([decided.status, state]).toEqual(decided.status === 200 ? [200, "approved"] : [404, "open"]);
        expect(trial.of(subject)).toEqual(decided.status === 200 ? ["approved"] : []);
        expect(await driver.list(deputy)).toEqual([]);
        expect((await driver.revoke(boss, output.id)).body.code).toBe("approvals.delegationNotFound");
      }
      const { driver, boss, deputy, id } = await scene();
      const { output } = await driver.delegate(boss, deputy);
      const { container } = get().app.process;
      await container.db.write("test.end", async (tx) => {
        const rows = queries<ApprovalTables>(tx)
          .updateTable("approvals_delegations")
          .set({ until_at: container.ports.clock.now() });
        await rows.where("id", "=", output.id).execute();
      });
      expect((await driver.approve(deputy, id)).status).toBe(404);
    });

    test("who handed it over reads what was decided in their name, and a new delegation replaces its unread news", async () => {
      const { app } = get();
      const { driver, boss, deputy, id } = await scene();
      await driver.delegate(boss, deputy);
      await driver.delegate(boss, deputy, [otherApproval.id]);
      const news = async (to: TestActor, kind: string) =>
        (await app.call(listNotifications, { query: { kind } }, { token: to.token })).output.items;
      expect(await news(deputy, "approvals.delegationGiven")).toHaveLength(1);
      await driver.approve(deputy, id);
      const [told, ...more] = await news(boss, "approvals.decidedForYou");
      expect([told?.link, Object.keys(told?.params ?? {}).toSorted(), more]).toEqual([`/approvals/${id}`, ["about", "by"], []]);
      expect(await news(deputy, "approvals.decidedForYou")).toEqual([]);
    });

    test("it ends for good when who handed it over is disabled", async () => {
      const { app, world } = get();
      const { driver, boss, deputy } = await scene();
      await driver.delegate(boss, deputy);
      await driver.delegate(deputy, boss);
      const admin = await world.actor({ groups: ["admin"] });
      const params = { accountId: await driver.accountId(boss) };
      for (const enabled of [false, true])
        await app.call(setAccountEnabled, { params, body: { enabled } }, { cookie: admin.cookie });
      await react("approvals.endDelegations", accountsChanged.id, params.accountId);
      const left = (await app.call(listDelegations, {}, { token: deputy.token })).output.items;
      expect(left.map(({ given }) => given)).toEqual([true]);
    });

    test("it is deleted with the citizen who gave or got it", async () => {
      const { driver, boss, deputy, requester } = await scene();
      await driver.delegate(boss, deputy);
      await driver.delegate(requester, boss);
      await driver.delegate(requester, deputy);
      const { assembly, container } = get().app.process;
      const payload = { citizenIds: [boss.characterId] };
      const reaction = assembly.reactions.find(({ consumer }) => consumer === "approvals.purgeCitizens")!;
      await container.db.write("test.purge", async (tx) => await reaction.handle(tx, { payload } as never));
      const rows = async () =>
        await container.db.read("test.rows", async (tx) => {
          const select = queries<ApprovalTables>(tx)
            .selectFrom("approvals_delegations")
            .select(["character_id", "to_character_id"]);
          return await select.where("to_character_id", "in", [boss.characterId, deputy.characterId]).execute();
        });
      expect(await rows()).toEqual([{ character_id: requester.characterId, to_character_id: deputy.characterId }]);
    });

    test("config admins see those of everybody and can end them", async () => {
      const { app, world } = get();
      const { driver, boss, deputy } = await scene();
      const { output } = await driver.delegate(boss, deputy);
      const { cookie } = await world.actor({ groups: ["admin"] });
      const mine = async () => {
        const { items } = (await app.call(listAllDelegations, {}, { cookie })).output;
        return items.filter(({ id }) => id === output.id).map(({ by, to }) => ({ by, to }));
      };
      expect(await mine()).toEqual([{ by: output.by, to: output.to }]);
      const params = { id: output.id };
      expect((await app.call(endDelegation, { params }, { cookie })).status).toBe(204);
      expect([await mine(), await driver.list(deputy)]).toEqual([[], []]);
      expect((await app.call(endDelegation, { params }, { cookie })).body.code).toBe("approvals.delegationNotFound");
    });

    test("who got one can end it, others cannot", async () => {
      const { driver, boss, deputy, requester } = await scene();
      const { output } = await driver.delegate(boss, deputy);
      expect((await driver.revoke(requester, output.id)).status).toBe(404);
      expect((await driver.revoke(deputy, output.id)).status).toBe(204);
    });

    test("what cannot be handed over is refused with its reason", async () => {
      const { app, world } = get();
      const { driver, boss, deputy } = await scene();
      const codeOf = async (answer: ReturnType<ApprovalDriver["delegate"]>) => (await answer).body.code;
      const hidden = await world.actor({ job: `blind${(count += 1)}` });
      expect(await codeOf(driver.delegate(hidden, deputy))).toBe("approvals.citizensHidden");
      expect(await codeOf(driver.delegate(boss, boss))).toBe("approvals.delegateSelf");
      expect(await codeOf(driver.delegate(boss, deputy, ["no.such"]))).toBe("approvals.kindUnknown");
      const unplayed = await world.citizen({ identifier: `char1:unplayed-${count}` });
      expect(await codeOf(driver.delegate(boss, { ...deputy, characterId: unplayed }))).toBe("approvals.delegateUnknown");
      await fill({ from: boss });
      expect(await codeOf(driver.delegate(boss, deputy))).toBe("approvals.tooManyDelegations");
      expect(longestDelegation).toBeGreaterThan(30);
      expect((await app.call(listDelegations, {}, { token: boss.token })).output.items.length).toBe(mostDelegations);
    });

    test("one person hands each kind to another one once, also as another character", async () => {
      const { driver, boss, deputy, requester } = await scene();
      const kinds = [trialApproval.id, otherApproval.id];
      const first = await driver.delegate(boss, deputy, [trialApproval.id]);
      expect((await driver.delegate(boss, deputy, kinds)).body).toMatchObject({
        status: 409,
        code: "approvals.delegationExists",
      });
      expect((await driver.delegate(boss, deputy, [otherApproval.id])).status).toBe(200);
      expect((await driver.delegate(requester, deputy)).status).toBe(200);
      expect((await driver.delegate(boss, requester)).status).toBe(200);
      await driver.revoke(boss, first.output.id);
      expect((await driver.delegate(boss, deputy, [trialApproval.id])).status).toBe(200);
    });

    test("of several that are made at once, no more than the limit are, and of the same one", async () => {
      const { world } = get();
      const { driver, boss, deputy } = await scene();
      const others: TestActor[] = [];
      for (let n = 0; n < 6; n += 1) others.push(await world.actor({ job: `rush${count}-${n}`, rights: listing }));
      const same = await Promise.all(others.map(async () => await driver.delegate(boss, deputy)));
      expect(same.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
      await fill({ from: boss, leave: 2 });
      const given = await Promise.all(others.map(async (one) => await driver.delegate(boss, one)));
      expect(given.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409, 409, 409]);
      await fill({ to: deputy, leave: 2 });
      const got = await Promise.all(others.map(async (one) => await driver.delegate(one, deputy)));
      expect(got.map(({ status }) => status).toSorted()).toEqual([200, 200, 409, 409, 409, 409]);
    });
  },
  {},
  { features: [trial.feature], roles: ["web"] },
);
