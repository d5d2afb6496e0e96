import { expect, test } from "vitest";
import type { ApprovalSteps, Decider } from "#core/ports/index.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { citizensPurged } from "#features/citizens/citizens.contract.ts";
import { accountsPurged } from "#features/accounts/accounts.contract.ts";
import { getAudit, listAudit } from "#features/audit/audit.contract.ts";
import { listNotifications } from "#features/notifications/notifications.contract.ts";
import { listApprovals } from "./approvals.contract.ts";
import { ApprovalDriver, otherApproval, quickApproval, trialApproval, TrialApprovals } from "./approvals.testkit.ts";

const trial = new TrialApprovals();

describeApps(
  "requests with approval",
  (get) => {
    let count = 0;
    const subjectOf = (steps: ApprovalSteps) => {
      const subject = `subject ${get().kind} ${(count += 1)}`;
      trial.chain(subject, steps);
      return subject;
    };
    const newJob = () => `court${(count += 1)}`;
    const grade = (job: string, minGrade: number): Decider => ({ by: "grade", job, minGrade });
    const drive = () => new ApprovalDriver(get());
    const notified = async (actor: TestActor, kind: string, about: string) => {
      const { output } = await get().app.call(listNotifications, { query: { kind } }, { token: actor.token });
      return output.items.filter(({ params }) => params["about"] === about);
    };
    /** One requester, and two people of a job who may decide. */
    const people = async (steps: (job: string) => ApprovalSteps) => {
      const { world } = get();
      const job = newJob();
      const requester = await world.actor({ job: newJob() });
      const [low, high] = [await world.actor({ job, grade: 1 }), await world.actor({ job, grade: 3 })];
      const subject = subjectOf(steps(job));
      const id = (await drive().request(subject, requester))!;
      return { job, requester, low, high, subject, id };
    };

    test("a chain is decided step by step, each by its own people, and its feature learns the outcome once", async () => {
      const { world } = get();
      const driver = drive();
      const requester = await world.actor({ job: newJob() });
      const bench = newJob();
      await world.job(bench);
      const clerk = await world.actor({ job: newJob(), grade: 2 });
      const judge = await world.actor({ job: bench, grade: 1, rights: { "notices.create": { fields: [] } } });
      const named = await world.actor({ job: newJob() });
      const subject = subjectOf([
        [{ by: "citizen", id: clerk.characterId }],
        [{ by: "right", permission: "notices.create" }],
        [{ by: "citizen", id: named.characterId }],
      ]);
      const id = (await driver.request(subject, requester))!;
      expect((await driver.list(clerk)).map((one) => one.id)).toContain(id);
      expect((await driver.list(judge)).map((one) => one.id)).not.toContain(id);
      expect((await driver.get(judge, id)).status).toBe(404);
      expect((await notified(clerk, "approvals.waiting", subject)).length).toBe(1);
      expect((await notified(judge, "approvals.waiting", subject)).length).toBe(0);

      const first = await driver.approve(clerk, id);
      expect(first.output).toMatchObject({ state: "open", step: 2, steps: 3, version: 2, mayDecide: false });
      expect((await driver.approve(clerk, id, 2)).body.code).toBe("approvals.notDecider");
      expect((await notified(judge, "approvals.waiting", subject)).length).toBe(1);
      expect((await driver.approve(judge, id, 2)).output).toMatchObject({ state: "open", step: 3 });
      expect(trial.of(subject)).toEqual([]);
      const last = await driver.approve(named, id, 3);
      expect(last.output).toMatchObject({ state: "approved", mayDecide: false, version: 4 });
      expect(last.output.chain.map(({ decision }) => decision?.approved)).toEqual([true, true, true]);
      expect(trial.of(subject)).toEqual(["approved"]);
      expect((await notified(requester, "approvals.requestApproved", subject)).length).toBe(1);
      expect((await driver.list(clerk, "decided")).map((one) => one.id)).toContain(id);
      expect((await driver.list(requester, "own")).map((one) => one.id)).toEqual([id]);
      expect((await driver.approve(named, id, 4)).body.code).toBe("approvals.approved");
    });

    test("nobody decides two steps of a chain", async () => {
      const { world } = get();
      const driver = drive();
      const leader = await world.actor({ job: newJob() });
      const other = await world.actor({ job: newJob() });
      const both = [leader, other].map(({ characterId }) => ({ by: "citizen", id: characterId }) as const);
      const requester = await world.actor({ job: newJob() });
      const subject = subjectOf([both, both]);
      const id = (await driver.request(subject, requester))!;
      const first = await driver.approve(leader, id, 1);
      expect([first.status, first.output.step, first.output.mayDecide]).toEqual([200, 2, false]);
      const second = await driver.approve(leader, id, first.output.version);
      expect([second.status, second.body.code]).toEqual([403, "approvals.notDecider"]);
      expect((await driver.list(leader)).map((one) => one.id)).not.toContain(id);
      expect((await driver.list(other)).map((one) => one.id)).toContain(id);
      expect((await driver.approve(other, id, first.output.version)).output.state).toBe("approved");
    });

    test("a refusal ends the chain with its reason, is audited, and other people see nothing", async () => {
      const { world, app } = get();
      const { requester, low, high, subject, id } = await people((job) => [[grade(job, 1)], [grade(job, 3)]]);
      const driver = drive();
      const outsider = await world.actor({ job: newJob() });
      expect((await driver.get(outsider, id)).status).toBe(404);
      expect((await driver.refuse(outsider, id)).status).toBe(404);
      const refused = await driver.refuse(low, id, 1, "no staff left");
      expect(refused.output).toMatchObject({ state: "refused", step: 1 });
      expect(refused.output.chain[0]?.decision).toMatchObject({ approved: false, reason: "no staff left", onBehalf: null });
      expect(trial.outcomes.filter((one) => one.subject === subject)).toEqual([
        { subject, outcome: "refused", reason: "no staff left" },
      ]);
      expect((await notified(requester, "approvals.requestRefused", subject))[0]?.params["reason"]).toBe("no staff left");
      expect((await driver.approve(high, id, 2)).body.code).toBe("approvals.refused");
      const admin = await world.actor({ groups: ["admin"] });
      const entries = await app.call(listAudit, { query: { action: "approvals.refuse" } }, { token: admin.token });
      const entry = entries.output.items.find(({ object }) => object?.kind === "approvals.request" && object.id === String(id))!;
      const whole = await app.call(getAudit, { params: { id: entry.id } }, { token: admin.token });
      expect([whole.status, whole.text.includes("no staff left")]).toEqual([200, false]);
    });

    test("nobody decides their own request, and only the requester withdraws it", async () => {
      const { world } = get();
      const driver = drive();
      const job = newJob();
      const [requester, colleague] = [await world.actor({ job, grade: 3 }), await world.actor({ job, grade: 3 })];
      const subject = subjectOf([[grade(job, 1)]]);
      const id = (await driver.request(subject, requester))!;
      expect((await driver.list(requester)).map((one) => one.id)).not.toContain(id);
      expect((await driver.get(requester, id)).output).toMatchObject({ mayDecide: false, mayWithdraw: true });
      const own = await driver.approve(requester, id);
      expect([own.status, own.body.code]).toEqual([403, "approvals.ownRequest"]);
      expect((await notified(requester, "approvals.waiting", subject)).length).toBe(0);
      expect((await driver.withdraw(colleague, id)).body.code).toBe("approvals.notRequester");
      expect((await driver.withdraw(requester, id)).output).toMatchObject({ state: "withdrawn", mayWithdraw: false });
      expect(trial.of(subject)).toEqual(["withdrawn"]);
      expect((await driver.withdraw(requester, id)).body.code).toBe("approvals.withdrawn");
      expect((await driver.approve(colleague, id, 2)).body.code).toBe("approvals.withdrawn");
    });

    test("a new request takes the place of an open one; the same claim neither, nor one that was refused", async () => {
      const { requester, low, subject, id } = await people((job) => [[grade(job, 1)]]);
      const driver = drive();
      const next = (await driver.request(subject, requester, { claim: "one" }))!;
      expect(next).toBeGreaterThan(id);
      expect((await driver.get(requester, id)).output.state).toBe("withdrawn");
      expect(trial.of(subject)).toEqual([]);
      expect(await driver.request(subject, requester, { claim: "one" })).toBe(next);
      // Another kind about the same subject is another request.
      const other = await driver.request(subject, requester, {}, otherApproval);
      expect((await driver.get(requester, next)).output.state).toBe("open");
      expect(other).not.toBe(next);
      await driver.refuse(low, next);
      expect(await driver.request(subject, requester, { claim: "one" })).toBeNull();
      expect(await driver.request(subject, requester, { claim: "two" })).toBeGreaterThan(next);
      expect(
        await driver.write(async (tx, all) => await all.withdraw(tx, { kind: "cli", user: "t" }, trialApproval, subject)),
      ).toBe(true);
      expect(trial.of(subject)).toEqual(["refused"]);
      expect(await driver.request(subject, requester, { claim: "one", again: true })).toBeGreaterThan(next);
    });

    test("of two who decide at once one wins, and the other gets the state that it left", async () => {
      const driver = drive();
      for (let round = 0; round < 3; round += 1) {
        const { low, high, subject, id } = await people((job) => [[grade(job, 1)]]);
        const answers = await Promise.all([driver.approve(low, id), driver.refuse(high, id)]);
        expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
        const [won, lost] = answers.toSorted((a, b) => a.status - b.status);
        expect(lost?.body.code).toBe("approvals.stale");
        expect(lost?.body.current).toMatchObject({ id, state: won?.output.state, version: 2 });
        expect(trial.of(subject)).toEqual([won?.output.state]);
      }
    });

    test("expiry and approval at once have one outcome; after it nothing can be decided", async () => {
      const driver = drive();
      for (let round = 0; round < 4; round += 1) {
        const { requester, low, subject, id } = await people((job) => [[grade(job, 1)]]);
        const [answer] = await Promise.all([driver.approve(low, id), driver.run("expire", id)]);
        const { state } = (await driver.get(requester, id)).output;
        expect(trial.of(subject)).toEqual([state]);
        expect(answer.status).toBe(state === "approved" ? 200 : 409);
        const told = await notified(requester, "approvals.requestExpired", subject);
        expect(told.length).toBe(state === "expired" ? 1 : 0);
        await driver.run("expire", id);
        expect(trial.of(subject)).toEqual([state]);
      }
    });

    test("a decision that the feature refuses is undone", async () => {
      const { low, subject, id } = await people((job) => [[grade(job, 1)]]);
      const driver = drive();
      trial.failure = new Error("no");
      expect((await driver.approve(low, id)).status).toBe(500);
      trial.failure = null;
      expect((await driver.get(low, id)).output).toMatchObject({ state: "open", version: 1 });
      await driver.decideInside(subject, { approve: true });
      expect(trial.of(subject)).toEqual(["approved"]);
      await expect(driver.decideInside(subject, { approve: true })).rejects.toThrow("approvals.notFound");
    });

    test("a reminder reaches who can decide and takes the place of the one before; none after the end", async () => {
      const { low, high, requester, subject, id } = await people((job) => [[grade(job, 2)]]);
      const driver = drive();
      const due = async () =>
        await get().app.process.container.db.exclusive("test.due", async ({ connection }) => {
          const { rows } = await connection.execute("select replace_key, due_at from worker_tasks where kind = ?", [
            "approvals.remind",
          ]);
          return rows.filter((row) => String(row["replace_key"]).includes(`approval/${id}/`));
        });
      const now = get().app.process.container.ports.clock.now();
      expect((await due()).map((row) => Number(row["due_at"]) > now + 23 * 3_600_000)).toEqual([false]);
      await driver.run("remind", id);
      await driver.run("remind", id);
      // The tests run the handler; the queue itself would have ended the tasks before the newest.
      expect((await due()).map((row) => Number(row["due_at"]) > now + 23 * 3_600_000)).toEqual([false, true, true]);
      expect((await notified(high, "approvals.reminder", subject)).length).toBe(1);
      expect((await notified(low, "approvals.reminder", subject)).length).toBe(0);
      expect((await notified(requester, "approvals.reminder", subject)).length).toBe(0);
      await driver.approve(high, id);
      await driver.run("remind", id);
      expect((await notified(high, "approvals.reminder", subject)).length).toBe(1);
    });

    test("a list begins with the newest or, where it is asked for, with the oldest request, page by page", async () => {
      const { app, world } = get();
      const driver = drive();
      const judge = await world.actor({ job: newJob() });
      const requester = await world.actor();
      const ids: number[] = [];
      for (let n = 0; n < 3; n += 1)
        ids.push((await driver.request(subjectOf([[{ by: "citizen", id: judge.characterId }]]), requester))!);
      const read = async (first: "newest" | "oldest") => {
        const page = await app.call(listApprovals, { query: { first, limit: 2 } }, { token: judge.token });
        const query = { first, limit: 2, cursor: page.output.next ?? "" };
        const rest = await app.call(listApprovals, { query }, { token: judge.token });
        expect([page.output.total, rest.output.next]).toEqual([3, null]);
        return [...page.output.items, ...rest.output.items].map(({ id }) => id);
      };
      expect(await read("oldest")).toEqual(ids);
      expect(await read("newest")).toEqual(ids.toReversed());
    });

    test("the list holds exactly what the caller may decide, whoever decides it", async () => {
      const { world } = get();
      const driver = drive();
      const [court, other] = [newJob(), newJob()];
      const right = { "notices.create": { fields: [] } };
      const actors = [
        await world.actor({ job: court, grade: 1 }),
        await world.actor({ job: court, grade: 3, rights: right }),
        await world.actor({ job: other, grade: 2, rights: right }),
        await world.actor({ job: other, grade: 0, groups: ["admin"] }),
      ];
      const deciders: Decider[] = [
        { by: "configAdmins" },
        { by: "right", permission: "notices.create" },
        { by: "right", permission: "notices.create", job: court },
        grade(court, 2),
        grade(other, 0),
        { by: "citizen", id: actors[0]!.characterId },
      ];
      const ids: number[] = [];
      for (const [n, decider] of deciders.entries()) {
        const steps = [[decider], [grade("nobody", 0)]];
        ids.push((await driver.request(subjectOf(steps), actors[n % actors.length]!))!);
        ids.push((await driver.request(subjectOf([[decider, deciders[(n + 2) % deciders.length]!]]), null))!);
      }
      let waiting = 0;
      for (const actor of actors) {
        const listed = (await driver.list(actor)).map(({ id }) => id).filter((id) => ids.includes(id));
        const may: number[] = [];
        for (const id of ids) {
          const found = await driver.get(actor, id);
          if (found.status === 200 && found.output.mayDecide) may.push(id);
        }
        expect(listed.toSorted((a, b) => a - b)).toEqual(may.toSorted((a, b) => a - b));
        waiting += may.length;
      }
      expect(waiting).toBeGreaterThan(ids.length / 2);
    });
  },
  {},
  { features: [trial.feature], roles: ["web"] },
);

describeApps(
  "requests with approval beside a worker",
  (get) => {
    test("are reminded of and expire by themselves", async () => {
      const { app, kind, world } = get();
      const driver = new ApprovalDriver(get());
      const [requester, decider] = [await world.actor(), await world.actor()];
      const subject = `quick ${kind}`;
      trial.chain(subject, [[{ by: "citizen", id: decider.characterId }]]);
      const id = (await driver.request(subject, requester, {}, quickApproval))!;
      const kinds = async ({ token }: TestActor) => {
        const { items } = (await app.call(listNotifications, { query: {} }, { token })).output;
        return items.map((one) => one.kind);
      };
      await expect.poll(async () => await kinds(decider)).toContain("approvals.reminder");
      await expect.poll(async () => await kinds(requester)).toEqual(["approvals.requestExpired"]);
      expect(trial.of(subject)).toEqual(["expired"]);
      expect((await driver.get(requester, id)).output.state).toBe("expired");
    });

    test("end as withdrawn when the account of the requester is purged, and their feature learns it", async () => {
      const { app, kind, world } = get();
      const driver = new ApprovalDriver(get());
      const [requester, decider, admin] = [await world.actor(), await world.actor(), await world.actor({ groups: ["admin"] })];
      const [open, decided] = [`purged open ${kind}`, `purged decided ${kind}`];
      for (const subject of [open, decided]) trial.chain(subject, [[{ by: "citizen", id: decider.characterId }]]);
      const id = (await driver.request(open, requester))!;
      const done = (await driver.request(decided, requester))!;
      await driver.approve(decider, done);
      const accountId = await driver.accountId(requester);
      const { db, ports } = app.process.container;
      await db.write("test.purge", async (tx) => {
        const payload = { accountIds: [accountId] };
        await ports.outbox.emit(tx, accountsPurged, { key: `account/${accountId}`, version: 1, payload });
      });
      await expect.poll(async () => (await driver.get(decider, id)).status).toBe(404);
      expect((await driver.get(decider, done)).status).toBe(404);
      expect([trial.of(open), trial.of(decided)]).toEqual([["withdrawn"], ["approved"]]);
      const audit = await app.call(listAudit, { query: { action: "approvals.withdraw" } }, { token: admin.token });
      expect(audit.output.items.map(({ object }) => object && { kind: object.kind, id: object.id })).toEqual([
        { kind: "approvals.request", id: String(id) },
      ]);
      const { rows } = await db.exclusive(
        "test.tasks",
        async ({ connection }) =>
          await connection.execute("select replace_key from worker_tasks where replace_key like ?", [`approval/${id}%`]),
      );
      expect(rows).toEqual([]);
    });

    test("end as withdrawn and go when the citizen who asked is purged, although the account stays", async () => {
      const { app, kind, world } = get();
      const driver = new ApprovalDriver(get());
      const [requester, decider] = [await world.actor(), await world.actor()];
      const [open, decided] = [`citizen open ${kind}`, `citizen decided ${kind}`];
      for (const subject of [open, decided]) trial.chain(subject, [[{ by: "citizen", id: decider.characterId }]]);
      const id = (await driver.request(open, requester))!;
      const done = (await driver.request(decided, requester))!;
      await driver.approve(decider, done);
      const { db, ports } = app.process.container;
      await db.write("test.purge", async (tx) => {
        const payload = { citizenIds: [requester.characterId] };
        await ports.outbox.emit(tx, citizensPurged, { key: "citizens", version: 1, payload });
      });
      await expect.poll(async () => (await driver.get(decider, id)).status).toBe(404);
      expect((await driver.get(decider, done)).status).toBe(404);
      expect([trial.of(open), trial.of(decided)]).toEqual([["withdrawn"], ["approved"]]);
    });

    test("lose the names of citizens who decided them once those are purged, although their accounts stay", async () => {
      const { app, kind, world } = get();
      const driver = new ApprovalDriver(get());
      const [requester, decider] = [await world.actor(), await world.actor()];
      const giver = await world.actor({ job: `giver${kind}`, rights: { "citizens.list": { fields: [] } } });
      const [own, lent] = [`decider purged ${kind}`, `giver purged ${kind}`];
      trial.chain(own, [[{ by: "citizen", id: decider.characterId }]]);
      trial.chain(lent, [[{ by: "citizen", id: giver.characterId }]]);
      const ids = [(await driver.request(own, requester))!, (await driver.request(lent, requester))!];
      expect((await driver.delegate(giver, decider)).status).toBe(200);
      for (const id of ids) expect((await driver.approve(decider, id)).status).toBe(200);
      const decisions = async () =>
        await Promise.all(ids.map(async (id) => (await driver.get(requester, id)).output.chain[0]?.decision));
      expect(await decisions()).not.toContainEqual(expect.objectContaining({ name: null }));
      const { db, ports } = app.process.container;
      await db.write("test.purge", async (tx) => {
        const payload = { citizenIds: [decider.characterId, giver.characterId] };
        await ports.outbox.emit(tx, citizensPurged, { key: "citizens", version: 1, payload });
      });
      await expect.poll(decisions).toMatchObject([
        { approved: true, name: null, onBehalf: null },
        { approved: true, name: null, onBehalf: { name: null } },
      ]);
    });
  },
  {},
  { features: [trial.feature] },
);
