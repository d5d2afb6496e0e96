import { expect, test } from "vitest";
import { queries } from "#core/db/index.ts";
import type { Decider } from "#core/ports/index.ts";
import { TestClient } from "#infra/realtime/realtime.testkit.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import type { ApprovalTables } from "./approvals.schema.ts";
import { ApprovalDriver, otherApproval, trialApproval, TrialApprovals } from "./approvals.testkit.ts";

const trial = new TrialApprovals();

describeApps(
  "open pages of requests",
  (get) => {
    let count = 0;

    const follow = async ({ token }: TestActor, topic = "approvals") => {
      const client = await TestClient.signedIn(get().app.process.hub, token);
      await client.subscribe(topic);
      return client;
    };
    /** All of them get what happens in one order: none is late for what another one has. */
    const received = async (clients: readonly TestClient[], numbers: readonly number[]) =>
      await expect.poll(() => clients.map((client) => client.of("event").length), { timeout: 5000 }).toEqual(numbers);
    const scene = async (decider: (boss: TestActor, job: string) => Decider) => {
      const { kind, world } = get();
      const driver = new ApprovalDriver(get());
      const job = `live${(count += 1)}`;
      await world.job(job);
      const boss = await world.actor({
        job,
        grade: 2,
        rights: { "notices.create": { fields: [] }, "citizens.list": { fields: [] } },
      });
      const requester = await world.actor({ job, grade: 1 });
      const subject = `live ${kind} ${count}`;
      trial.chain(subject, [[decider(boss, job)], [{ by: "configAdmins" }]]);
      return { driver, boss, requester, subject, job };
    };

    test("learn of a request that waits for them, and of every step of their own; others learn nothing", async () => {
      const { driver, boss, requester, subject } = await scene((_boss, job) => ({
        by: "right",
        permission: "notices.create",
        job,
      }));
      const admin = await get().world.actor({ groups: ["admin"] });
      const outsider = await get().world.actor({ job: `live${count}`, grade: 1 });
      const clients = await Promise.all([boss, requester, admin, outsider].map(async (one) => await follow(one)));
      const id = (await driver.request(subject, requester))!;
      await received(clients, [1, 1, 0, 0]);
      expect((await driver.approve(boss, id)).status).toBe(200);
      await received(clients, [2, 2, 1, 0]);
      expect((await driver.refuse(admin, id, 2)).status).toBe(200);
      await received(clients, [3, 3, 2, 0]);
      expect(clients[0]?.of("event").map(({ data }) => data)).toEqual([{}, {}, {}]);
      for (const client of clients) client.leave();
    });

    test("of delegates learn of the kinds that were handed over, and of the delegation itself", async () => {
      const { driver, boss, requester, subject } = await scene(({ characterId }) => ({ by: "citizen", id: characterId }));
      trial.chain(`${subject} other`, [[{ by: "citizen", id: boss.characterId }]]);
      const delegate = await get().world.actor({ job: `live${count}`, grade: 1 });
      const client = await follow(delegate);
      const { output } = await driver.delegate(boss, delegate);
      await received([client], [1]);
      await driver.request(subject, requester);
      await received([client], [2]);
      // Of a kind that was not handed over.
      await driver.request(`${subject} other`, requester, {}, otherApproval);
      await driver.revoke(boss, output.id);
      await received([client], [3]);
      client.leave();
    });

    test("of one request show it only to those who may read it", async () => {
      const { driver, boss, requester, subject } = await scene(({ characterId }) => ({ by: "citizen", id: characterId }));
      const outsider = await get().world.actor({ job: `live${count}`, grade: 1 });
      const id = (await driver.request(subject, requester))!;
      const refused = await follow(outsider, `approvals/${id}`);
      expect((await refused.next("refused")).topic).toBe(`approvals/${id}`);
      const client = await follow(requester, `approvals/${id}`);
      await driver.approve(boss, id);
      expect((await client.next("event")).data).toEqual({ id });
      for (const one of [refused, client]) one.leave();
    });

    test("lose a request with the delegation that opened it: at once when it is revoked, at the next change when it ran out", async () => {
      const { db } = get().app.process.container;
      for (const how of ["revoked", "ran out"]) {
        const { driver, boss, requester, subject } = await scene(({ characterId }) => ({ by: "citizen", id: characterId }));
        const delegate = await get().world.actor({ job: `live${count}`, grade: 1 });
        const delegation = (await driver.delegate(boss, delegate, [trialApproval.id])).output.id;
        const id = (await driver.request(subject, requester))!;
        const client = await follow(delegate, `approvals/${id}`);
        if (how === "revoked") await driver.revoke(boss, delegation);
        else {
          await db.write("test.ranOut", async (tx) => {
            const rows = queries<ApprovalTables>(tx).updateTable("approvals_delegations");
            await rows.set({ until_at: 1 }).where("id", "=", delegation).execute();
          });
          await driver.approve(boss, id);
        }
        expect((await client.next("revoked")).topic).toBe(`approvals/${id}`);
        client.leave();
      }
    });
  },
  {},
  { features: [trial.feature], roles: ["web"] },
);
