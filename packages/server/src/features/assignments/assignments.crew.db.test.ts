import { expect, test } from "vitest";
import {
  callsPermissions,
  editCall,
  getCall,
  keptForDispatchers,
  listCalls,
  listPresent,
  mostEntries,
  noteCall,
  type CallDetail,
} from "#features/calls/calls.contract.ts";
import { mustCall } from "#features/calls/calls.testkit.ts";
import { leaveUnit, removeUnit } from "#features/units/units.contract.ts";
import { goOffDuty } from "#features/units/units.testkit.ts";
import { TestClient } from "#infra/realtime/realtime.testkit.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  answerOffer,
  assignmentsTopic,
  finishWork,
  getOwnWork,
  offerUnits,
  putWorkRules,
  takeCall,
  usualRules,
  withdrawOffer,
} from "./assignments.contract.ts";
import { as, callOf, offered, team, type Team } from "./assignments.testkit.ts";

const soon = { timeout: 20_000 };
const none = {};

describeApps("crews without the right to see calls", (get) => {
  const open = async (who: TestActor, { id }: Pick<CallDetail, "id">) =>
    await get().app.call(getCall, { params: { id } }, as(who));
  const own = async (who: TestActor) => (await get().app.call(getOwnWork, {}, as(who))).output.calls.map(({ id }) => id);
  const staysOpen = async ({ lead }: Team) =>
    await get().app.call(putWorkRules, { body: { ...usualRules, completes: false } }, as(lead));

  /** Nothing of the call is in what this person gets, whatever the person asks. */
  async function hidden(who: TestActor, call: CallDetail): Promise<void> {
    const { app } = get();
    const params = { id: call.id };
    const answers = [
      await open(who, call),
      await app.call(noteCall, { params, body: { text: "Still here" } }, as(who)),
      await app.call(takeCall, { params }, as(who)),
      await app.call(listPresent, {}, as(who)),
      await app.call(listCalls, { query: {} }, as(who)),
      await app.call(getOwnWork, {}, as(who)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 403, 403, 200]);
    expect(answers.map(({ text }) => text).join("")).not.toContain(call.message);
  }

  test("see and answer what their unit is asked for, work it, and see nothing of it afterwards", async () => {
    const { app } = get();
    const of = await team(get(), 2, {}, none);
    const [one, two] = of.crew;
    await staysOpen(of);
    const call = await callOf(get(), of, { message: "Smoke over the harbour" });
    await hidden(one!, call);
    const offer = await offered(get(), of, call);
    expect((await open(one!, call)).output).toMatchObject({
      message: "Smoke over the harbour",
      may: [],
      work: [],
      units: [{ mine: true, may: ["accept", "decline"] }],
    });
    expect(await own(one!)).toEqual([call.id]);
    await hidden(two!, call);
    const answer = { params: { id: offer.id }, body: { version: offer.version, accept: true } };
    expect((await app.call(answerOffer, answer, as(one!))).output).toMatchObject({ state: "accepted" });
    expect((await open(one!, call)).output.may).toEqual(["note", "attach", "complete"]);
    const note = { params: { id: call.id }, body: { text: "Two boats burn" } };
    expect((await app.call(noteCall, note, as(one!))).status).toBe(200);
    expect((await app.call(finishWork, { params: { id: offer.id }, body: { version: 2 } }, as(one!))).status).toBe(200);
    await hidden(one!, call);
  });

  test.each(["declined", "withdrawn", "left the unit", "off duty"] as const)(
    "see nothing of it once it is over: %s",
    async (how) => {
      const { app } = get();
      const of = await team(get(), 1, {}, none);
      const [one] = of.crew;
      const call = await callOf(get(), of, { message: `Alarm that is ${how}` });
      const { id, version } = await offered(get(), of, call);
      expect((await open(one!, call)).status).toBe(200);
      const command = { params: { id }, body: { version } };
      if (how === "declined") await app.call(answerOffer, { params: { id }, body: { version, accept: false } }, as(one!));
      else if (how === "withdrawn") await app.call(withdrawOffer, command, as(of.lead));
      else if (how === "left the unit") await app.call(leaveUnit, {}, as(one!));
      else await goOffDuty(get(), one!);
      await hidden(one!, call);
    },
  );

  test("are told that the right is missing where they would take a call that they see as its caller", async () => {
    const { app } = get();
    const of = await team(get(), 1, {}, { "calls.create": true });
    const [one] = of.crew;
    const call = await mustCall(get(), one!, { jobs: [of.job] });
    const refused = await app.call(takeCall, { params: { id: call.id } }, as(one!));
    expect([refused.status, refused.body.code, refused.body.params]).toEqual([
      403,
      "assignments.callsHidden",
      { permission: callsPermissions.view.id },
    ]);
  });

  test("with the right and too low a grade find it in lists as long as they work it", async () => {
    const { app } = get();
    const of = await team(get());
    const [one] = of.crew;
    await staysOpen(of);
    const call = await callOf(get(), of, { message: "Quarry explosion" });
    await app.process.container.db.exclusive("test.grade", async ({ connection }) => {
      await connection.execute("update calls_jobs set min_grade = 2 where call_id = ?", [call.id]);
    });
    const found = async () => {
      const present = (await app.call(listPresent, {}, as(one!))).output;
      const all = (await app.call(listCalls, { query: {} }, as(one!))).output.items.map(({ id }) => id);
      const searched = (await app.call(listCalls, { query: { q: "quarry" } }, as(one!))).output.items.map(({ id }) => id);
      return [present.open, present.items.map(({ id }) => id), all, searched];
    };
    expect(await found()).toEqual([0, [], [], []]);
    const work = await offered(get(), of, call, of.units[0], true);
    expect(await found()).toEqual([1, [call.id], [call.id], [call.id]]);
    await app.call(finishWork, { params: { id: work.id }, body: { version: work.version } }, as(one!));
    expect(await found()).toEqual([0, [], [], []]);
  });

  test("read it again on open pages when somebody else changes it", async () => {
    const { app } = get();
    const of = await team(get(), 1, {}, none);
    const call = await callOf(get(), of);
    const client = await TestClient.signedIn(app.process.hub, of.crew[0]!.token);
    await client.subscribe(assignmentsTopic.name);
    const told = () => client.events(assignmentsTopic.name).length;
    await offered(get(), of, call, of.units[0], true);
    await expect.poll(told, soon).toBe(1);
    const { version } = (await open(of.lead, call)).output;
    const body = { version, typeId: null, message: "Help is needed at once", priority: 1, postal: null };
    await app.call(editCall, { params: { id: call.id }, body }, as(of.lead));
    await expect.poll(told, soon).toBe(2);
    client.leave();
  });

  test("of a removed unit leave its name in the timeline", async () => {
    const { app } = get();
    const of = await team(get());
    const call = await callOf(get(), of);
    await app.call(offerUnits, { params: { id: call.id }, body: { unitIds: [of.units[0]!.id], assign: true } }, as(of.lead));
    await app.call(removeUnit, { params: { id: of.units[0]!.id } }, as(of.lead));
    const last = async () => (await open(of.lead, call)).output.timeline.at(-1);
    await expect.poll(last, soon).toMatchObject({ kind: "lost", text: of.units[0]!.name });
  });

  test("write so many notes, and leave room for those of dispatchers", async () => {
    const { app } = get();
    const of = await team(get());
    const call = await callOf(get(), of);
    await offered(get(), of, call, of.units[0], true);
    await app.process.container.db.exclusive("test.lines", async ({ connection }) => {
      const line = "insert into calls_entries (call_id, at, kind, text) values (?, 1, 'note', 'x')";
      for (let at = 0; at < mostEntries - keptForDispatchers; at += 1) await connection.execute(line, [call.id]);
    });
    const note = async (who: TestActor) =>
      await app.call(noteCall, { params: { id: call.id }, body: { text: "One more" } }, as(who));
    const refused = await note(of.crew[0]!);
    const params = { id: `DSP-${call.id}`, most: mostEntries - keptForDispatchers };
    expect([refused.status, refused.body.code, refused.body.params]).toEqual([409, "calls.timelineFull", params]);
    expect((await note(of.lead)).status).toBe(200);
  });
});
