import { expect, test } from "vitest";
import { auditHistory } from "#features/audit/audit.contract.ts";
import { enterJobAdmin } from "#features/auth/auth.contract.ts";
import { listApprovals } from "#features/approvals/approvals.contract.ts";
import { Exporter } from "#features/exports/exports.testkit.ts";
import { listNotifications } from "#features/notifications/notifications.contract.ts";
import { dayFromNow } from "#testkit/days.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  absencesExport,
  cancelAbsence,
  decideAbsence,
  getCapacity,
  listAbsent,
  listKinds,
  listMonth,
  listOwn,
  listWaiting,
  putRules,
} from "./absences.contract.ts";
import { addKind, ask, managerRights, mustAsk, newJob } from "./absences.testkit.ts";

describeApps("absences", (get) => {
  /** Somebody with a leader of the next grade and a chief above, who decide, and a colleague who sees who is absent. */
  async function team() {
    const { world } = get();
    const job = newJob("away");
    await world.job(job, [0, 1, 2, 3]);
    const colleague = await world.actor({ job, grade: 0, rights: { "absences.list": true } });
    const member = await world.actor({ job, grade: 1 });
    const leader = await world.actor({ job, grade: 2, rights: managerRights });
    const chief = await world.actor({ job, grade: 3 });
    return { job, colleague, member, leader, chief };
  }

  const as = ({ token }: TestActor) => ({ token });
  const monthOf = (count: number) => dayFromNow(get(), count).slice(0, 7);
  const month = async (actor: TestActor, count: number) =>
    (await get().app.call(listMonth, { query: { month: monthOf(count) } }, as(actor))).output.items;
  const waiting = async (actor: TestActor) => (await get().app.call(listWaiting, {}, as(actor))).output.items.map(({ id }) => id);
  const decide = async (actor: TestActor, id: number, approve: boolean, version = 1) => {
    const body = { version, approve, ...(approve ? {} : { reason: "Too many are away" }) };
    return await get().app.call(decideAbsence, { params: { id }, body }, as(actor));
  };
  const cancel = async (actor: TestActor, id: number, version: number) =>
    await get().app.call(cancelAbsence, { params: { id }, body: { version } }, as(actor));
  const absentNow = async (actor: TestActor) =>
    (await get().app.call(listAbsent, {}, as(actor))).output.items.map(({ id, day }) => [id, day]);

  test("are limited for each person and day, so that nobody floods those who are notified", async () => {
    const { member, colleague } = await team();
    for (let n = 0; n < 30; n += 1) {
      const { id, version } = await mustAsk(get(), member, [1, 2], { substituteId: colleague.characterId });
      expect((await cancel(member, id, version)).status).toBe(200);
    }
    const refused = await ask(get(), member, [1, 2]);
    expect([refused.status, refused.body.code, refused.body.params]).toEqual([409, "absences.tooMany", { most: 30 }]);
    expect((await ask(get(), colleague, [1, 2])).status).toBe(200);
  });

  test("of the shipped kind need no right and no approval, within its limits", async () => {
    const { app } = get();
    const { member, colleague } = await team();
    expect((await app.call(listKinds, {}, as(member))).output).toMatchObject({ items: [], rules: { share: 30 } });
    const output = await mustAsk(get(), member, [-1, 3], { reason: "A cold" });
    expect(output).toMatchObject({ state: "approved", kind: null, reason: "A cold", may: ["cancel"], decision: null });
    expect(await absentNow(colleague)).toEqual([[member.characterId, dayFromNow(get(), 3)]]);
    const refusals: [readonly [number, number], string][] = [
      [[-8, -8], "absences.tooEarly"],
      [[93, 94], "absences.tooLate"],
      [[10, 41], "absences.tooLong"],
      [[11, 10], "absences.lastBeforeFirst"],
      [[3, 4], "absences.overlaps"],
    ];
    for (const [span, code] of refusals) expect((await ask(get(), member, span)).body.code).toBe(code);
    const overlaps = await ask(get(), member, [0, 0]);
    expect([overlaps.status, (overlaps.body.params as { id: number }).id]).toEqual([409, output.id]);
    const unknown = await ask(get(), member, [10, 11], { kindId: 999_999 });
    expect([unknown.status, unknown.body.code]).toEqual([404, "absences.kindNotFound"]);
    expect((await mustAsk(get(), member, [4, 4])).state).toBe("approved");
  });

  test("are not asked for in a job of job admin, and there is no month after the last one", async () => {
    const { app, world } = get();
    const { job, colleague } = await team();
    const admin = await world.actor({ job: newJob("own"), groups: ["lead"] });
    await app.call(enterJobAdmin, { body: { reason: "a test", job } }, as(admin));
    expect((await ask(get(), { token: await world.tokenOf(admin) }, [0, 1])).body.code).toBe("absences.noJob");
    for (const last of ["9999-12", "0000-01"])
      expect((await app.call(listMonth, { query: { month: last } }, as(colleague))).status).toBe(400);
  });

  test("of which two are asked for at once for the same days become one", async () => {
    const { member } = await team();
    const answers = await Promise.all([1, 2, 3].map(async (last) => await ask(get(), member, [1, last])));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    const { output } = await get().app.call(listOwn, { query: {} }, as(member));
    expect(output.total).toBe(1);
  });

  test("that need approval wait for the nearest grade, and count once it approves", async () => {
    const { member, leader, chief, colleague } = await team();
    const kind = await addKind(get(), leader);
    expect((await ask(get(), member, [1, 2])).body.code).toBe("absences.kindNotFound");
    const { id, state } = await mustAsk(get(), member, [0, 2], { kindId: kind.id });
    expect(state).toBe("requested");
    expect([await waiting(leader), await waiting(chief), await waiting(member)]).toEqual([[id], [], []]);
    expect(await absentNow(colleague)).toEqual([]);
    for (const actor of [member, chief]) expect((await decide(actor, id, true)).status).toBe(403);
    expect((await decide(colleague, id, true)).status).toBe(404);
    const silent = await get().app.call(decideAbsence, { params: { id }, body: { version: 1, approve: false } }, as(leader));
    expect(silent.status).toBe(400);
    const approved = await decide(leader, id, true);
    expect(approved.output).toMatchObject({ state: "approved", version: 2, may: [], decision: { reason: null } });
    expect((await decide(leader, id, false, 2)).body.code).toBe("absences.decided");
    expect((await decide(leader, id, false)).body.code).toBe("absences.stale");
    expect(await absentNow(colleague)).toHaveLength(1);
    const { output } = await get().app.call(listNotifications, { query: {} }, as(member));
    expect(output.items.map((one) => one.kind)).toContain("approvals.requestApproved");
  });

  test("that were declined say why, also when it was decided on the page of requests", async () => {
    const { app } = get();
    const { member, leader } = await team();
    const kind = await addKind(get(), leader);
    const { id } = await mustAsk(get(), member, [1, 2], { kindId: kind.id, reason: "Concert" });
    const { output: requests } = await app.call(listApprovals, { query: {} }, as(leader));
    expect(requests.items).toMatchObject([{ kind: "absences.absence", params: { kind: "Holiday", reason: "Concert" } }]);
    await decide(leader, id, false);
    const { output } = await app.call(listOwn, { query: {} }, as(member));
    expect(output.items).toMatchObject([{ state: "declined", decision: { reason: "Too many are away" }, may: [] }]);
    // The days are free again.
    expect((await mustAsk(get(), member, [1, 2], { kindId: kind.id })).state).toBe("requested");
  });

  test("show others until when, and kind and reason to those whom the right lets see them", async () => {
    const { app, world } = get();
    const { job, member, leader, colleague } = await team();
    await mustAsk(get(), member, [0, 2], { reason: "Secret reason" });
    const open = async (actor: TestActor) => (await month(actor, 0)).find(({ citizen }) => citizen.id === member.characterId);
    expect(await open(leader)).toMatchObject({ reason: "Secret reason", kind: null });
    const seen = await open(colleague);
    expect(seen).toMatchObject({ lastDay: dayFromNow(get(), 2) });
    expect(Object.keys(seen!)).not.toEqual(expect.arrayContaining(["reason"]));
    for (const field of ["kind", "reason", "decision"]) expect(seen).not.toHaveProperty(field);
    const answer = await app.call(listMonth, { query: { month: monthOf(0) } }, as(colleague));
    expect(answer.text).not.toContain("Secret");
    const same = await world.actor({ job, grade: 1, rights: { "absences.list": {}, "absences.view": { whose: ["lower"] } } });
    expect(await open(same)).not.toHaveProperty("reason");
    await world.grant(job, 1, { "absences.view": { whose: ["same"] } });
    const token = await world.tokenOf(same);
    expect(await open({ ...same, token })).toMatchObject({ reason: "Secret reason" });
    const outside = await world.actor({ job: newJob("outside"), rights: { "absences.list": true } });
    expect(await month(outside, 0)).toEqual([]);
    const without = await world.actor({ job: newJob("without") });
    expect((await app.call(listMonth, { query: { month: monthOf(0) } }, as(without))).status).toBe(403);
  });

  test("are cancelled from today on: what is past stays", async () => {
    const { app, world } = get();
    const { member, leader, colleague } = await team();
    const running = await mustAsk(get(), member, [-2, 4]);
    const coming = await mustAsk(get(), member, [10, 12]);
    expect((await cancel(colleague, running.id, 1)).status).toBe(404);
    expect((await cancel(member, running.id, 1)).output).toMatchObject({ state: "approved", lastDay: dayFromNow(get(), -1) });
    expect(await absentNow(colleague)).toEqual([]);
    expect((await cancel(member, running.id, 2)).body.code).toBe("absences.over");
    expect((await cancel(member, coming.id, 1)).output).toMatchObject({ state: "cancelled" });
    const kind = await addKind(get(), leader);
    const asked = await mustAsk(get(), member, [0, 3], { kindId: kind.id });
    expect((await cancel(member, asked.id, 1)).output.state).toBe("cancelled");
    expect(await waiting(leader)).toEqual([]);
    const auditor = await world.actor({ groups: ["admin"] });
    const params = { kind: "absences.absence", id: String(coming.id) };
    const { output } = await app.call(auditHistory, { params }, as(auditor));
    expect(output.items.map(({ action }) => action).toSorted()).toEqual(["absences.cancel", "absences.request"]);
  });

  test("name a substitute of the same job, who learns of it and of its end", async () => {
    const { app, world } = get();
    const { member, colleague, leader } = await team();
    const outside = await world.citizen();
    for (const substituteId of [outside, member.characterId])
      expect((await ask(get(), member, [0, 1], { substituteId })).body.code).toBe("absences.substituteUnknown");
    const { id } = await mustAsk(get(), member, [0, 1], { substituteId: leader.characterId });
    const news = async () => (await app.call(listNotifications, { query: {} }, as(leader))).output.items.map(({ kind }) => kind);
    expect(await news()).toContain("absences.substituteNamed");
    const { output } = await app.call(listAbsent, {}, as(colleague));
    expect(output.items).toMatchObject([{ substitute: { id: leader.characterId } }]);
    await cancel(member, id, 1);
    expect(await news()).toContain("absences.substituteFree");
  });

  test("are counted by day, beside the number from which the form warns", async () => {
    const { app } = get();
    const { member, leader, colleague, chief } = await team();
    await mustAsk(get(), member, [5, 6]);
    await mustAsk(get(), leader, [6, 7]);
    const query = { firstDay: dayFromNow(get(), 6), lastDay: dayFromNow(get(), 8) };
    const capacity = async (actor: TestActor) => (await app.call(getCapacity, { query }, as(actor))).output;
    expect(await capacity(chief)).toEqual({
      people: 4,
      most: 1,
      days: [
        { day: dayFromNow(get(), 6), absent: 2 },
        { day: dayFromNow(get(), 7), absent: 1 },
      ],
    });
    const put = async (share: number | null, version: number) =>
      await app.call(putRules, { body: { share, version } }, as(leader));
    expect((await put(75, 0)).output).toEqual({ share: 75, version: 1 });
    expect((await capacity(chief)).most).toBe(3);
    expect((await put(10, 0)).body.code).toBe("absences.stale");
    expect((await put(null, 1)).output.share).toBeNull();
    expect((await capacity(chief)).most).toBeNull();
    expect((await app.call(putRules, { body: { share: 10, version: 2 } }, as(colleague))).status).toBe(403);
  });

  test("are exported by month with what the viewer sees, by those who may export them", async () => {
    const { member, leader, colleague } = await team();
    await mustAsk(get(), member, [0, 0], { reason: "A cold" });
    const exporter = new Exporter(get(), leader);
    const { output } = await exporter.request(absencesExport, { month: monthOf(0) });
    await expect.poll(async () => (await exporter.find(output.id))?.state, { timeout: 20_000 }).toBe("done");
    const [, ...rows] = (await exporter.download(output.id)).text.trimEnd().split("\r\n");
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain("A cold");
    const refused = await new Exporter(get(), colleague).request(absencesExport, { month: monthOf(0) });
    expect([refused.status, refused.body.code]).toEqual([403, "system.permissionMissing"]);
  });
});
