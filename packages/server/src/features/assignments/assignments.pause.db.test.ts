import { expect, test } from "vitest";
import { type CallDetail, callsPermissions, getCall } from "#features/calls/calls.contract.ts";
import { listActivity, listUnits, setStatus, type Unit } from "#features/units/units.contract.ts";
import { goOnDuty } from "#features/units/units.testkit.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { getOwnWork, putWorkRules, usualRules } from "./assignments.contract.ts";
import { as, callOf, offered, team, type Team } from "./assignments.testkit.ts";

const reason = "Shift ends";

describeApps("a break, or no longer available, with open work", (get) => {
  const set = async (who: TestActor, { id }: Pick<Unit, "id">, body: object) =>
    await get().app.call(setStatus, { params: { id }, body: body as { base: "break" } }, as(who));
  const detail = async ({ lead }: Team, { id }: Pick<CallDetail, "id">) =>
    (await get().app.call(getCall, { params: { id } }, as(lead))).output;
  const unitOf = async ({ lead, units }: Team) =>
    (await get().app.call(listUnits, {}, as(lead))).output.items.find(({ id }) => id === units[0]!.id)!;
  const works = async (who: TestActor) => (await get().app.call(getOwnWork, {}, as(who))).output.calls.map(({ id }) => id);
  const central = async ({ lead }: Team) =>
    await get().app.call(putWorkRules, { body: { ...usualRules, mode: "central" } }, as(lead));

  /** Two calls that its unit works, and one that it is asked for. */
  async function busy() {
    const of = await team(get());
    const [one, two, asked] = [await callOf(get(), of), await callOf(get(), of), await callOf(get(), of)];
    for (const call of [one, two]) await offered(get(), of, call, of.units[0], true);
    await offered(get(), of, asked);
    return { of, crew: of.crew[0]!, unit: of.units[0]!, one, two, asked };
  }

  test.each(["break", "unavailable"] as const)("is refused without a choice (%s)", async (base) => {
    const { of, crew, unit, one } = await busy();
    const refused = await set(crew, unit, { base });
    expect([refused.status, refused.body.code]).toEqual([409, "units.openWork"]);
    expect((await unitOf(of)).status.base).toBe("busy");
    expect((await detail(of, one)).units).toHaveLength(1);
  });

  test("hands everything back that the unit works, with the reason, and nothing that it is asked for", async () => {
    const { of, crew, unit, one, two, asked } = await busy();
    const answer = await set(crew, unit, { base: "break", work: "handBack", reason: ` ${reason} ` });
    expect([answer.status, answer.output.status.base, answer.output.hasWork]).toEqual([200, "break", false]);
    for (const call of [one, two]) {
      const { units, timeline, progress } = await detail(of, call);
      expect([units, progress]).toEqual([[], "waiting"]);
      expect(timeline.at(-1)).toMatchObject({ kind: "left", text: `${unit.name}: ${reason}` });
    }
    expect(await works(crew)).toEqual([asked.id]);
    const { items } = (await get().app.call(listActivity, { params: { id: unit.id }, query: { limit: 2 } }, as(crew))).output;
    expect(items.map(({ what, why, status }) => [what, why, status?.base])).toEqual([
      ["status", "byHand", "break"],
      ["status", "workBegan", "busy"],
    ]);
  });

  test("keeps the work where the unit stays", async () => {
    const { crew, unit, one, two, asked } = await busy();
    const answer = await set(crew, unit, { base: "unavailable", work: "stay" });
    expect([answer.output.status.base, answer.output.hasWork]).toEqual(["unavailable", true]);
    expect(await works(crew)).toEqual([one.id, two.id, asked.id]);
  });

  test.each([undefined, "", "  "])("needs a reason to hand back, not %j", async (none) => {
    const { of, crew, unit, one } = await busy();
    const refused = await set(crew, unit, { base: "break", work: "handBack", ...(none === undefined ? {} : { reason: none }) });
    expect(refused.status).toBe(400);
    expect((await detail(of, one)).units).toHaveLength(1);
  });

  test("with central command members only stay, and dispatchers hand back", async () => {
    const { of, crew, unit, one } = await busy();
    await central(of);
    const refused = await set(crew, unit, { base: "break", work: "handBack", reason });
    expect([refused.status, refused.body.code]).toEqual([409, "units.workCentral"]);
    expect([(await unitOf(of)).status.base, (await detail(of, one)).units.length]).toEqual(["busy", 1]);
    expect((await set(crew, unit, { base: "break", work: "stay" })).status).toBe(200);
    expect((await set(of.lead, unit, { base: "unavailable", work: "handBack", reason })).status).toBe(200);
    expect((await detail(of, one)).units).toEqual([]);
  });

  test("who sets it for another unit and does not dispatch its calls may not hand them back", async () => {
    const { of, unit, one } = await busy();
    const other = await get().world.actor({ job: of.job, grade: 2, rights: { "units.status": true } });
    await goOnDuty(get(), of.job, other);
    const refused = await set(other, unit, { base: "break", work: "handBack", reason });
    const permission = callsPermissions.dispatch.id;
    expect([refused.status, refused.body.code, refused.body.params]).toEqual([
      403,
      "units.workKept",
      { name: unit.name, permission },
    ]);
    expect([(await unitOf(of)).status.base, (await detail(of, one)).units.length]).toEqual(["busy", 1]);
  });

  test("the choice does nothing for a unit without work, and for a status without a pause", async () => {
    const { of, crew, unit, one } = await busy();
    expect((await set(crew, unit, { base: "available", work: "handBack", reason })).status).toBe(200);
    expect((await detail(of, one)).units).toHaveLength(1);
    const idle = await team(get());
    const answer = await set(idle.crew[0]!, idle.units[0]!, { base: "break", work: "handBack", reason });
    expect(answer.output.status.base).toBe("break");
  });
});
