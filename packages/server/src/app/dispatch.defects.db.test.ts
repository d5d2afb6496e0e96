import { expect, test } from "vitest";
import { queries } from "#core/db/index.ts";
import {
  graceMs,
  offerMs,
  putWorkRules,
  takeCall,
  urgentOfferMs,
  usualRules,
} from "#features/assignments/assignments.contract.ts";
import { as, callOf, offered, team } from "#features/assignments/assignments.testkit.ts";
import * as calls from "#features/calls/calls.contract.ts";
import type { CallsTables } from "#features/calls/calls.schema.ts";
import { dispatcher, helps, makeCall, mustCall, mustHandOver } from "#features/calls/calls.testkit.ts";
import { dissolveUnit, createTemporary, emptyMs, leaveUnit } from "#features/units/units.contract.ts";
import { planned, team as unitTeam } from "#features/units/units.testkit.ts";
import { TestClient } from "#infra/realtime/realtime.testkit.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";

const soon = { timeout: 20_000 };

/** Faults that dispatch centres are known for, each by its number in that list, and what holds in their place. */
describeApps("faults of dispatch", (get) => {
  const detail = async (who: Pick<TestActor, "token">, id: number) =>
    await get().app.call(calls.getCall, { params: { id } }, as(who));
  const open = async (job: { readonly token: string }) =>
    await get().app.call(calls.putRules, { body: { ...calls.usualRules, public: true } }, as(job));
  const listed = async (who: TestActor) =>
    (await get().app.call(calls.listCalls, { query: {} }, as(who))).output.items.map(({ id }) => id);

  test("1: who shares nothing with a job may call it where everybody may, and no other one", async () => {
    const [from, to] = [await dispatcher(get()), await dispatcher(get())];
    expect((await makeCall(get(), from, { jobs: [to.job] })).body.code).toBe("calls.notCallable");
    await open(to);
    const made = await makeCall(get(), from, { jobs: [to.job] });
    expect((await detail(to, made.output.id)).output.jobs.map(({ name }) => name)).toEqual([to.job]);
  });

  test("2: a call of two jobs is in the list of each, also once it has ended and is archived", async () => {
    const { app } = get();
    const [one, other] = [await dispatcher(get()), await dispatcher(get())];
    await open(other);
    const { id, version } = await mustCall(get(), one, { jobs: [one.job, other.job] });
    expect([await listed(one), await listed(other)]).toEqual([[id], [id]]);
    await app.call(calls.completeCall, { params: { id }, body: { version } }, as(one));
    const archive = (await planned(get(), calls.archiveCall)).find((task) => task.id === id)!;
    expect(archive.dueAt - app.process.container.ports.clock.now()).toBeGreaterThan(calls.archiveAfterMs - 60_000);
    await app.process.container.db.write("test.archive", async (tx) => {
      await queries<CallsTables>(tx).updateTable("calls").set({ archived_at: 1 }).where("id", "=", id).execute();
    });
    expect([await listed(one), await listed(other)]).toEqual([[id], [id]]);
  });

  test("3: every job of a call counts, and so does the grade that one asks for", async () => {
    const { app, world } = get();
    const [first, second] = [await dispatcher(get()), await dispatcher(get())];
    await open(second);
    const call = await mustCall(get(), first, { jobs: [first.job, second.job] });
    const body = { version: call.version, typeId: null, message: "Changed by the second job", priority: 2, postal: null };
    expect((await app.call(calls.editCall, { params: { id: call.id }, body }, as(second))).status).toBe(200);

    const rights = { [calls.callsPermissions.view.id]: true } as const;
    const helper = await dispatcher(get());
    await world.job(helper.job, [0, 1, 2]);
    const [low, high] = [
      await world.actor({ job: helper.job, grade: 1, rights }),
      await world.actor({ job: helper.job, grade: 2 }),
    ];
    await helps(get(), call.id, helper.job);
    expect([(await detail(low, call.id)).status, (await detail(high, call.id)).status]).toEqual([200, 200]);
    await app.process.container.db.write("test.grade", async (tx) => {
      const row = queries<CallsTables>(tx).updateTable("calls_jobs").set({ min_grade: 2 });
      await row.where("call_id", "=", call.id).where("job", "=", helper.job).execute();
    });
    expect([(await detail(low, call.id)).status, (await detail(high, call.id)).status]).toEqual([404, 200]);
    expect([await listed(low), await listed(high)]).toEqual([[], [call.id]]);
  });

  test("4: an open connection follows what its job gets after it connected", async () => {
    const { app } = get();
    const [from, to] = [await dispatcher(get()), await dispatcher(get())];
    const call = await mustCall(get(), from, { jobs: [from.job] });
    const client = await TestClient.signedIn(app.process.hub, to.token);
    await client.subscribe(calls.callsTopic.name);
    expect((await detail(to, call.id)).status).toBe(404);
    await open(to);
    const changes = () => client.events(calls.callsTopic.name).length;
    await expect.poll(changes, soon).toBeGreaterThan(0);
    const before = changes();
    await mustHandOver(get(), from, call.id, to.job);
    await expect.poll(changes, soon).toBeGreaterThan(before);
    expect((await detail(to, call.id)).output.id).toBe(call.id);
    client.leave();
  });

  test("5: whether members take calls is decided by the mode in force when they do", async () => {
    const { app } = get();
    const of = await team(get());
    const call = await callOf(get(), of);
    const take = async () => await app.call(takeCall, { params: { id: call.id } }, as(of.crew[0]!));
    const mode = async (one: "central" | "simplified", version: number) =>
      await app.call(putWorkRules, { body: { ...usualRules, mode: one, version } }, as(of.lead));
    await mode("central", 0);
    expect((await take()).body.code).toBe("assignments.central");
    await mode("simplified", 1);
    expect((await take()).output.units).toMatchObject([{ state: "accepted" }]);
  });

  test("7: each time of the contract is the one that is kept", async () => {
    const { app } = get();
    const now = () => app.process.container.ports.clock.now();
    const of = await team(get(), 2);
    expect([urgentOfferMs, offerMs, graceMs]).toEqual([15_000, 30_000, 10_000]);
    for (const [priority, ms, unit] of [
      [1, urgentOfferMs, of.units[0]!],
      [2, offerMs, of.units[1]!],
    ] as const) {
      const began = now();
      const { until } = await offered(get(), of, await callOf(get(), of, { priority, message: `Priority ${priority}` }), unit);
      expect(until! - ms).toBeGreaterThanOrEqual(began);
      expect(until! - ms).toBeLessThanOrEqual(now());
    }
    const { id } = await callOf(get(), of);
    const idle = (await planned(get(), calls.expireCall)).find((task) => task.id === id)!;
    expect(Math.round((idle.dueAt - now()) / 60_000)).toBe(calls.usualRules.idleMinutes);
    const { crew, leader } = await unitTeam(get());
    const temporary = await app.call(createTemporary, { body: { name: "Roadblock" } }, as(leader));
    await app.call(leaveUnit, {}, as(leader));
    const dissolve = (await planned(get(), dissolveUnit)).find((task) => task.id === temporary.output.id)!;
    expect(Math.round((dissolve.dueAt - now()) / 60_000)).toBe(emptyMs / 60_000);
    expect(crew).toHaveLength(2);
  });

  test("8: every further alert joins the nearest call of the same, also one of several jobs", async () => {
    const [one, other] = [await dispatcher(get()), await dispatcher(get())];
    for (const jobs of [[one.job], [one.job, other.job]]) {
      const alert = async (x: number, named: readonly string[]) => {
        const body = { source: "city-1", jobs: [...named], message: "Shots", x, y: 0 };
        return (await get().app.call(calls.syncCall, { body }, { token: testSecrets.sync })).output;
      };
      const first = await alert(0, jobs);
      for (const x of [40, -40, 20]) expect(await alert(x, jobs.toReversed())).toEqual({ ...first, folded: true });
      expect((await detail(one, first.id!)).output.alerts).toBe(4);
      // One that is too far away is another call, and the next alert joins the nearer one of the two.
      const far = await alert(60, jobs);
      expect([far.folded, far.id]).toEqual([false, expect.not.toBeOneOf([first.id])]);
      expect((await alert(-30, jobs)).id).toBe(first.id);
      expect((await alert(50, jobs)).id).toBe(far.id);
    }
  });

  test("9: what has ended opens by reopening it with a reason, and in no other way", async () => {
    const { app } = get();
    const who = await dispatcher(get());
    for (const end of [calls.completeCall, calls.cancelCall]) {
      const call = await mustCall(get(), who, { jobs: [who.job] });
      const params = { id: call.id };
      const reason = "They are gone";
      const ended = await app.call(end, { params, body: { version: call.version, reason } }, as(who));
      const { version, state } = ended.output;
      const edited = { version, typeId: null, message: "Open again", priority: 1, postal: null };
      const refused = [
        await app.call(calls.editCall, { params, body: edited }, as(who)),
        await app.call(calls.noteCall, { params, body: { text: "Open again" } }, as(who)),
        await app.call(calls.completeCall, { params, body: { version } }, as(who)),
        await app.call(calls.cancelCall, { params, body: { version, reason } }, as(who)),
        await app.call(calls.splitCall, { params, body: { version, message: "A part", unitIds: [], noteIds: [] } }, as(who)),
        await app.call(takeCall, { params }, as(who)),
      ];
      expect(refused.map(({ body }) => body.code)).toEqual(refused.map(() => `calls.${state}`));
      expect(refused[0]!.text).toContain("Act Or");
      const silent = await app.call(calls.reopenCall, { params, body: { version, reason: " " } }, as(who));
      expect(silent.status).toBe(400);
      expect((await detail(who, call.id)).output.state).toBe(state);
      const again = await app.call(calls.reopenCall, { params, body: { version, reason: "They came back" } }, as(who));
      expect(again.output).toMatchObject({ state: "open", ended: null });
      expect(again.output.timeline.at(-1)).toMatchObject({ kind: "reopened", text: "They came back" });
    }
  });

  test("13: a job is named in its calls whether or not everybody may call it, and an anonymous caller to nobody", async () => {
    const who = await dispatcher(get());
    const { id } = await mustCall(get(), who, { jobs: [who.job], anonymous: true });
    const { output, text } = await detail(who, id);
    expect(output.jobs).toEqual([{ name: who.job, label: who.job.toUpperCase() }]);
    expect(output.callers).toMatchObject([{ anonymous: true, citizen: null, phone: null }]);
    expect(text).not.toContain("Act Or");
  });
});
