import { describe, expect, test } from "vitest";
import { Exporter } from "#features/exports/exports.testkit.ts";
import { searchAll } from "#features/search/search.contract.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { getUnitAccess, joinUnit, moveMember, putUnitAccess, type Unit, unitsExport } from "./units.contract.ts";
import { addUnit, goOnDuty, team, unitsOf } from "./units.testkit.ts";

const entryOf = (job: string, more: { minGrade?: number; level?: string; subject?: "job" | "citizen"; id?: number } = {}) =>
  ({ subject: "job", job, minGrade: 0, id: 0, level: "join", required: null, ...more }) as const;

describeApps("access lists of units", (get) => {
  const as = ({ token }: Pick<TestActor, "token">) => ({ token });
  const put = async (who: TestActor, { id }: Pick<Unit, "id">, version: number, ...entries: ReturnType<typeof entryOf>[]) =>
    await get().app.call(putUnitAccess, { params: { id }, body: { version, entries } }, as(who));
  const join = async (who: TestActor, { id }: Pick<Unit, "id">) =>
    await get().app.call(joinUnit, { params: { id }, body: { role: null } }, as(who));
  const seen = async (who: TestActor, { id }: Pick<Unit, "id">) =>
    (await unitsOf(get(), who)).items.find((unit) => unit.id === id)!;

  test("let everybody of the job in without an entry, and then those whom they name", async () => {
    const { job, leader, crew } = await team(get(), 1);
    const sergeant = await get().world.actor({ job, grade: 2 });
    await goOnDuty(get(), job, sergeant);
    const unit = await addUnit(get(), leader);
    expect(await seen(crew[0]!, unit)).toMatchObject({ restricted: false, may: expect.arrayContaining(["join"]) });
    const saved = await put(leader, unit, unit.version, entryOf(job, { minGrade: 2 }));
    expect(saved.output).toMatchObject({ restricted: true, version: unit.version + 1 });
    expect((await seen(crew[0]!, unit)).may).not.toContain("join");
    expect((await seen(sergeant, unit)).may).toContain("join");
    const refused = await join(crew[0]!, unit);
    expect([refused.status, refused.body.code]).toEqual([403, "units.notAdmitted"]);
    expect((await join(sergeant, unit)).status).toBe(200);
    const stored = await get().app.call(getUnitAccess, { params: { id: unit.id } }, as(leader));
    expect(stored.output).toMatchObject({ version: unit.version + 1, entries: [{ job, minGrade: 2, level: "join" }] });
    expect((await put(leader, unit, unit.version)).body.code).toBe("units.stale");
    expect((await put(leader, unit, unit.version + 1)).output.restricted).toBe(false);
    expect((await join(crew[0]!, unit)).status).toBe(200);
  });

  test("do not bind who may assign others, and leave the crew of now where it is", async () => {
    const { job, leader, crew } = await team(get(), 2);
    const unit = await addUnit(get(), leader);
    expect((await join(crew[0]!, unit)).status).toBe(200);
    // Not even who writes the list is in it.
    expect((await put(leader, unit, unit.version, entryOf(job, { minGrade: 4 }))).status).toBe(200);
    expect((await seen(leader, unit)).crew.map(({ id }) => id)).toEqual([crew[0]!.characterId]);
    expect((await join(crew[1]!, unit)).body.code).toBe("units.notAdmitted");
    const moved = await get().app.call(
      moveMember,
      { params: { id: crew[1]!.characterId }, body: { unitId: unit.id } },
      as(leader),
    );
    expect(moved.status).toBe(204);
    expect((await join(leader, unit)).status).toBe(200);
  });

  test("refuse one person among those of the job", async () => {
    const { job, leader, crew } = await team(get(), 2);
    await get().world.grant(job, 3, { "units.manage": true, "units.assign": { whose: ["lower"] }, "citizens.list": {} });
    const token = await get().world.tokenOf(leader);
    const unit = await addUnit(get(), { token });
    const blocked = entryOf("", { subject: "citizen", id: crew[0]!.characterId, level: "blocked" });
    expect((await put({ ...leader, token }, unit, unit.version, entryOf(job), blocked)).status).toBe(200);
    expect((await join(crew[0]!, unit)).body.code).toBe("units.notAdmitted");
    expect((await join(crew[1]!, unit)).status).toBe(200);
  });

  test("are set by those who set up units of the job", async () => {
    const [{ job, leader, crew }, other] = [await team(get(), 1), await team(get(), 0)];
    const unit = await addUnit(get(), leader);
    expect((await put(crew[0]!, unit, unit.version, entryOf(job))).status).toBe(403);
    expect((await put(other.leader, unit, unit.version, entryOf(job))).status).toBe(404);
    const odd = await put(leader, unit, unit.version, entryOf(job, { level: "edit" }));
    expect([odd.status, odd.body.code]).toEqual([400, "accesslists.levelUnknown"]);
  });

  describe("units", () => {
    test("are found by callsign and name, by those who see them", async () => {
      const { job, leader, crew } = await team(get(), 1);
      const other = await team(get(), 1);
      const unit = await addUnit(get(), leader, { name: `Zebra ${job.slice(-4)}`, callsign: "Zé-17" });
      const found = async (who: TestActor, q: string) => {
        const { results } = (await get().app.call(searchAll, { query: { q } }, as(who))).output;
        return results.filter(({ kind }) => kind === "units").map(({ id, ref, title }) => [id, ref, title]);
      };
      const hit = [[unit.id, "Zé-17", unit.name]];
      for (const q of ["ze-17", "zebra", unit.name]) expect(await found(crew[0]!, q)).toEqual(hit);
      expect(await found(crew[0]!, "bra")).toEqual([]);
      expect(await found(other.crew[0]!, "zebra")).toEqual([]);
    });

    test("are exported with crew and status", async () => {
      const { job, leader, crew } = await team(get(), 1);
      await get().world.grant(job, 3, { "units.manage": true, "units.export": true });
      const token = await get().world.tokenOf(leader);
      const unit = await addUnit(get(), { token }, { name: "Adam 9", callsign: "A9", minCrew: 1 });
      await addUnit(get(), { token }, { name: "Bravo 9", callsign: null });
      expect((await join(crew[0]!, unit)).status).toBe(200);
      const exporter = new Exporter(get(), { ...leader, token });
      const { output } = await exporter.request(unitsExport, {});
      await expect.poll(async () => (await exporter.find(output.id))?.state, { timeout: 20_000 }).toBe("done");
      const [, first, second, ...more] = (await exporter.download(output.id)).text.trimEnd().split("\r\n");
      const [member] = (await seen(crew[0]!, unit)).crew;
      expect(first).toContain("Adam 9");
      expect(first).toContain(member!.name);
      expect(second).toContain("Bravo 9");
      expect(more).toEqual([]);
      expect((await new Exporter(get(), crew[0]!).request(unitsExport, {})).status).toBe(403);
    });
  });
});
