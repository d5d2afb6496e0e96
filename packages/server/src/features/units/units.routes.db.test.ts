import { describe, expect, test } from "vitest";
import { auditHistory } from "#features/audit/audit.contract.ts";
import { syncUsers } from "#features/citizens/citizens.contract.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  createTemporary,
  createUnit,
  exampleContent,
  joinUnit,
  leaveUnit,
  listActivity,
  moveMember,
  orderUnits,
  putUnit,
  removeUnit,
  restoreUnit,
  setStatus,
  type Unit,
} from "./units.contract.ts";
import { addUnit, goOffDuty, leaderRights, newJob, team, unitsOf } from "./units.testkit.ts";

const soon = { timeout: 20_000 };

describeApps("units", (get) => {
  const as = ({ token }: TestActor) => ({ token });
  const join = async (who: TestActor, { id }: Unit, role: string | null = null) =>
    await get().app.call(joinUnit, { params: { id }, body: { role } }, as(who));
  const set = async (who: TestActor, { id }: Unit, body: object) =>
    await get().app.call(setStatus, { params: { id }, body: body as { base: "busy" } }, as(who));
  const move = async (by: TestActor, who: TestActor, unit: Unit | null, role: string | null = null) =>
    await get().app.call(moveMember, { params: { id: who.characterId }, body: { unitId: unit?.id ?? null, role } }, as(by));
  const find = async (who: TestActor, { id }: Unit) => (await unitsOf(get(), who)).items.find((one) => one.id === id);
  const activity = async (who: TestActor, { id }: Unit) => {
    const { output } = await get().app.call(listActivity, { params: { id }, query: {} }, as(who));
    return output.items.map(({ what, why, status }) => [what, why, status?.base].filter(Boolean).join(" ")).toReversed();
  };

  describe("a crew", () => {
    test("begins unavailable, is available with its minimum, and unavailable without; everybody of the job sees it", async () => {
      const { leader, crew } = await team(get());
      const [one, two] = [crew[0]!, crew[1]!];
      const unit = await addUnit(get(), leader, { minCrew: 2 });
      expect(unit).toMatchObject({ status: { base: "unavailable" }, crew: [], may: ["join", "status", "manage"] });
      expect((await join(one, unit, "driver")).output).toMatchObject({
        status: { base: "unavailable" },
        may: ["leave", "status"],
      });
      expect((await join(two, unit)).output.status.base).toBe("available");
      expect((await find(one, unit))!.crew).toMatchObject([
        { id: one.characterId, role: "driver", state: "on", grade: 1 },
        { id: two.characterId, role: null, mayMove: false },
      ]);
      await get().app.call(leaveUnit, {}, as(two));
      expect((await find(one, unit))!.status.base).toBe("unavailable");
      expect(await activity(one, unit)).toEqual([
        "created byHand",
        "joined byHand",
        "joined byHand",
        "status minimumReached available",
        "left byHand",
        "status underMinimum unavailable",
      ]);
    });

    test("is changed with an entry in the audit log, also by a role alone, and without one where nothing changes", async () => {
      const { leader, crew } = await team(get());
      const unit = await addUnit(get(), leader, { roles: ["driver"] });
      await join(crew[0]!, unit);
      await join(crew[0]!, unit);
      await move(leader, crew[0]!, unit, "driver");
      await move(leader, crew[0]!, unit, "driver");
      await move(leader, crew[0]!, null);
      await move(leader, crew[0]!, null);
      const auditor = await get().world.actor({ groups: ["admin"] });
      const params = { kind: "units.unit", id: String(unit.id) };
      const { output } = await get().app.call(auditHistory, { params }, as(auditor));
      const actions = output.items.map(({ action }) => action).toReversed();
      expect(actions).toEqual([createUnit.id, joinUnit.id, moveMember.id, moveMember.id]);
    });

    test("is joined by people on duty in the job, up to its most, with its roles; who joins again stays", async () => {
      const { job, leader, crew } = await team(get());
      const off = await get().world.actor({ job, grade: 1 });
      const unit = await addUnit(get(), leader, { maxCrew: 1 });
      expect((await join(off, unit)).body.code).toBe("units.notOnDuty");
      expect((await join(crew[0]!, unit, "pilot")).body.code).toBe("units.roleUnknown");
      expect((await join(crew[0]!, unit)).status).toBe(200);
      expect((await join(crew[0]!, unit, "driver")).output.crew).toMatchObject([{ role: "driver" }]);
      const full = await join(crew[1]!, unit);
      expect([full.status, full.body.code]).toEqual([409, "units.full"]);
    });

    test("checks the target before somebody leaves the unit of now; nobody is in two", async () => {
      const { leader, crew } = await team(get());
      const [one, two] = [crew[0]!, crew[1]!];
      const [first, full] = [await addUnit(get(), leader), await addUnit(get(), leader, { maxCrew: 1 })];
      await join(one, first);
      await join(two, full);
      expect((await join(one, full)).body.code).toBe("units.full");
      expect((await find(one, first))!.crew.map(({ id }) => id)).toEqual([one.characterId]);
      await Promise.all([join(two, first), join(two, full), join(two, first)]);
      const crews = (await unitsOf(get(), two)).items.flatMap((unit) => unit.crew.map(({ id }) => id));
      expect(crews.filter((id) => id === two.characterId)).toHaveLength(1);
    });

    test("is moved by those whose right reaches the grade, also out; others are named what is missing", async () => {
      const { job, leader, crew } = await team(get());
      const member = crew[0]!;
      const high = await get().world.actor({ job, grade: 3 });
      const unit = await addUnit(get(), leader);
      expect((await move(member, crew[1]!, unit)).status).toBe(403);
      const refused = await move(leader, high, unit);
      expect([refused.status, refused.body.code]).toEqual([403, "units.notAssigned"]);
      expect((await move(leader, await get().world.actor({ job, grade: 0 }), unit)).body.code).toBe("units.personNotOnDuty");
      expect((await move(leader, member, unit, "driver")).status).toBe(204);
      expect((await find(leader, unit))!.crew).toMatchObject([{ id: member.characterId, role: "driver", mayMove: true }]);
      expect((await unitsOf(get(), leader)).free.map(({ id }) => id)).not.toContain(member.characterId);
      await move(leader, member, null);
      expect((await find(leader, unit))!).toMatchObject({ crew: [], status: { base: "unavailable" } });
      expect((await unitsOf(get(), leader)).free.map(({ id }) => id)).toContain(member.characterId);
    });

    test("loses nobody to a leader of another job that the person holds too", async () => {
      const { app } = get();
      const [{ job, leader, crew }, other] = [await team(get(), 1), await team(get(), 0)];
      const member = crew[0]!;
      const unit = await addUnit(get(), leader);
      await join(member, unit);
      const held = [
        { name: job, grade: 1 },
        { name: other.job, grade: 0 },
      ];
      const item = { identifier: `char1:${member.licence}`, firstName: "Ada", lastName: "Two", jobs: held };
      await app.call(syncUsers, { body: { items: [item] } }, { token: testSecrets.sync });
      expect((await move(other.leader, member, null)).body.code).toBe("units.personNotOnDuty");
      expect((await find(leader, unit))!.crew.map(({ id }) => id)).toEqual([member.characterId]);
    });

    test("loses those whose duty ends", async () => {
      const { leader, crew } = await team(get());
      const unit = await addUnit(get(), leader);
      await join(crew[0]!, unit);
      await goOffDuty(get(), crew[0]!);
      await expect.poll(async () => (await find(leader, unit))!.crew, soon).toEqual([]);
      expect((await activity(leader, unit)).slice(-2)).toEqual(["left dutyEnded", "status lastLeft unavailable"]);
    });
  });

  describe("a status", () => {
    test("is set by the crew on duty, or with the right; the same within two minutes is no entry", async () => {
      const { leader, crew } = await team(get());
      const unit = await addUnit(get(), leader);
      await join(crew[0]!, unit);
      expect((await set(crew[1]!, unit, { base: "busy" })).body.code).toBe("units.notMember");
      expect((await set(crew[0]!, unit, { base: "break" })).output.status.base).toBe("break");
      const { length } = await activity(leader, unit);
      expect((await set(leader, unit, { base: "break" })).status).toBe(200);
      expect(await activity(leader, unit)).toHaveLength(length);
      expect((await set(leader, unit, { base: "busy" })).output.status.base).toBe("busy");
      await goOffDuty(get(), leader);
      expect((await set(leader, unit, { base: "available" })).body.code).toBe("units.notOnDuty");
    });

    test("available is refused for a static unit, and anything under the minimum", async () => {
      const { leader, crew } = await team(get());
      const desk = await addUnit(get(), leader, { isStatic: true });
      await join(crew[0]!, desk);
      expect((await find(leader, desk))!.status.base).toBe("unavailable");
      expect((await set(crew[0]!, desk, { base: "available" })).body.code).toBe("units.staticUnit");
      expect((await set(crew[0]!, desk, { base: "busy" })).status).toBe(200);
      const empty = await addUnit(get(), leader);
      expect((await set(leader, empty, { base: "available" })).body.code).toBe("units.underMinimum");
    });
  });

  describe("for those who set them up", () => {
    test("have names of their own, an order, a new version with each change, and can be removed and restored", async () => {
      const { app } = get();
      const { leader, crew } = await team(get());
      const first = await addUnit(get(), leader, { name: "Café" });
      const second = await addUnit(get(), leader);
      const create = async (more: object) =>
        (await app.call(createUnit, { body: { ...exampleContent, ...more } }, as(leader))).body.code;
      expect(await create({ name: "cafe" })).toBe("units.nameTaken");
      expect(await create({ minCrew: 3, maxCrew: 2 })).toBe("units.crewRange");
      expect(await create({ homePostal: "no such" })).toBe("units.postalUnknown");
      await app.call(orderUnits, { body: { ids: [second.id] } }, as(leader));
      const names = async (who: TestActor) =>
        (await unitsOf(get(), who)).items.map(({ name, deleted }) => (deleted ? `(${name})` : name));
      expect(await names(crew[0]!)).toEqual([second.name, "Café"]);
      await join(crew[0]!, first);
      const params = { id: first.id };
      const put = await app.call(putUnit, { params, body: { ...exampleContent, minCrew: 2, version: 1 } }, as(leader));
      expect(put.output).toMatchObject({ name: exampleContent.name, version: 2, status: { base: "unavailable" } });
      expect((await app.call(removeUnit, { params }, as(leader))).status).toBe(204);
      expect([await names(crew[0]!), await names(leader)]).toEqual([[second.name], [second.name, `(${exampleContent.name})`]]);
      expect((await join(crew[0]!, first)).status).toBe(404);
      const back = await app.call(restoreUnit, { params }, as(leader));
      expect(back.output).toMatchObject({ deleted: false, crew: [], status: { base: "unavailable" } });
    });

    test("of another job are seen with the right alone, and changed by nobody of this one", async () => {
      const { app, world } = get();
      const { job, leader } = await team(get());
      const unit = await addUnit(get(), leader);
      const other = newJob("other");
      await world.job(other);
      const blind = await world.actor({ job: other, grade: 1 });
      const seeing = await world.actor({ job: other, grade: 3, rights: { ...leaderRights, "units.view": { jobs: [job] } } });
      expect(await find(blind, unit)).toBeUndefined();
      expect(await find(seeing, unit)).toMatchObject({ may: [], job: { name: job } });
      const params = { id: unit.id };
      expect((await app.call(listActivity, { params, query: {} }, as(blind))).status).toBe(404);
      const refused = await app.call(removeUnit, { params }, as(seeing));
      expect([refused.status, refused.body.code]).toEqual([403, "units.otherJob"]);
      expect((await join(blind, unit)).status).toBe(404);
    });

    test("are made for a time by those with the right, who join them", async () => {
      const { app } = get();
      const { leader, crew } = await team(get());
      const body = { name: "Roadblock" };
      expect((await app.call(createTemporary, { body }, as(crew[0]!))).status).toBe(403);
      const { output } = await app.call(createTemporary, { body }, as(leader));
      expect(output).toMatchObject({ temporary: true, status: { base: "available" }, crew: [{ id: leader.characterId }] });
    });
  });
});
