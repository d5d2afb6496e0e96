import { expect, test } from "vitest";
import { listNotifications } from "#features/notifications/notifications.contract.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { unitsApi } from "./units.api.ts";
import {
  alone,
  createTemporary,
  dissolveUnit,
  emptyMs,
  joinUnit,
  leaveUnit,
  listStatuses,
  longBreak,
  orderStatuses,
  orderUnits,
  putRules,
  remindAlone,
  remindLong,
  removeStatus,
  removeUnit,
  restoreStatus,
  restoreUnit,
  setStatus,
  type Unit,
  type UnitRules,
  usualRules,
} from "./units.contract.ts";
import { addStatus, addUnit, planned, runTask, team, unitsOf } from "./units.testkit.ts";

const soon = { timeout: 20_000 };
const minute = 60_000;

describeApps("units, as time and other features go on", (get) => {
  const as = ({ token }: TestActor) => ({ token });
  const now = () => get().app.process.container.ports.clock.now();
  const join = async (who: TestActor, { id }: Unit) =>
    await get().app.call(joinUnit, { params: { id }, body: { role: null } }, as(who));
  const set = async (who: TestActor, { id }: Unit, body: object) =>
    await get().app.call(setStatus, { params: { id }, body: body as { base: "busy" } }, as(who));
  const find = async (who: TestActor, { id }: Unit) => (await unitsOf(get(), who)).items.find((one) => one.id === id)!;
  const statusOf = async (who: TestActor, unit: Unit) => (await find(who, unit)).status;
  const change = async (who: TestActor, rules: Partial<UnitRules>) => {
    const { output } = await get().app.call(listStatuses, {}, as(who));
    return await get().app.call(putRules, { body: { ...output.rules, ...rules } }, as(who));
  };
  const kinds = async (who: TestActor) =>
    (await get().app.call(listNotifications, { query: {} }, as(who))).output.items.map(({ kind }) => kind);

  async function work(unit: Unit, hasWork: boolean): Promise<void> {
    const { assembly, container } = get().app.process;
    await container.db.write("test.work", async (tx) => await assembly.api(unitsApi).setWork(tx, unit.id, hasWork));
  }

  test("open work makes a unit busy and gives its status back, with a break asked about", async () => {
    const { leader, crew } = await team(get());
    const unit = await addUnit(get(), leader);
    const lunch = await addStatus(get(), leader, { name: "Lunch", base: "break" });
    await join(crew[0]!, unit);
    await set(crew[0]!, unit, { base: "break", statusId: lunch.id });
    await work(unit, true);
    expect(await find(crew[0]!, unit)).toMatchObject({ hasWork: true, status: { base: "busy", id: null } });
    expect((await set(crew[0]!, unit, { base: "break" })).body.code).toBe("units.openWork");
    await work(unit, false);
    expect(await statusOf(crew[0]!, unit)).toMatchObject({ base: "break", id: lunch.id, name: "Lunch" });
    await work(unit, true);
    expect((await set(crew[0]!, unit, { base: "unavailable", work: "stay" })).output.status.base).toBe("unavailable");
    await work(unit, false);
    expect((await statusOf(crew[0]!, unit)).base).toBe("unavailable");
  });

  test("other features read units by their people and jobs", async () => {
    const { job, leader, crew } = await team(get());
    const unit = await addUnit(get(), leader, { tags: ["dog"] });
    await join(crew[0]!, unit);
    const { assembly, container } = get().app.process;
    await container.db.read("test.facts", async (tx) => {
      const { characterId: id } = crew[0]!;
      const facts = (await assembly.api(unitsApi).of(tx, [id, crew[1]!.characterId])).get(id);
      expect(facts).toMatchObject({ id: unit.id, base: "available", tags: ["dog"], crew: [id], hasWork: false });
      expect((await assembly.api(unitsApi).in(tx, [job])).map((one) => one.id)).toEqual([unit.id]);
    });
  });

  test("custom statuses behave as their base kind, with names of their own, an order, and a way back", async () => {
    const { app } = get();
    const { leader, crew } = await team(get());
    const unit = await addUnit(get(), leader);
    const [court, lunch] = [await addStatus(get(), leader), await addStatus(get(), leader, { name: "Lunch", base: "break" })];
    await join(crew[0]!, unit);
    expect((await set(crew[0]!, unit, { base: "busy", statusId: lunch.id })).body.code).toBe("units.statusNotFound");
    await set(crew[0]!, unit, { base: "busy", statusId: court.id });
    await app.call(orderStatuses, { body: { ids: [lunch.id, court.id] } }, as(leader));
    const names = async (who: TestActor) => (await app.call(listStatuses, {}, as(who))).output.items.map(({ name }) => name);
    expect(await names(crew[0]!)).toEqual(["Lunch", "At court"]);
    await app.call(removeStatus, { params: { id: court.id } }, as(leader));
    expect(await statusOf(crew[0]!, unit)).toMatchObject({ base: "busy", id: null });
    expect([await names(crew[0]!), await names(leader)]).toEqual([["Lunch"], ["Lunch", "At court"]]);
    expect((await app.call(restoreStatus, { params: { id: court.id } }, as(leader))).output.deleted).toBe(false);
  });

  test("units and statuses that are restored come back to a place that no other one has", async () => {
    const { app } = get();
    const { job, leader } = await team(get(), 0);
    const units = [await addUnit(get(), leader), await addUnit(get(), leader), await addUnit(get(), leader)];
    const names = ["Lunch", "At court", "Fuel"];
    const custom = [];
    for (const name of names) custom.push(await addStatus(get(), leader, { name }));
    const places = async (table: "units" | "units_statuses") =>
      await app.process.container.db.exclusive("test.places", async ({ connection }) => {
        const { rows } = await connection.execute(`select position from ${table} where job = ? order by position`, [job]);
        return rows.map(({ position }) => Number(position));
      });
    const ids = (all: readonly { readonly id: number }[]) => ({ body: { ids: [all[2]!.id, all[0]!.id] } });
    await app.call(removeUnit, { params: { id: units[1]!.id } }, as(leader));
    await app.call(orderUnits, ids(units), as(leader));
    expect((await app.call(restoreUnit, { params: { id: units[1]!.id } }, as(leader))).status).toBe(200);
    await app.call(removeStatus, { params: { id: custom[1]!.id } }, as(leader));
    await app.call(orderStatuses, ids(custom), as(leader));
    expect((await app.call(restoreStatus, { params: { id: custom[1]!.id } }, as(leader))).status).toBe(200);
    expect([await places("units"), await places("units_statuses")]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });

  test("a job decides whether units return by themselves, and who joins them", async () => {
    const { leader, crew } = await team(get());
    const unit = await addUnit(get(), leader);
    expect((await change(leader, { returns: false, selfJoin: false })).output).toMatchObject({ version: 1, selfJoin: false });
    expect((await join(crew[0]!, unit)).body.code).toBe("units.leadersOnly");
    await change(leader, { selfJoin: true });
    await join(crew[0]!, unit);
    expect((await statusOf(crew[0]!, unit)).base).toBe("unavailable");
  });

  test("a crew on a long break is reminded, again later, and no more once it is over", async () => {
    const { leader, crew } = await team(get());
    const unit = await addUnit(get(), leader);
    await join(crew[0]!, unit);
    await set(crew[0]!, unit, { base: "break" });
    const tasks = async () => (await planned(get(), remindLong)).filter(({ id }) => id === unit.id);
    const [first] = await tasks();
    expect(Math.abs(first!.dueAt - now() - usualRules.longMinutes! * minute)).toBeLessThan(minute);
    await runTask(get(), remindLong, { id: unit.id, since: now() - 12 * minute });
    expect(await kinds(crew[0]!)).toContain(longBreak.id);
    expect((await tasks())[0]!.dueAt - now()).toBeGreaterThan(14 * minute);
    await set(crew[0]!, unit, { base: "available" });
    expect(await tasks()).toEqual([]);
  });

  test("who is on duty without a unit is reminded, unless the job turned it off", async () => {
    const { leader, crew } = await team(get());
    const [one, two] = [crew[0]!, crew[1]!];
    const unit = await addUnit(get(), leader);
    const tasks = async (who: TestActor) =>
      (await planned(get(), remindAlone)).filter(({ citizenId }) => citizenId === who.characterId);
    await join(one, unit);
    await get().app.call(leaveUnit, {}, as(one));
    expect(await tasks(one)).toHaveLength(1);
    await runTask(get(), remindAlone, { citizenId: one.characterId });
    expect(await kinds(one)).toContain(alone.id);
    await change(leader, { aloneMinutes: null });
    await runTask(get(), remindAlone, { citizenId: two.characterId });
    expect(await kinds(two)).not.toContain(alone.id);
  });

  test("the first unit of a job reminds who is on duty, and who leaves one late has the whole time again", async () => {
    const { app } = get();
    const { leader, crew } = await team(get());
    const due = async (who: TestActor) =>
      (await planned(get(), remindAlone)).filter(({ citizenId }) => citizenId === who.characterId).map(({ dueAt }) => dueAt);
    expect(await due(crew[0]!)).toEqual([]);
    const unit = await addUnit(get(), leader);
    expect([await due(crew[0]!), await due(crew[1]!)]).toEqual([[expect.any(Number)], [expect.any(Number)]]);
    await app.process.container.db.exclusive("test.long", async ({ connection }) => {
      const long = [now() - 60 * minute, crew[0]!.characterId];
      await connection.execute("update duty_people set since = ? where citizen_id = ?", long);
    });
    await join(crew[0]!, unit);
    await app.call(leaveUnit, {}, as(crew[0]!));
    const [at] = await due(crew[0]!);
    expect(at! - now()).toBeGreaterThan((usualRules.aloneMinutes! - 1) * minute);
  });

  test("somebody has at most three temporary units at a time", async () => {
    const { leader } = await team(get());
    const create = async (name: string) => await get().app.call(createTemporary, { body: { name } }, as(leader));
    for (const name of ["Roadblock", "Convoy", "Search"]) expect((await create(name)).status).toBe(200);
    const refused = await create("Stakeout");
    expect([refused.status, refused.body.code, refused.body.params]).toEqual([409, "units.temporaryFull", { most: 3 }]);
  });

  test("a temporary unit is dissolved once it was empty for 15 minutes, and not before", async () => {
    const { app } = get();
    const { leader } = await team(get());
    const { output: unit } = await app.call(createTemporary, { body: { name: "Roadblock" } }, as(leader));
    await app.call(leaveUnit, {}, as(leader));
    const due = (await planned(get(), dissolveUnit)).find(({ id }) => id === unit.id);
    expect(Math.abs(due!.dueAt - now() - emptyMs)).toBeLessThan(minute);
    await runTask(get(), dissolveUnit, { id: unit.id });
    expect((await find(leader, unit)).deleted).toBe(false);
    await app.process.container.db.exclusive("test.empty", async ({ connection }) => {
      await connection.execute("update units set empty_since = ? where id = ?", [now() - emptyMs, unit.id]);
    });
    await runTask(get(), dissolveUnit, { id: unit.id });
    await expect.poll(async () => (await find(leader, unit)).deleted, soon).toBe(true);
  });
});
