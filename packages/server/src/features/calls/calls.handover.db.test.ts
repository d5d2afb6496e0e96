import { expect, test } from "vitest";
import { queries } from "#core/db/index.ts";
import { listNotifications } from "#features/notifications/notifications.contract.ts";
import { signOff, signOn } from "#features/desk/desk.contract.ts";
import { goOnDuty, runTask } from "#features/units/units.testkit.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  answerHandOver,
  completeCall,
  getCall,
  handOverCall,
  handOverUnanswered,
  listPresent,
  undoMerge,
  withdrawHandOver,
} from "./calls.contract.ts";
import type { CallsTables } from "./calls.schema.ts";
import { dispatcher, helps, lately, makeCall, mustCall, mustHandOver, mustMerge, neighbours } from "./calls.testkit.ts";

describeApps("calls that one job hands over to another one", (get) => {
  const as = ({ token }: Pick<TestActor, "token">) => ({ token });
  const detail = async (who: TestActor, id: number) => await get().app.call(getCall, { params: { id } }, as(who));
  const seen = async (who: TestActor, id: number) => (await detail(who, id)).output;
  const answer = async (who: TestActor, id: number, version: number, accept: boolean) =>
    await get().app.call(answerHandOver, { params: { id }, body: { version, accept } }, as(who));
  const undo = async (who: TestActor, id: number, version: number) =>
    await get().app.call(undoMerge, { params: { id }, body: { version } }, as(who));
  const told = async (who: TestActor) =>
    (await get().app.call(listNotifications, { query: {} }, as(who))).output.items
      .map(({ kind }) => kind)
      .filter((kind) => kind.startsWith("calls."));

  test("are seen by the other job, and are its own once a dispatcher of it accepts; the first one keeps seeing them", async () => {
    const { from, to, call } = await neighbours(get());
    expect(call.may).toContain("handOver");
    expect((await detail(to, call.id)).status).toBe(404);
    const asked = await mustHandOver(get(), from, call.id, to.job);
    expect(asked).toMatchObject({ handOver: { from: { name: from.job }, to: { name: to.job }, unanswered: false }, version: 2 });
    expect(asked.may).not.toContain("answerHandOver");
    const offered = (await get().app.call(listPresent, {}, as(to))).output.items[0]!;
    expect(offered).toMatchObject({ id: call.id, may: ["answerHandOver"], handOver: { to: { name: to.job } } });
    expect((await answer(from, call.id, asked.version, true)).body.code).toBe("calls.notReceiver");
    const taken = (await answer(to, call.id, offered.version, true)).output;
    expect(taken).toMatchObject({ handOver: null, version: 3 });
    expect(taken.may).toContain("complete");
    expect(taken.timeline.map(({ kind }) => kind)).toEqual(["created", "handOver", "handedOver"]);
    // Who called may still cancel.
    expect(await seen(from, call.id)).toMatchObject({ may: ["cancel"], state: "open" });
    expect((await answer(to, call.id, 3, true)).body.code).toBe("calls.notHandedOver");
  });

  test("stay with the first one when the other one declines or it keeps them, and are hidden again", async () => {
    const { from, to, call } = await neighbours(get());
    await mustHandOver(get(), from, call.id, to.job);
    await get().app.call(answerHandOver, { params: { id: call.id }, body: { version: 2, accept: false } }, as(to));
    expect((await detail(to, call.id)).status).toBe(404);
    expect(await told(from)).toEqual(["calls.handOverDeclined"]);
    await mustHandOver(get(), from, call.id, to.job);
    const kept = await get().app.call(withdrawHandOver, { params: { id: call.id }, body: { version: 4 } }, as(from));
    expect(kept.output).toMatchObject({ handOver: null, jobs: [{ name: from.job }] });
    expect((await detail(to, call.id)).status).toBe(404);
    expect(kept.output.timeline.map(({ kind }) => kind)).toEqual([
      "created",
      "handOver",
      "handOverDeclined",
      "handOver",
      "handOverKept",
    ]);
  });

  test("are answered by anybody on duty of the other job as long as no dispatcher of it is signed on", async () => {
    const { app, world } = get();
    const { from, to, call } = await neighbours(get());
    const someone = { job: to.job, grade: 0, rights: { "calls.view": true, "desk.open": true } };
    const [member, off, watcher] = [await world.actor(someone), await world.actor(someone), await world.actor(someone)];
    await goOnDuty(get(), to.job, member);
    const { version } = await mustHandOver(get(), from, call.id, to.job);
    expect(await told(member)).toEqual(["calls.handOverAsked"]);
    expect((await seen(off, call.id)).may).toEqual([]);
    expect((await answer(off, call.id, version, true)).body.code).toBe("calls.notReceiver");
    expect((await seen(member, call.id)).may).toEqual(["answerHandOver"]);
    const lead = await world.actor({ job: to.job, grade: 1 });
    await goOnDuty(get(), to.job, watcher, lead);
    const params = { window: "0000000000000001" };
    const signsOn = async (who: TestActor) =>
      expect((await app.call(signOn, { params, body: { hidden: false } }, as(who))).status).toBe(200);
    // Who only looks on cannot answer, and keeps nobody from it.
    await signsOn(watcher);
    expect((await seen(member, call.id)).may).toEqual(["answerHandOver"]);
    await signsOn(lead);
    expect((await answer(member, call.id, version, true)).body.code).toBe("calls.notReceiver");
    await app.call(signOff, { params }, as(lead));
    expect((await answer(member, call.id, version, true)).output.jobs.map(({ name }) => name)).toContain(to.job);
  });

  test("that nobody answers for a minute are named to who asked, and can still be taken over", async () => {
    const { from, to, call } = await neighbours(get());
    await mustHandOver(get(), from, call.id, to.job);
    const id = await get().app.process.container.db.exclusive("test.handover", async ({ connection }) => {
      const { rows } = await connection.execute("select id from calls_handovers where call_id = ?", [call.id]);
      return Number(rows[0]!["id"]);
    });
    for (const _time of [1, 2]) await runTask(get(), handOverUnanswered, { id, at: 0 });
    const open = await seen(from, call.id);
    expect(open.handOver).toMatchObject({ unanswered: true });
    expect(open.timeline.map(({ kind }) => kind)).toEqual(["created", "handOver", "handOverOpen"]);
    expect(await told(from)).toEqual(["calls.handOverOpen"]);
    expect((await answer(to, call.id, open.version, true)).status).toBe(200);
    await runTask(get(), handOverUnanswered, { id, at: 0 });
    expect(await told(from)).toEqual(["calls.handOverOpen"]);
  });

  test("are handed back by the job that took them over", async () => {
    const { from, to, call } = await neighbours(get());
    await mustHandOver(get(), from, call.id, to.job);
    await answer(to, call.id, 2, true);
    const asked = await mustHandOver(get(), to, call.id, from.job);
    expect(asked.handOver).toMatchObject({ from: { name: to.job }, to: { name: from.job } });
    expect((await answer(from, call.id, asked.version, true)).output.may).toContain("complete");
    expect((await seen(to, call.id)).may).toEqual([]);
  });

  test("take further alerts for the job that has taken them over, and no longer for the first one", async () => {
    const { from, to, call } = await neighbours(get());
    const { id } = call;
    await lately(get(), id);
    const { version } = await mustHandOver(get(), from, id, to.job);
    await answer(to, id, version, true);
    expect((await makeCall(get(), from, { jobs: [to.job] })).output).toEqual({ id, folded: true });
    const back = await mustHandOver(get(), to, id, from.job);
    await answer(from, id, back.version, true);
    expect((await makeCall(get(), from, { jobs: [from.job] })).output).toEqual({ id, folded: true });
  });

  test("go to a job that saw them for a while or from a grade, which dispatches them without these limits", async () => {
    const { from, to, call } = await neighbours(get());
    const limit = async (values: { min_grade: number; expires_at: number | null }) => {
      await get().app.process.container.db.write("test.limit", async (tx) => {
        const own = queries<CallsTables>(tx).updateTable("calls_jobs").set(values);
        await own.where("call_id", "=", call.id).where("job", "=", to.job).execute();
      });
    };
    await helps(get(), call.id, to.job, "dispatch");
    await limit({ min_grade: 0, expires_at: 1 });
    const { version } = await mustHandOver(get(), from, call.id, to.job);
    expect((await seen(to, call.id)).may).toEqual(["answerHandOver"]);
    await limit({ min_grade: 0, expires_at: get().app.process.container.ports.clock.now() + 60_000 });
    expect((await answer(to, call.id, version, true)).status).toBe(200);
    const { rows } = await get().app.process.container.db.exclusive(
      "test.limits",
      async ({ connection }) =>
        await connection.execute("select level, min_grade, expires_at from calls_jobs where call_id = ? and job = ?", [
          call.id,
          to.job,
        ]),
    );
    expect(rows).toEqual([{ level: "dispatch", min_grade: 0, expires_at: null }]);
  });

  test("take along what was merged into them, which can be undone by who took them over", async () => {
    const { from, to, call } = await neighbours(get());
    const part = await mustCall(get(), from, { jobs: [from.job] });
    await mustMerge(get(), from, call, part);
    const { version } = await mustHandOver(get(), from, call.id, to.job);
    const taken = (await answer(to, call.id, version, true)).output;
    expect(taken).toMatchObject({ alerts: 2, merged: [{ id: part.id }] });
    expect(taken.callers).toHaveLength(2);
    const merged = taken.merged[0]!;
    expect((await undo(from, part.id, merged.version)).body.code).toBe("calls.notDispatcher");
    const back = await undo(to, part.id, merged.version);
    expect(back.output).toMatchObject({ id: part.id, state: "open", may: expect.arrayContaining(["complete"]) });
    expect((await seen(to, call.id)).callers).toHaveLength(1);
    expect((await seen(from, part.id)).may).toEqual(["cancel"]);
  });

  test("stay with the job that took them over when a merge that brought it is undone", async () => {
    const { from, to, call } = await neighbours(get());
    const part = await mustCall(get(), from, { jobs: [from.job] });
    await helps(get(), part.id, to.job, "view");
    await mustMerge(get(), from, call, part, true);
    const { version } = await mustHandOver(get(), from, call.id, to.job);
    const [merged] = (await answer(to, call.id, version, true)).output.merged;
    expect((await undo(to, part.id, merged!.version)).status).toBe(200);
    expect((await seen(to, call.id)).may).toContain("complete");
  });

  test("are named to those alone who see them", async () => {
    const { world } = get();
    const { from, to, call } = await neighbours(get());
    const [sees, blind] = [await world.actor({ job: to.job, grade: 1 }), await world.actor({ job: to.job, grade: 0 })];
    await goOnDuty(get(), to.job, sees, blind);
    await mustHandOver(get(), from, call.id, to.job);
    expect((await detail(blind, call.id)).status).toBe(404);
    expect(await told(sees)).toEqual(["calls.handOverAsked"]);
    expect(await told(blind)).toEqual([]);
  });

  test("go to one job at a time, which may be called and does not dispatch them already", async () => {
    const { from, to, call } = await neighbours(get());
    const third = await dispatcher(get());
    const ask = async (job: string) =>
      await get().app.call(
        handOverCall,
        { params: { id: call.id }, body: { version: (await seen(from, call.id)).version, job } },
        as(from),
      );
    expect((await ask(third.job)).body.code).toBe("calls.notCallable");
    expect((await ask(from.job)).body.code).toBe("calls.handOverThere");
    await mustHandOver(get(), from, call.id, to.job);
    expect((await ask(to.job)).body.code).toBe("calls.handOverPending");
    const { version } = await seen(from, call.id);
    await get().app.call(completeCall, { params: { id: call.id }, body: { version } }, as(from));
    expect((await detail(to, call.id)).status).toBe(404);
    const own = await mustCall(get(), to, { jobs: [to.job] });
    const blind = await get().app.call(handOverCall, { params: { id: own.id }, body: { version: 1, job: to.job } }, as(from));
    expect(blind.status).toBe(404);
  });
});
