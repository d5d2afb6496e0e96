import { expect, test } from "vitest";
import { queries } from "#core/db/index.ts";
import { auditHistory } from "#features/audit/audit.contract.ts";
import {
  answerHandOver,
  completeCall,
  getCall,
  putRules,
  reopenCall,
  splitCall,
  undoMerge,
  usualRules as callRules,
} from "#features/calls/calls.contract.ts";
import { mustHandOver, mustMerge, newJob, waitsForLock } from "#features/calls/calls.testkit.ts";
import type { CallsTables } from "#features/calls/calls.schema.ts";
import { listUnits } from "#features/units/units.contract.ts";
import { runTask } from "#features/units/units.testkit.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { answerOffer, expireOffer, finishWork, getOwnWork, setProgress } from "./assignments.contract.ts";
import type { AssignmentsTables } from "./assignments.schema.ts";
import { as, callOf, offered, team, type Team } from "./assignments.testkit.ts";

describeApps("units of merged and split calls", (get) => {
  const detail = async (who: TestActor, { id }: { readonly id: number }) =>
    (await get().app.call(getCall, { params: { id } }, as(who))).output;
  const undo = async ({ lead }: Team, { id }: { readonly id: number }) => {
    const { version } = await detail(lead, { id });
    return await get().app.call(undoMerge, { params: { id }, body: { version } }, as(lead));
  };
  const on = async ({ lead }: Team, call: { readonly id: number }) =>
    (await detail(lead, call)).units.map(({ unit, state }) => [unit.id, state]);
  const go = async (
    who: TestActor,
    { id, version }: { readonly id: number; readonly version: number },
    state: "enRoute" | "onScene",
  ) => (await get().app.call(setProgress, { params: { id }, body: { version, state } }, as(who))).output;
  const baseOf = async (who: TestActor, id: number) =>
    (await get().app.call(listUnits, {}, as(who))).output.items.find((unit) => unit.id === id)!.status.base;
  const help = async (who: TestActor, { id, version }: { readonly id: number; readonly version: number }) =>
    await get().app.call(setProgress, { params: { id }, body: { version, state: "accepted", needsHelp: true } }, as(who));
  /** Its wait clock begins again. */
  async function reopened({ lead }: Team, { id }: { readonly id: number }) {
    const params = { id };
    const { version } = await detail(lead, { id });
    await get().app.call(completeCall, { params, body: { version } }, as(lead));
    const body = { version: version + 1, reason: "They came back" };
    return (await get().app.call(reopenCall, { params, body }, as(lead))).output;
  }
  async function two(of: Team) {
    return { older: await callOf(get(), of), newer: await callOf(get(), of) };
  }

  test("come along with their state, and return when nothing happened since", async () => {
    const of = await team(get(), 2);
    const { older, newer } = await two(of);
    const [first, second] = of.units as [Team["units"][0], Team["units"][0]];
    const working = await offered(get(), of, newer, first, true);
    await go(of.crew[0]!, working, "enRoute");
    const offer = await offered(get(), of, newer, second);
    const into = await mustMerge(get(), of.lead, older, newer);
    expect(into.units).toMatchObject([
      { id: working.id, version: 2, state: "enRoute", unit: { id: first.id } },
      { id: offer.id, version: 1, state: "offered", until: offer.until, unit: { id: second.id } },
    ]);
    expect((await detail(of.lead, newer)).units).toEqual([]);
    const own = (await get().app.call(getOwnWork, {}, as(of.crew[0]!))).output.calls;
    expect(own.map(({ id }) => id)).toEqual([older.id]);
    const back = await undo(of, newer);
    expect(back.output.units.map(({ unit, state }) => [unit.id, state])).toEqual([
      [first.id, "enRoute"],
      [second.id, "offered"],
    ]);
    expect(await on(of, older)).toEqual([]);
    expect(await baseOf(of.lead, first.id)).toBe("busy");
  });

  test("stay with the call that stayed once they went on, and are done with it", async () => {
    const of = await team(get(), 2);
    const { older, newer } = await two(of);
    const [first, second] = of.units as [Team["units"][0], Team["units"][0]];
    const working = await offered(get(), of, newer, first, true);
    const offer = await offered(get(), of, newer, second);
    await mustMerge(get(), of.lead, older, newer);
    await go(of.crew[0]!, working, "onScene");
    const answer = { params: { id: offer.id }, body: { version: offer.version, accept: true } };
    expect((await get().app.call(answerOffer, answer, as(of.crew[1]!))).output).toMatchObject({ callId: older.id });
    await undo(of, newer);
    expect(await on(of, newer)).toEqual([]);
    expect(await on(of, older)).toEqual([
      [first.id, "onScene"],
      [second.id, "accepted"],
    ]);
    const { version } = await detail(of.lead, older);
    await get().app.call(completeCall, { params: { id: older.id }, body: { version } }, as(of.lead));
    expect((await detail(of.lead, newer)).state).toBe("open");
    expect(await baseOf(of.lead, first.id)).not.toBe("busy");
  });

  test("that are on both keep the further progress, and are on both again afterwards", async () => {
    const of = await team(get(), 2);
    const { older, newer } = await two(of);
    const [first, second] = of.units as [Team["units"][0], Team["units"][0]];
    await offered(get(), of, older, first, true);
    const further = await offered(get(), of, newer, first, true);
    await go(of.crew[0]!, further, "onScene");
    const ahead = await offered(get(), of, older, second, true);
    await go(of.crew[1]!, ahead, "enRoute");
    await offered(get(), of, newer, second, true);
    const into = await mustMerge(get(), of.lead, older, newer);
    expect(into.units.map(({ id, state }) => [id, state])).toEqual([
      [further.id, "onScene"],
      [ahead.id, "enRoute"],
    ]);
    expect(await baseOf(of.lead, first.id)).toBe("busy");
    await undo(of, newer);
    expect(await on(of, newer)).toEqual([
      [first.id, "onScene"],
      [second.id, "accepted"],
    ]);
    expect(await on(of, older)).toEqual([
      [second.id, "enRoute"],
      [first.id, "accepted"],
    ]);
  });

  test("that declined or did not answer leave the wait clock of the call that stays as it was", async () => {
    const of = await team(get(), 2);
    const { older, newer } = await two(of);
    const [declines, silent] = of.units as [Team["units"][0], Team["units"][0]];
    const { waitingSince } = await reopened(of, older);
    expect(waitingSince).toBeGreaterThan(newer.waitingSince);
    const [first, second] = [await offered(get(), of, newer, declines), await offered(get(), of, newer, silent)];
    expect((await mustMerge(get(), of.lead, older, newer)).waitingSince).toBe(newer.waitingSince);
    const answer = { params: { id: first.id }, body: { version: first.version, accept: false } };
    await get().app.call(answerOffer, answer, as(of.crew[0]!));
    await runTask(get(), expireOffer, { id: second.id, at: second.until! });
    await undo(of, newer);
    expect((await detail(of.lead, older)).waitingSince).toBe(waitingSince);
  });

  test("that accepted and stay keep the wait clock since which they were asked", async () => {
    const of = await team(get());
    const { older, newer } = await two(of);
    await reopened(of, older);
    const working = await offered(get(), of, newer, of.units[0], true);
    await mustMerge(get(), of.lead, older, newer);
    await go(of.crew[0]!, working, "onScene");
    await undo(of, newer);
    expect((await detail(of.lead, older)).waitingSince).toBe(newer.waitingSince);
  });

  test("return when only their need of help changed", async () => {
    const of = await team(get());
    const { older, newer } = await two(of);
    const working = await offered(get(), of, newer, of.units[0], true);
    await mustMerge(get(), of.lead, older, newer);
    await help(of.crew[0]!, working);
    await undo(of, newer);
    expect((await detail(of.lead, newer)).units).toMatchObject([{ id: working.id, state: "accepted", needsHelp: true }]);
    expect(await on(of, older)).toEqual([]);
  });

  test("that need help in one of the calls need it in the whole, and afterwards in that one alone", async () => {
    const { app, world } = get();
    const of = await team(get());
    const { older, newer } = await two(of);
    const ahead = await offered(get(), of, older, of.units[0], true);
    await go(of.crew[0]!, ahead, "onScene");
    const behind = await offered(get(), of, newer, of.units[0], true);
    await help(of.crew[0]!, behind);
    expect((await mustMerge(get(), of.lead, older, newer)).units).toMatchObject([{ id: ahead.id, needsHelp: true }]);
    await undo(of, newer);
    expect((await detail(of.lead, newer)).units).toMatchObject([{ id: behind.id, state: "accepted", needsHelp: true }]);
    expect((await detail(of.lead, older)).units).toMatchObject([{ id: ahead.id, state: "onScene", needsHelp: false }]);
    const auditor = await world.actor({ job: newJob("auditors"), rights: { "audit.view": true }, groups: ["admin"] });
    const params = { kind: "assignments.assignment", id: String(behind.id) };
    const [latest] = (await app.call(auditHistory, { params }, as(auditor))).output.items;
    expect(latest).toMatchObject({ action: "calls.undoMerge" });
  });

  test("go on in the call that was split off", async () => {
    const of = await team(get(), 2);
    const call = await callOf(get(), of);
    const [first, second] = of.units as [Team["units"][0], Team["units"][0]];
    const working = await offered(get(), of, call, first, true);
    await go(of.crew[0]!, working, "onScene");
    await offered(get(), of, call, second, true);
    const { version } = await detail(of.lead, call);
    const body = { version, message: "Getaway car", unitIds: [first.id], noteIds: [] };
    const { output } = await get().app.call(splitCall, { params: { id: call.id }, body }, as(of.lead));
    const made = await detail(of.lead, { id: output.made });
    expect(made.units).toMatchObject([{ id: working.id, state: "onScene", unit: { id: first.id } }]);
    expect(await on(of, call)).toEqual([[second.id, "accepted"]]);
    // Its crew works it: it is no caller's to cancel, and the first unit may complete it.
    expect((await detail(of.crew[0]!, made)).may).toContain("complete");
    expect(await baseOf(of.lead, first.id)).toBe("busy");
  });

  test("keep their job on a call that it hands over until they are done, which does not complete the call", async () => {
    const [of, next] = [await team(get()), await team(get())];
    await get().app.call(putRules, { body: { ...callRules, public: true } }, as(next.lead));
    const call = await callOf(get(), of);
    const working = await offered(get(), of, call, of.units[0], true);
    const { version } = await mustHandOver(get(), of.lead, call.id, next.job);
    const answer = { params: { id: call.id }, body: { version, accept: true } };
    expect((await get().app.call(answerHandOver, answer, as(next.lead))).output.may).toContain("complete");
    expect((await detail(of.lead, call)).work).toContain("offer");
    await get().app.call(finishWork, { params: { id: working.id }, body: { version: 1 } }, as(of.crew[0]!));
    const left = await detail(of.lead, call);
    expect(left).toMatchObject({ state: "open", progress: "waiting", work: [] });
    expect(left.may).not.toContain("complete");
    expect((await detail(next.lead, call)).work).toContain("offer");
  });

  test("of a job that leaves complete the call as the last ones, where units of the other job are done with it", async () => {
    const [of, next] = [await team(get()), await team(get())];
    await get().app.call(putRules, { body: { ...callRules, public: true } }, as(next.lead));
    const call = await callOf(get(), of);
    const working = await offered(get(), of, call, of.units[0], true);
    const { version } = await mustHandOver(get(), of.lead, call.id, next.job);
    await get().app.call(answerHandOver, { params: { id: call.id }, body: { version, accept: true } }, as(next.lead));
    const theirs = await offered(get(), next, call, next.units[0], true);
    await get().app.call(finishWork, { params: { id: theirs.id }, body: { version: 1 } }, as(next.crew[0]!));
    expect((await detail(next.lead, call)).state).toBe("open");
    await get().app.call(finishWork, { params: { id: working.id }, body: { version: 1 } }, as(of.crew[0]!));
    expect((await detail(next.lead, call)).state).toBe("completed");
  });

  test("that are still there keep the call for their job when it is handed back", async () => {
    const [of, next] = [await team(get()), await team(get())];
    await get().app.call(putRules, { body: { ...callRules, public: true } }, as(next.lead));
    const call = await callOf(get(), of);
    const working = await offered(get(), of, call, of.units[0], true);
    const answer = async ({ lead }: Team, version: number) =>
      await get().app.call(answerHandOver, { params: { id: call.id }, body: { version, accept: true } }, as(lead));
    await answer(next, (await mustHandOver(get(), of.lead, call.id, next.job)).version);
    await answer(of, (await mustHandOver(get(), next.lead, call.id, of.job)).version);
    expect((await detail(next.lead, call)).work).toEqual([]);
    await get().app.call(finishWork, { params: { id: working.id }, body: { version: 1 } }, as(of.crew[0]!));
    expect((await detail(of.lead, call)).state).toBe("completed");
  });

  test("that are split off leave with their job, which keeps seeing both calls", async () => {
    const [of, next] = [await team(get(), 2), await team(get(), 0)];
    await get().app.call(putRules, { body: { ...callRules, public: true } }, as(next.lead));
    const call = await callOf(get(), of);
    const [goes, stays] = of.units as [Team["units"][0], Team["units"][0]];
    const [moved, left] = [await offered(get(), of, call, goes, true), await offered(get(), of, call, stays, true)];
    const { version } = await mustHandOver(get(), of.lead, call.id, next.job);
    await get().app.call(answerHandOver, { params: { id: call.id }, body: { version, accept: true } }, as(next.lead));
    const body = { version: version + 1, message: "Getaway car", unitIds: [goes.id], noteIds: [] };
    const made = (await get().app.call(splitCall, { params: { id: call.id }, body }, as(next.lead))).output.made;
    expect((await detail(of.lead, { id: made })).work).toContain("offer");
    await get().app.call(finishWork, { params: { id: moved.id }, body: { version: 1 } }, as(of.crew[0]!));
    expect(await detail(of.lead, { id: made })).toMatchObject({ state: "open", work: [] });
    expect((await detail(of.lead, call)).work).toContain("offer");
    await get().app.call(finishWork, { params: { id: left.id }, body: { version: 1 } }, as(of.crew[1]!));
    expect((await detail(of.lead, call)).work).toEqual([]);
  });

  test("that are asked lose the offer at its deadline, in the call that took it over", async () => {
    const of = await team(get());
    const { older, newer } = await two(of);
    const offer = await offered(get(), of, newer);
    await mustMerge(get(), of.lead, older, newer);
    await runTask(get(), expireOffer, { id: offer.id, at: offer.until! });
    expect((await detail(of.lead, older)).timeline.map(({ kind, callId }) => [kind, callId])).toContainEqual([
      "expired",
      older.id,
    ]);
    expect(await on(of, older)).toEqual([]);
  });

  test("are answered for the call that stays, also by an answer that waited for the merge", async () => {
    const { app, kind } = get();
    const of = await team(get());
    const [into, from] = [await callOf(get(), of), await callOf(get(), of)];
    const { id, version } = await offered(get(), of, from);
    const { db } = app.process.container;
    const held = Promise.withResolvers<void>();
    const merging = db.write("test.merge", async (tx) => {
      const merged = { state: "merged", merged_into: into.id, ended_at: 1, ended_by: "x" };
      await queries<CallsTables>(tx).updateTable("calls").set(merged).where("id", "=", from.id).execute();
      held.resolve();
      // On SQLite the answer begins when this has ended.
      if (kind === "mariadb") await expect.poll(async () => await waitsForLock(tx), { timeout: 20_000 }).toBe(true);
      await queries<AssignmentsTables>(tx).updateTable("assignments").set({ call_id: into.id }).where("id", "=", id).execute();
    });
    await held.promise;
    const answering = app.call(answerOffer, { params: { id }, body: { version, accept: true } }, as(of.crew[0]!));
    await merging;
    expect((await answering).output).toMatchObject({ callId: into.id, state: "accepted" });
  });

  test("return after a long time, too: what merging did to them is kept as long as the call", async () => {
    const { app } = get();
    const of = await team(get());
    const [into, from] = [await callOf(get(), of), await callOf(get(), of)];
    await offered(get(), of, from, of.units[0], true);
    await mustMerge(get(), of.lead, into, from);
    await app.process.container.db.write("test.longAgo", async (tx) => {
      await queries<AssignmentsTables>(tx)
        .updateTable("assignments_moves")
        .set({ at: 1 })
        .where("merged_id", "=", from.id)
        .execute();
      const long = { state_at: 0 };
      await queries<AssignmentsTables>(tx).updateTable("assignments").set(long).where("call_id", "=", into.id).execute();
    });
    await app.process.assembly.retain("assignments.purge", { kind: "system", name: "test" });
    await undo(of, from);
    expect([await on(of, into), await on(of, from)]).toEqual([[], [[of.units[0]!.id, "accepted"]]]);
  });
});
