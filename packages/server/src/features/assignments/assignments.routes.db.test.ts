import { expect, test } from "vitest";
import { cancelCall, completeCall, getCall, listPresent, reopenCall } from "#features/calls/calls.contract.ts";
import { listNotifications } from "#features/notifications/notifications.contract.ts";
import { leaveUnit, listActivity, listUnits, removeUnit, setStatus } from "#features/units/units.contract.ts";
import { goOffDuty, runTask } from "#features/units/units.testkit.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  answerOffer,
  expireOffer,
  finishWork,
  getOwnWork,
  graceMs,
  missedMs,
  handBack,
  mostOften,
  offerUnits,
  putWorkRules,
  setProgress,
  takeCall,
  urgentOfferMs,
  usualRules,
  withdrawOffer,
} from "./assignments.contract.ts";
import { as, callOf, join, offered, team } from "./assignments.testkit.ts";

const soon = { timeout: 20_000 };

describeApps("units on calls", (get) => {
  const detail = async (who: TestActor, { id }: { readonly id: number }) =>
    (await get().app.call(getCall, { params: { id } }, as(who))).output;
  const kinds = async (who: TestActor, call: { readonly id: number }) =>
    (await detail(who, call)).timeline.map(({ kind }) => kind);
  const baseOf = async (who: TestActor, id: number) =>
    (await get().app.call(listUnits, {}, as(who))).output.items.find((unit) => unit.id === id)!.status.base;
  const set = async (who: TestActor, { id }: { readonly id: number }, base: "available" | "break") =>
    await get().app.call(setStatus, { params: { id }, body: { base } }, as(who));

  test("are asked, decline and accept, and work the call until it is completed by the last one", async () => {
    const { app } = get();
    const of = await team(get(), 2);
    const [one, two] = of.crew;
    await set(one!, of.units[0]!, "available");
    const call = await callOf(get(), of, { priority: 1 });
    expect(call).toMatchObject({ progress: "waiting", units: [], work: ["offer"] });
    const offer = await offered(get(), of, call);
    const now = app.process.container.ports.clock.now();
    expect(offer).toMatchObject({ state: "offered", may: ["withdraw"], until: expect.any(Number) });
    expect(offer.until! - now).toBeLessThanOrEqual(urgentOfferMs);
    expect((await detail(one!, call)).units[0]).toMatchObject({ mine: true, may: ["accept", "decline"] });
    expect((await detail(two!, call)).units[0]).toMatchObject({ mine: false, may: [] });
    const { items } = (await app.call(listNotifications, { query: {} }, as(one!))).output;
    expect(items[0]).toMatchObject({ kind: "assignments.offered", params: { id: `DSP-${call.id}`, seconds: 15 } });
    const params = { id: offer.id };
    const answer = { params, body: { version: offer.version, accept: false } };
    expect((await app.call(answerOffer, answer, as(two!))).body.code).toBe("assignments.notMember");
    expect((await app.call(answerOffer, answer, as(one!))).output).toMatchObject({ state: "declined", version: 2 });
    expect(await detail(of.lead, call)).toMatchObject({ progress: "waiting", units: [] });

    const second = await offered(get(), of, call);
    const accepted = await app.call(answerOffer, { params: { id: second.id }, body: { version: 1, accept: true } }, as(one!));
    expect(accepted.output).toMatchObject({ state: "accepted", accepted: { by: expect.any(String) } });
    expect(await baseOf(of.lead, of.units[0]!.id)).toBe("busy");
    const late = await app.call(answerOffer, { params: { id: second.id }, body: { version: 1, accept: true } }, as(one!));
    expect([late.status, late.body.code, late.body.current]).toMatchObject([409, "assignments.stale", { state: "accepted" }]);
    const there = { params: { id: second.id }, body: { version: 2, state: "onScene" as const, needsHelp: true } };
    expect((await app.call(setProgress, there, as(one!))).output).toMatchObject({ state: "onScene", needsHelp: true });
    expect((await app.call(listPresent, {}, as(of.lead))).output.items[0]).toMatchObject({ progress: "needsHelp" });
    const done = await app.call(finishWork, { params: { id: second.id }, body: { version: 3 } }, as(one!));
    expect(done.output).toMatchObject({ state: "done", version: 4 });
    expect(await detail(of.lead, call)).toMatchObject({ state: "completed", progress: null, units: [] });
    expect(await baseOf(of.lead, of.units[0]!.id)).toBe("available");
    expect(await kinds(of.lead, call)).toEqual([
      "created",
      "offered",
      "declined",
      "offered",
      "accepted",
      "onScene",
      "needsHelp",
      "done",
      "completed",
    ]);
  });

  test("are asked by dispatchers of the call alone, and only units of its jobs with a crew", async () => {
    const { app } = get();
    const [of, other, empty] = [await team(get()), await team(get()), await team(get(), 1)];
    const call = await callOf(get(), of);
    const ask = async (who: TestActor, unitIds: readonly number[], assign = false) =>
      await app.call(offerUnits, { params: { id: call.id }, body: { unitIds: [...unitIds], assign } }, as(who));
    expect((await ask(of.crew[0]!, [of.units[0]!.id])).body.code).toBe("assignments.notDispatcher");
    expect((await ask(other.lead, [other.units[0]!.id])).body.code).toBe("calls.notFound");
    expect((await ask(of.lead, [other.units[0]!.id])).body.code).toBe("assignments.unitNotFound");
    expect((await ask(of.lead, [999_999_999])).body.code).toBe("assignments.unitNotFound");
    await app.call(leaveUnit, {}, as(of.crew[0]!));
    expect((await ask(of.lead, [of.units[0]!.id])).body.code).toBe("assignments.unitEmpty");
    await join(get(), of.crew[0]!, of.units[0]!);
    expect((await ask(of.lead, [of.units[0]!.id], true)).output.units[0]).toMatchObject({ state: "accepted" });
    expect((await ask(of.lead, [of.units[0]!.id])).body.code).toBe("assignments.already");
    const hidden = await app.call(getCall, { params: { id: call.id } }, as(empty.lead));
    expect(hidden.status).toBe(404);
  });

  test("take calls by themselves unless the job has central command, which also takes handing back from them", async () => {
    const { app } = get();
    const of = await team(get(), 2);
    const [one] = of.crew;
    const call = await callOf(get(), of);
    expect((await detail(one!, call)).work).toEqual(["take"]);
    const taken = (await app.call(takeCall, { params: { id: call.id } }, as(one!))).output;
    expect(taken.units[0]).toMatchObject({ state: "accepted", mine: true, may: ["progress", "finish", "handBack"] });
    expect((await app.call(takeCall, { params: { id: call.id } }, as(one!))).body.code).toBe("assignments.already");
    await app.call(putWorkRules, { body: { ...usualRules, mode: "central" } }, as(of.lead));
    const params = { id: taken.units[0]!.id };
    const back = { params, body: { version: 1, reason: "Blocked" } };
    expect((await app.call(handBack, back, as(one!))).body.code).toBe("assignments.central");
    expect((await app.call(takeCall, { params: { id: call.id } }, as(of.crew[1]!))).body.code).toBe("assignments.central");
    expect((await app.call(handBack, back, as(of.lead))).output).toMatchObject({ state: "left" });
    expect(await detail(of.lead, call)).toMatchObject({ state: "open", progress: "waiting" });
    const { timeline } = await detail(of.lead, call);
    expect(timeline.at(-1)).toMatchObject({ kind: "left", text: `${of.units[0]!.name}: Blocked` });
  });

  test("of an ended call are done or withdrawn, and none comes back when it is reopened", async () => {
    const { app } = get();
    const of = await team(get(), 2);
    await set(of.crew[0]!, of.units[0]!, "available");
    const call = await callOf(get(), of);
    await offered(get(), of, call, of.units[0], true);
    await offered(get(), of, call, of.units[1]);
    const version = (await detail(of.lead, call)).version;
    expect((await detail(of.crew[0]!, call)).may).toEqual(["note", "attach", "complete"]);
    await app.call(completeCall, { params: { id: call.id }, body: { version } }, as(of.crew[0]!));
    expect(await detail(of.lead, call)).toMatchObject({ state: "completed", units: [] });
    expect(await baseOf(of.lead, of.units[0]!.id)).toBe("available");
    expect((await kinds(of.lead, call)).slice(-3).toSorted()).toEqual(["completed", "done", "withdrawn"]);
    const ended = await detail(of.crew[0]!, call);
    expect(ended.may).toEqual(["reopen"]);
    const again = { params: { id: call.id }, body: { version: ended.version, reason: "They came back" } };
    expect((await app.call(reopenCall, again, as(of.crew[0]!))).output).toMatchObject({
      progress: "waiting",
      units: [],
      may: [],
    });
    const open = await detail(of.lead, call);
    await offered(get(), of, call, of.units[0], true);
    await app.call(cancelCall, { params: { id: call.id }, body: { version: open.version, reason: "False alarm" } }, as(of.lead));
    // Who worked it may open it again, also where a dispatcher cancelled it.
    expect((await detail(of.crew[0]!, call)).may).toEqual(["reopen"]);
    expect((await detail(of.crew[1]!, call)).may).toEqual([]);
    expect(await baseOf(of.lead, of.units[0]!.id)).toBe("available");
  });

  test("an offer that nobody answers expires; one whose end was missed is open for a moment more", async () => {
    const { app } = get();
    const of = await team(get());
    const call = await callOf(get(), of);
    const first = await offered(get(), of, call);
    await runTask(get(), expireOffer, { id: first.id, at: first.until! });
    expect(await kinds(of.lead, call)).toEqual(["created", "offered", "expired"]);
    const second = await offered(get(), of, call);
    await app.call(withdrawOffer, { params: { id: second.id }, body: { version: 1 } }, as(of.lead));
    await runTask(get(), expireOffer, { id: second.id, at: second.until! });
    expect((await kinds(of.lead, call)).at(-1)).toBe("withdrawn");
    const third = await offered(get(), of, call);
    const { container } = app.process;
    const late = container.ports.clock.now() - missedMs - 1_000;
    await container.db.exclusive("test.late", async ({ connection }) => {
      await connection.execute("update assignments set until = ? where id = ?", [late, third.id]);
    });
    await runTask(get(), expireOffer, { id: third.id, at: late });
    const [left] = (await detail(of.lead, call)).units;
    expect(left).toMatchObject({ state: "offered", version: 2 });
    expect(left!.until! - container.ports.clock.now()).toBeLessThanOrEqual(graceMs);
  });

  test("a unit that nobody is in any more loses its work, and the call waits", async () => {
    const of = await team(get(), 2);
    const call = await callOf(get(), of);
    await offered(get(), of, call, of.units[0], true);
    await offered(get(), of, call, of.units[1]);
    for (const one of of.crew) await goOffDuty(get(), one);
    await expect.poll(async () => (await detail(of.lead, call)).units, soon).toEqual([]);
    expect((await kinds(of.lead, call)).slice(-2).toSorted()).toEqual(["lost", "withdrawn"]);
    expect((await detail(of.lead, call)).progress).toBe("waiting");
  });

  test("nobody is asked whom the game does not see, and the history of a removed unit stays as it is", async () => {
    const { app } = get();
    const of = await team(get());
    const [a, b] = [await callOf(get(), of), await callOf(get(), of)];
    const { db } = app.process.container;
    const missing = async (at: number | null) =>
      await db.exclusive("test.missing", async ({ connection }) => {
        await connection.execute("update duty_people set missing_at = ? where citizen_id = ?", [at, of.crew[0]!.characterId]);
      });
    await missing(1);
    const ask = { params: { id: a.id }, body: { unitIds: [of.units[0]!.id] } };
    expect((await app.call(offerUnits, ask, as(of.lead))).body.code).toBe("assignments.unitMissing");
    await missing(null);
    await offered(get(), of, a, of.units[0], true);
    await offered(get(), of, b, of.units[0], true);
    const params = { id: of.units[0]!.id };
    await app.call(removeUnit, { params }, as(of.lead));
    await expect.poll(async () => (await detail(of.lead, b)).units, soon).toEqual([]);
    const { items } = (await app.call(listActivity, { params, query: {} }, as(of.lead))).output;
    expect(items[0]).toMatchObject({ what: "removed" });
  });

  test("a job that only helps does not complete the call of another one", async () => {
    const { app } = get();
    const [own, helping] = [await team(get()), await team(get())];
    const call = await callOf(get(), own);
    await app.process.container.db.exclusive("test.helps", async ({ connection }) => {
      const sql =
        "insert into calls_jobs (call_id, job, level, min_grade, expires_at, position) values (?, ?, 'participate', 0, null, 1)";
      await connection.execute(sql, [call.id, helping.job]);
    });
    await app.call(putWorkRules, { body: { ...usualRules, completes: false } }, as(own.lead));
    const taken = (await app.call(takeCall, { params: { id: call.id } }, as(helping.crew[0]!))).output.units[0]!;
    await app.call(finishWork, { params: { id: taken.id }, body: { version: 1 } }, as(helping.crew[0]!));
    expect(await detail(own.lead, call)).toMatchObject({ state: "open", progress: "waiting" });
  });

  test("come to a call so often and no more, because each reading of it reads them", async () => {
    const { app } = get();
    const of = await team(get());
    const call = await callOf(get(), of);
    const work = await offered(get(), of, call, of.units[0], true);
    await app.call(handBack, { params: { id: work.id }, body: { version: 1, reason: "Blocked" } }, as(of.crew[0]!));
    await app.process.container.db.exclusive("test.often", async ({ connection }) => {
      const columns =
        "version, call_id, unit_id, job, state, needs_help, until, created_at, created_by, accepted_at, accepted_by, state_at, ended_at, reason";
      const copy = `insert into assignments (${columns}, ended_marker) select ${columns}, ? from assignments where id = ?`;
      for (let at = 1; at < mostOften; at += 1) await connection.execute(copy, [1_000_000_000 + at, work.id]);
    });
    const again = await app.call(takeCall, { params: { id: call.id } }, as(of.crew[0]!));
    expect([again.body.code, again.body.params]).toEqual(["assignments.tooOften", { id: `DSP-${call.id}`, most: mostOften }]);
  });

  test("the own unit's work has the furthest first, and is nothing for somebody without a unit", async () => {
    const { app } = get();
    const of = await team(get());
    const [a, b] = [await callOf(get(), of), await callOf(get(), of)];
    await offered(get(), of, a);
    const work = await offered(get(), of, b, of.units[0], true);
    await app.call(setProgress, { params: { id: work.id }, body: { version: 1, state: "enRoute" } }, as(of.crew[0]!));
    const own = (await app.call(getOwnWork, {}, as(of.crew[0]!))).output;
    expect(own).toMatchObject({ unit: { id: of.units[0]!.id }, onDuty: true, mode: "manual" });
    expect(own.calls.map(({ id, progress }) => [id, progress])).toEqual([
      [b.id, "enRoute"],
      [a.id, "offered"],
    ]);
    expect((await app.call(getOwnWork, {}, as(of.lead))).output).toMatchObject({ unit: null, calls: [] });
  });
});
