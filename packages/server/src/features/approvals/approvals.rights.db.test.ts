import { afterEach, expect, test, vi } from "vitest";
import { CachedValue } from "#core/cached.ts";
import { describeApps } from "#testkit/suite.ts";
import { accessApi } from "#features/access/access.api.ts";
import { listNotifications } from "#features/notifications/notifications.contract.ts";
import { ApprovalDriver, trialApproval, TrialApprovals } from "./approvals.testkit.ts";

const trial = new TrialApprovals();
const system = { kind: "system", name: "test" } as const;

describeApps(
  "requests that a right decides, while no cached value is fresh",
  (get) => {
    let count = 0;
    afterEach(() => {
      vi.restoreAllMocks();
    });

    /** Somebody with the right, who handed decisions to somebody without it; and a request that waits for the right. */
    const scene = async () => {
      const { kind, world } = get();
      const driver = new ApprovalDriver(get());
      const job = `righteous${(count += 1)}`;
      await world.job(job);
      await world.job(`${job}-deputies`);
      const rights = { "notices.create": { fields: [] }, "citizens.list": { fields: [] } };
      const boss = await world.actor({ job, grade: 2, rights });
      const deputy = await world.actor({ job: `${job}-deputies` });
      const requester = await world.actor({ job: `${job}-deputies` });
      expect((await driver.delegate(boss, deputy)).status).toBe(200);
      const subject = `by right ${kind} ${count}`;
      trial.chain(subject, [[{ by: "right", permission: "notices.create", job }]]);
      return { driver, boss, deputy, requester, subject };
    };
    const agePast = () => vi.spyOn(CachedValue.prototype, "fresh", "get").mockReturnValue(null);

    test("a new request and its reminder reach who has the right, and their delegates", async () => {
      const { driver, boss, deputy, requester, subject } = await scene();
      agePast();
      const id = (await driver.request(subject, requester))!;
      await driver.run("remind", id);
      for (const actor of [boss, deputy]) {
        const { output } = await get().app.call(listNotifications, { query: {} }, { token: actor.token });
        const about = output.items.filter(({ params }) => params["about"] === subject);
        expect(about.map((one) => one.kind)).toContain("approvals.reminder");
      }
    });

    test("a delegate sees and decides it, on the page and through the feature", async () => {
      const { driver, deputy, requester, subject } = await scene();
      const id = (await driver.request(subject, requester))!;
      agePast();
      expect((await driver.list(deputy)).map((one) => one.id)).toEqual([id]);
      expect((await driver.approve(deputy, id)).status).toBe(200);
      expect(trial.of(subject)).toEqual(["approved"]);
    });

    test("a role that the unit of work itself changed counts in it", async () => {
      const { driver, boss, subject } = await scene();
      const { assembly, container } = get().app.process;
      const job = `righteous${count}`;
      await container.db.write("test.taken", async (tx) => {
        const grants = { "notices.create": { allow: false, attributes: {} } };
        await assembly.api(accessApi).change(tx, system, { job, grade: 2, grants });
        const wanted = { subject, about: subject, params: { n: 1 } };
        await assembly.registry.approvals().request(tx, system, trialApproval, wanted);
      });
      // Other rights need another token.
      const token = await get().world.tokenOf(boss);
      const { output } = await get().app.call(listNotifications, { query: {} }, { token });
      expect(output.items.filter(({ params }) => params["about"] === subject)).toEqual([]);
      expect(await driver.list({ ...boss, token })).toEqual([]);
    });

    test("a right of one grade decides until others are asked too: another grade, then job admins", async () => {
      const { world } = get();
      const { driver, boss, requester, subject } = await scene();
      const job = `righteous${count}`;
      const rights = { "notices.create": { fields: [] } };
      const other = await world.actor({ job, grade: 1, rights });
      // In job admin somebody has the highest grade.
      const admin = await world.actor({ job, grade: 0, groups: ["lead"], jobAdmin: true });
      const of = (grade: number) => {
        return { by: "right", permission: "notices.create", job, grades: { from: grade, to: grade } } as const;
      };
      trial.chain(subject, [[of(2)]]);
      const id = (await driver.request(subject, requester))!;
      const deciders = async () => {
        const lists = await Promise.all([boss, other, admin].map(async (one) => await driver.list(one)));
        return lists.map((list) => list.some((one) => one.id === id));
      };
      expect(await deciders()).toEqual([true, false, false]);
      expect((await driver.approve(other, id)).status).toBe(404);
      await driver.write(async (tx, approvals) => {
        expect(await approvals.widen(tx, system, trialApproval, subject, [of(1)])).toBe(true);
      });
      expect(await deciders()).toEqual([true, true, false]);
      await driver.write(async (tx, approvals) => {
        await approvals.widen(tx, system, trialApproval, subject, [{ by: "jobAdmins", job }]);
      });
      expect(await deciders()).toEqual([true, true, true]);
      for (const actor of [other, admin]) {
        const { output } = await get().app.call(listNotifications, { query: {} }, { token: actor.token });
        expect(output.items.filter(({ params }) => params["about"] === subject)).toHaveLength(1);
      }
      expect((await driver.get(admin, id)).output.chain[0]?.deciders).toMatchObject([
        { by: "right", grade: `${job} 2` },
        { by: "right", grade: `${job} 1` },
        { by: "jobAdmins", job: job.toUpperCase() },
      ]);
      expect((await driver.approve(admin, id, 3)).status).toBe(200);
      await driver.write(async (tx, approvals) => {
        expect(await approvals.widen(tx, system, trialApproval, subject, [of(2)])).toBe(false);
      });
    });
  },
  {},
  { features: [trial.feature], roles: ["web"] },
);
