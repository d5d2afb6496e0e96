import { expect, test } from "vitest";
import { auditHistory } from "#features/audit/audit.contract.ts";
import { citizensPurged } from "#features/citizens/citizens.contract.ts";
import { deleterOf, runReaction } from "#testkit/reactions.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  createKind,
  exampleKindContent,
  kindLimits,
  listKinds,
  listOwn,
  orderKinds,
  putKind,
  removeKind,
  restoreKind,
} from "./absences.contract.ts";
import { addKind, ask, managerRights, mustAsk, newJob } from "./absences.testkit.ts";

describeApps("kinds of absence", (get) => {
  const as = ({ token }: TestActor) => ({ token });
  const create = async (actor: TestActor, more: object) =>
    await get().app.call(createKind, { body: { ...exampleKindContent, ...more } }, as(actor));

  async function team() {
    const { world } = get();
    const job = newJob("kinds");
    await world.job(job);
    const member = await world.actor({ job, grade: 0 });
    return { job, member, boss: await world.actor({ job, grade: 3, rights: managerRights }) };
  }

  const names = async (actor: TestActor) =>
    (await get().app.call(listKinds, {}, as(actor))).output.items.map(({ name, deleted }) => (deleted ? `(${name})` : name));

  test("take the place of the shipped one, in their order, with their own limits", async () => {
    const { app } = get();
    const { boss, member } = await team();
    const short = await addKind(get(), boss, { name: "Short", needsApproval: false, daysBack: 0, daysAhead: 5, mostDays: 2 });
    const long = await addKind(get(), boss, { name: "Long", needsApproval: false, daysAhead: kindLimits.daysAhead });
    expect(await names(member)).toEqual(["Short", "Long"]);
    expect((await ask(get(), member, [1, 1])).body.code).toBe("absences.kindNotFound");
    expect((await ask(get(), member, [-1, 0], { kindId: short.id })).body.code).toBe("absences.tooEarly");
    expect((await ask(get(), member, [5, 6], { kindId: short.id })).body.code).toBe("absences.tooLate");
    expect((await ask(get(), member, [1, 3], { kindId: short.id })).body.code).toBe("absences.tooLong");
    expect((await mustAsk(get(), member, [kindLimits.daysAhead - 1, kindLimits.daysAhead], { kindId: long.id })).state).toBe(
      "approved",
    );
    await app.call(orderKinds, { body: { ids: [long.id] } }, as(boss));
    expect(await names(member)).toEqual(["Long", "Short"]);
  });

  test("have names that are free again once they are deleted; absences keep theirs", async () => {
    const { app } = get();
    const { boss, member } = await team();
    const { id } = await addKind(get(), boss, { name: "Café", needsApproval: false });
    await mustAsk(get(), member, [1, 1], { kindId: id });
    const taken = await create(boss, { name: "cafe" });
    expect([taken.status, taken.body.code]).toEqual([409, "absences.nameTaken"]);
    await app.call(removeKind, { params: { id } }, as(boss));
    expect([await names(member), await names(boss)]).toEqual([[], ["(Café)"]]);
    const { output: own } = await app.call(listOwn, { query: {} }, as(member));
    expect(own.items).toMatchObject([{ kind: { name: "Café" } }]);
    expect((await ask(get(), member, [2, 2], { kindId: id })).body.code).toBe("absences.kindNotFound");
    expect((await ask(get(), member, [2, 2])).output.kind).toBeNull();
    const other = await addKind(get(), boss, { name: "CAFE" });
    const back = await app.call(restoreKind, { params: { id } }, as(boss));
    expect(back.body.code).toBe("absences.nameTaken");
    const body = { ...exampleKindContent, name: "Bar", version: other.version };
    expect((await app.call(putKind, { params: { id: other.id }, body }, as(boss))).output.version).toBe(2);
    expect((await app.call(restoreKind, { params: { id } }, as(boss))).output.deleted).toBe(false);
    const auditor = await get().world.actor({ groups: ["admin"] });
    const { output } = await app.call(auditHistory, { params: { kind: "absences.kind", id: String(id) } }, as(auditor));
    expect(output.items.map(({ action }) => action)).toEqual([
      "absences.restoreKind",
      "absences.removeKind",
      "absences.createKind",
    ]);
  });

  test("do not keep who deleted them, once that citizen was removed for good", async () => {
    const { app } = get();
    const { boss } = await team();
    const { id } = await addKind(get(), boss);
    await app.call(removeKind, { params: { id } }, as(boss));
    const deleter = async () => await deleterOf(get(), "absences_kinds", id);
    expect(await deleter()).toBe(boss.characterId);
    await runReaction(get(), "absences.purgeCitizens", citizensPurged, { citizenIds: [boss.characterId] });
    expect(await deleter()).toBeNull();
  });

  test("belong to the own job, and are changed with the right alone", async () => {
    const { app } = get();
    const [one, other] = [await team(), await team()];
    const { id } = await addKind(get(), one.boss);
    const answers = [
      await app.call(putKind, { params: { id }, body: { ...exampleKindContent, version: 1 } }, as(other.boss)),
      await app.call(removeKind, { params: { id } }, as(other.boss)),
      await app.call(orderKinds, { body: { ids: [id] } }, as(other.boss)),
      await app.call(removeKind, { params: { id } }, as(one.member)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 403]);
    expect((await ask(get(), other.member, [1, 1], { kindId: id })).body.code).toBe("absences.kindNotFound");
    expect((await create(one.boss, { colour: "green" })).status).toBe(400);
    expect((await create(one.boss, { name: "Year", mostDays: kindLimits.mostDays + 1 })).status).toBe(400);
  });
});
