import { expect, test } from "vitest";
import { syncUsers } from "#features/citizens/citizens.contract.ts";
import { listNotifications } from "#features/notifications/notifications.contract.ts";
import { testSecrets } from "#testkit/app.ts";
import { dayFromNow } from "#testkit/days.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { type AbsenceEntry, cancelAbsence, enterAbsence, getStatistics, listOf, listOwn } from "./absences.contract.ts";
import { addKind, managerRights, mustAsk, newJob } from "./absences.testkit.ts";

describeApps("absences of others", (get) => {
  const as = ({ token }: Pick<TestActor, "token">) => ({ token });
  const entering = { "absences.list": {}, "absences.kinds": {}, "absences.enter": { whose: ["any"] } };

  async function team() {
    const { world } = get();
    const job = newJob("entered");
    await world.job(job, [0, 1, 2, 3]);
    const colleague = await world.actor({ job, grade: 0, rights: { "absences.list": true } });
    const member = await world.actor({ job, grade: 1 });
    const leader = await world.actor({ job, grade: 2, rights: entering });
    const chief = await world.actor({ job, grade: 3 });
    return { job, colleague, member, leader, chief };
  }

  const enter = async (
    actor: TestActor,
    citizenId: number,
    [from, to]: readonly [number, number],
    more: Partial<AbsenceEntry> = {},
  ) => {
    const body = { citizenId, kindId: null, firstDay: dayFromNow(get(), from), lastDay: dayFromNow(get(), to), ...more };
    return await get().app.call(enterAbsence, { body }, as(actor));
  };
  const of = async (actor: TestActor, id: number) =>
    (await get().app.call(listOf, { query: { citizenId: id } }, as(actor))).output;
  const notified = async (actor: TestActor) =>
    (await get().app.call(listNotifications, { query: {} }, as(actor))).output.items.map(({ kind }) => kind);

  test("count at once, are known to the person, and are cancelled by both", async () => {
    const { member, leader, colleague } = await team();
    const kind = await addKind(get(), leader);
    const { status, output } = await enter(leader, member.characterId, [1, 3], { kindId: kind.id, reason: "Called by phone" });
    expect([status, output.state, output.may]).toEqual([200, "approved", ["cancel"]]);
    expect(output).toMatchObject({ reason: "Called by phone", decision: { reason: null }, kind: { id: kind.id } });
    expect(await notified(member)).toContain("absences.enteredForYou");
    const seen = await of(colleague, member.characterId);
    expect(seen).toMatchObject({ enter: false, items: [{ id: output.id, may: [] }] });
    expect([seen.items[0]?.kind, seen.items[0]?.reason]).toEqual([undefined, undefined]);
    expect(await of(leader, member.characterId)).toMatchObject({ enter: true, items: [{ may: ["cancel"] }] });
    expect((await enter(leader, member.characterId, [3, 4], { kindId: kind.id })).body.code).toBe("absences.overlaps");
    const cancel = async (actor: TestActor, id: number, version: number) =>
      await get().app.call(cancelAbsence, { params: { id }, body: { version } }, as(actor));
    expect((await cancel(colleague, output.id, 1)).status).toBe(404);
    expect((await cancel(leader, output.id, 1)).output.state).toBe("cancelled");
    expect(await notified(member)).toContain("absences.cancelledForYou");
    const again = await enter(leader, member.characterId, [1, 3], { kindId: kind.id });
    expect((await cancel(member, again.output.id, 1)).output.state).toBe("cancelled");
  });

  test("are entered by rank: never of oneself, of a higher grade or of another job", async () => {
    const { world } = get();
    const { leader, chief, member, job } = await team();
    const stranger = await world.actor({ job: newJob("elsewhere") });
    const equal = await world.actor({ job, grade: 2 });
    const codes = async (id: number) => {
      const answer = await enter(leader, id, [1, 1]);
      return [answer.status, answer.body.code];
    };
    expect(await codes(chief.characterId)).toEqual([403, "absences.notYours"]);
    expect(await codes(leader.characterId)).toEqual([403, "absences.notYours"]);
    const identifier = `char2:${leader.licence}`;
    const second = await world.citizen({ identifier, jobs: [{ name: job, grade: 1 }] });
    expect(await codes(second)).toEqual([403, "absences.notYours"]);
    expect(await codes(stranger.characterId)).toEqual([404, "absences.personUnknown"]);
    expect((await enter(leader, equal.characterId, [1, 1])).status).toBe(200);
    expect((await enter(member, equal.characterId, [2, 2])).status).toBe(403);
    expect((await get().app.call(listOf, { query: { citizenId: stranger.characterId } }, as(leader))).status).toBe(404);
  });

  test("of one person that come from two sides at once become one", async () => {
    const { member, leader } = await team();
    const answers = await Promise.all([
      enter(leader, member.characterId, [1, 2]),
      enter(leader, member.characterId, [2, 3]),
      enter(leader, member.characterId, [1, 3]),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect((await get().app.call(listOwn, { query: {} }, as(member))).output.total).toBe(1);
  });

  test("that only wait are in no byte for colleagues, but for those who could enter them", async () => {
    const { member, leader, colleague } = await team();
    const kind = await addKind(get(), leader);
    const { id } = await mustAsk(get(), member, [1, 2], { kindId: kind.id, reason: "Concert in Sandy" });
    const answer = await get().app.call(listOf, { query: { citizenId: member.characterId } }, as(colleague));
    expect([answer.output.items, answer.output.total]).toEqual([[], 0]);
    expect((await of(leader, member.characterId)).items).toMatchObject([{ id, reason: "Concert in Sandy" }]);
  });

  test("are counted by day for all, and by kind for those who see the kinds of everybody", async () => {
    const { world } = get();
    const { job, member, leader, colleague, chief } = await team();
    const kind = await addKind(get(), leader, { needsApproval: false });
    await mustAsk(get(), member, [-1, 2], { kindId: kind.id });
    await mustAsk(get(), chief, [2, 2], { kindId: kind.id });
    const query = { firstDay: dayFromNow(get(), 1), lastDay: dayFromNow(get(), 3) };
    const statistics = async (actor: TestActor) => (await get().app.call(getStatistics, { query }, as(actor))).output;
    const days = [1, 2, 1].map((_, at) => ({ day: dayFromNow(get(), at + 1), absent: [1, 2, 0][at] }));
    expect(await statistics(colleague)).toEqual({ days });
    const viewer = await world.actor({ job, grade: 3, rights: { ...managerRights, "absences.view": { whose: ["any"] } } });
    expect(await statistics(viewer)).toEqual({
      days,
      kinds: [{ kind: { id: kind.id, name: kind.name, colour: kind.colour, icon: kind.icon }, days: 3 }],
    });
    const tooLong = { firstDay: "2026-01-01", lastDay: "2027-06-01" };
    expect((await get().app.call(getStatistics, { query: tooLong }, as(colleague))).status).toBe(400);
  });

  test("lose their substitute when that one leaves the job", async () => {
    const { job, member, chief } = await team();
    await mustAsk(get(), member, [1, 4], { substituteId: chief.characterId });
    const substitute = async () => (await get().app.call(listOwn, { query: {} }, as(member))).output.items[0]?.substitute;
    expect((await substitute())?.id).toBe(chief.characterId);
    const { db } = get().app.process.container;
    const identifier = await db.exclusive("test.identifier", async ({ connection }) => {
      const { rows } = await connection.execute("select identifier from citizens where id = ?", [chief.characterId]);
      return String(rows[0]?.["identifier"]);
    });
    const send = async (name: string) => {
      const items = [{ identifier, firstName: "Ida", lastName: "Holm", licence: chief.licence, jobs: [{ name, grade: 3 }] }];
      await get().app.call(syncUsers, { body: { items } }, { token: testSecrets.sync });
    };
    await send("unemployed");
    await expect.poll(substitute, { timeout: 20_000 }).toBeNull();
    await send(job);
    expect(await substitute()).toBeNull();
  });
});
