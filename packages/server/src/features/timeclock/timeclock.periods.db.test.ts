import { expect, test } from "vitest";
import { queries } from "#core/db/index.ts";
import { addDays, Zone } from "#core/zone.ts";
import { approveRequest, listApprovals } from "#features/approvals/approvals.contract.ts";
import type { CitizenTables } from "#features/citizens/citizens.schema.ts";
import { Exporter } from "#features/exports/exports.testkit.ts";
import { listNotifications } from "#features/notifications/notifications.contract.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  closePeriod,
  getPayRules,
  getPeriod,
  listLaterChanges,
  listPeriods,
  listPeriodSums,
  type Period,
  periodExport,
  putPayRules,
  requestCorrection,
} from "./timeclock.contract.ts";
import { followPeriods } from "./timeclock.schedules.ts";
import type { TimeclockTables } from "./timeclock.schema.ts";
import { endedPeriod, newJob, oneEntry, shorter } from "./timeclock.testkit.ts";

const zone = new Zone("Europe/Berlin");

describeApps("pay periods", (get) => {
  const as = ({ token }: TestActor) => ({ token });
  const now = () => get().app.process.container.ports.clock.now();

  async function team() {
    const { world } = get();
    const job = newJob("paid");
    await world.job(job, [0, 1, 2]);
    const rights = { "timeclock.close": true, "timeclock.export": true, "timeclock.approve": true } as const;
    const member = await world.actor({ job, grade: 1 });
    const leader = await world.actor({ job, grade: 2, rights });
    return { job, member, leader };
  }

  const close = async (actor: TestActor, { id, version }: Pick<Period, "id" | "version">) =>
    await get().app.call(closePeriod, { params: { id }, body: { version } }, as(actor));

  const titles = async ({ token }: TestActor) =>
    (await get().app.call(listNotifications, { query: {} }, { token })).output.items.map(({ kind }) => kind);

  const follow = async () => {
    const schedules = get().app.process.assembly.registry.parts("schedules");
    const found = schedules.find(({ schedule }) => schedule.id === followPeriods.id);
    await found!.run({}, new AbortController().signal);
  };

  test("have the length that the job sets, and are of nobody else", async () => {
    const { app, world } = get();
    const { leader, member } = await team();
    expect((await app.call(getPayRules, {}, as(leader))).output).toEqual({ version: 0, length: null });
    expect((await app.call(listPeriods, { query: {} }, as(member))).status).toBe(403);
    const body = { version: 0, length: "week" } as const;
    expect((await app.call(putPayRules, { body }, as(leader))).output).toEqual({ version: 1, length: "week" });
    const { output } = await app.call(listPeriods, { query: {} }, as(leader));
    const today = zone.dayOf(now());
    expect(output.items).toMatchObject([{ state: "open", people: null, later: 0, may: [] }]);
    const [period] = output.items;
    expect(period!.firstDay <= today && today <= period!.lastDay).toBe(true);
    expect(addDays(period!.firstDay, 6)).toBe(period!.lastDay);
    const refused = await close(leader, period!);
    expect([refused.status, refused.body.code, refused.body.params]).toEqual([
      409,
      "timeclock.periodRunning",
      { day: period!.lastDay },
    ]);
    const other = await world.actor({ job: newJob("unpaid"), rights: { "timeclock.close": true } });
    expect((await close(other, period!)).body.code).toBe("timeclock.periodNotFound");
    for (const operation of [listPeriodSums, listLaterChanges])
      expect((await app.call(operation, { query: { periodId: period!.id } }, as(other))).status).toBe(404);
    expect((await app.call(getPeriod, { params: { id: period!.id } }, as(other))).status).toBe(404);
  });

  test("count corrections that would bring an entry into them, and each of those once", async () => {
    const { app } = get();
    const { leader, member, job } = await team();
    const entry = await oneEntry(get(), member, job);
    const asked = { version: entry.version, ...shorter(entry) };
    await app.call(requestCorrection, { params: { id: entry.id }, body: asked }, as(member));
    const period = await endedPeriod(get(), leader);
    const open = async () =>
      (await app.call(getPeriod, { params: { id: period.id } }, as(leader))).output.preview?.openCorrections;
    const move = async (columns: "old" | "new", by: number) =>
      await app.process.container.db.exclusive("test.move", async ({ connection }) => {
        const set = `${columns}_from = ${columns}_from + ?, ${columns}_to = ${columns}_to + ?`;
        await connection.execute(`update timeclock_corrections set ${set} where entry_id = ?`, [by, by, entry.id]);
      });
    expect(await open()).toBe(1);
    await move("old", -30 * 86_400_000);
    expect(await open()).toBe(1);
    await move("new", -30 * 86_400_000);
    expect(await open()).toBe(0);
  });

  test("stay as they were closed; what is corrected later stands beside them, and the next one pays it", async () => {
    const { app } = get();
    const { leader, member, job } = await team();
    const entry = await oneEntry(get(), member, job);
    const asked = { version: entry.version, ...shorter(entry) };
    await app.call(requestCorrection, { params: { id: entry.id }, body: asked }, as(member));
    const period = await endedPeriod(get(), leader);
    const { output: before } = await app.call(getPeriod, { params: { id: period.id } }, as(leader));
    expect(before.preview).toEqual({ people: 1, seconds: 7200, openCorrections: 1, running: 0, estimated: 0 });
    const { output: closed } = await close(leader, period);
    expect(closed).toMatchObject({ state: "closed", people: 1, seconds: 7200, later: 0, may: [] });
    expect((await close(leader, closed)).body.code).toBe("timeclock.periodClosed");
    const [request] = (await app.call(listApprovals, { query: {} }, as(leader))).output.items;
    const approval = { params: { id: request!.id }, body: { version: request!.version } };
    expect((await app.call(approveRequest, approval, as(leader))).status).toBe(200);
    const at = { query: { periodId: period.id } };
    const frozen = { id: member.characterId, seconds: 7200, laterSeconds: 0 };
    expect((await app.call(listPeriodSums, at, as(leader))).output.items).toMatchObject([frozen]);
    const later = { citizenId: member.characterId, entryId: entry.id, seconds: -600, why: "corrected", carried: null };
    expect((await app.call(listLaterChanges, at, as(leader))).output.items).toMatchObject([later]);
    expect(await titles(member)).toContain("timeclock.periodTouched");
    await app.process.container.db.write("test.earlier", async (tx) => {
      const days = { first_day: addDays(period.firstDay, -70), last_day: addDays(period.firstDay, -60) };
      const select = queries<TimeclockTables>(tx).updateTable("timeclock_periods").set(days);
      await select.where("id", "=", period.id).execute();
      const rows = queries<TimeclockTables>(tx).selectFrom("timeclock_periods").selectAll().where("id", "=", period.id);
      const { id: _id, ...row } = await rows.executeTakeFirstOrThrow();
      const next = { ...row, first_day: period.firstDay, last_day: period.lastDay, state: "open", version: 1, after_id: 0 };
      const insert = queries<TimeclockTables>(tx).insertInto("timeclock_periods");
      await insert.values({ ...next, people: null, seconds: null, closed_at: null, closed_by: null }).execute();
    });
    const [next] = (await app.call(listPeriods, { query: {} }, as(leader))).output.items;
    expect((await close(leader, next!)).output).toMatchObject({ people: 1, seconds: 6600 });
    expect((await app.call(listLaterChanges, at, as(leader))).output.items).toMatchObject([{ carried: period.firstDay }]);
    const exporter = new Exporter(get(), leader);
    const { output: wanted } = await exporter.request(periodExport, { periodId: next!.id });
    await expect.poll(async () => (await exporter.find(wanted.id))?.state, { timeout: 20_000 }).toBe("done");
    const [, row] = (await exporter.download(wanted.id)).text.trimEnd().split("\r\n");
    expect(row).toMatch(/"6600","-600","6000"$/);
  });

  test("that are closed list people by name, over all pages", async () => {
    const { app, world } = get();
    const { leader, member, job } = await team();
    const ids = [leader, member, await world.actor({ job, grade: 1 })].map(({ characterId }) => characterId);
    const period = await endedPeriod(get(), leader);
    await close(leader, period);
    const people = ids.toSorted((a, b) => a - b);
    const names = ["Zora", "Anna", "Mia"];
    await app.process.container.db.write("test.sums", async (tx) => {
      const q = queries<TimeclockTables & CitizenTables>(tx);
      await q.deleteFrom("timeclock_sums").where("period_id", "=", period.id).execute();
      for (const [at, citizen_id] of people.entries()) {
        await q.updateTable("citizens").set({ name_key: names[at]!.toLowerCase() }).where("id", "=", citizen_id).execute();
        await q
          .insertInto("timeclock_sums")
          .values({ period_id: period.id, citizen_id, seconds: 60, later_seconds: 0 })
          .execute();
      }
    });
    const found: number[] = [];
    for (let cursor: string | null | undefined; cursor !== null && found.length < 9;) {
      const query = { periodId: period.id, limit: 1, ...(cursor === undefined ? {} : { cursor }) };
      const { output } = await app.call(listPeriodSums, { query }, as(leader));
      found.push(...output.items.map(({ id }) => id));
      cursor = output.next;
    }
    expect(found).toEqual([people[1], people[2], people[0]]);
  });

  test("follow each other, and who can close one gets one notification when it has ended", async () => {
    const { app } = get();
    const { leader, member } = await team();
    const period = await endedPeriod(get(), leader, 1);
    await app.process.container.db.write("test.yesterday", async (tx) => {
      const last_day = addDays(zone.dayOf(now()), -1);
      const days = { first_day: last_day, last_day, until_at: zone.endOf(last_day) };
      await queries<TimeclockTables>(tx).updateTable("timeclock_periods").set(days).where("id", "=", period.id).execute();
    });
    await follow();
    await follow();
    const { output } = await app.call(listPeriods, { query: {} }, as(leader));
    expect(output.items.map(({ firstDay, may }) => [firstDay, may])).toEqual([
      [zone.dayOf(now()), []],
      [addDays(zone.dayOf(now()), -1), ["close"]],
    ]);
    expect((await titles(leader)).filter((kind) => kind === "timeclock.periodEnded")).toHaveLength(1);
    expect(await titles(member)).not.toContain("timeclock.periodEnded");
  });

  test("of a clock that was ahead are taken back, and the present one is announced when it ends", async () => {
    const { app } = get();
    const { leader, job } = await team();
    await app.call(putPayRules, { body: { version: 0, length: "week" } }, as(leader));
    const [present] = (await app.call(listPeriods, { query: {} }, as(leader))).output.items;
    await app.process.container.db.write("test.ahead", async (tx) => {
      const q = queries<TimeclockTables>(tx);
      const told = { told_at: now() + 900 * 86_400_000 };
      await q.updateTable("timeclock_periods").set(told).where("id", "=", present!.id).execute();
      const rows = q.selectFrom("timeclock_periods").selectAll().where("id", "=", present!.id);
      const { id: _id, ...row } = await rows.executeTakeFirstOrThrow();
      for (const weeks of [1, 2]) {
        const [first_day, last_day] = [addDays(present!.firstDay, 7 * weeks), addDays(present!.lastDay, 7 * weeks)];
        const times = { from_at: zone.startOf(first_day), until_at: zone.endOf(last_day) };
        await q
          .insertInto("timeclock_periods")
          .values({ ...row, first_day, last_day, ...times })
          .execute();
      }
    });
    await follow();
    const rows = await app.process.container.db.read("test.periods", async (tx) => {
      const select = queries<TimeclockTables>(tx).selectFrom("timeclock_periods").select(["id", "told_at"]);
      return await select.where("job", "=", job).execute();
    });
    expect(rows).toEqual([{ id: present!.id, told_at: null }]);
  });

  test("go on in every other job where those of one cannot", async () => {
    const { app } = get();
    const [broken, whole] = [await team(), await team()];
    const [one, other] = [await endedPeriod(get(), broken.leader), await endedPeriod(get(), whole.leader)];
    await app.process.container.db.write("test.broken", async (tx) => {
      const periods = queries<TimeclockTables>(tx).updateTable("timeclock_periods");
      await periods.set({ last_day: "never" }).where("id", "=", one.id).execute();
      // The first one of all.
      const job = `!${broken.job}`.slice(0, 50);
      await periods.set({ job }).where("id", "=", one.id).execute();
      await queries<TimeclockTables>(tx).updateTable("timeclock_rules").set({ job }).where("job", "=", broken.job).execute();
    });
    await expect(follow()).rejects.toThrow("1 of ");
    expect(await titles(whole.leader)).toContain("timeclock.periodEnded");
    expect(other.id).not.toBe(one.id);
    await app.process.container.db.write("test.mended", async (tx) => {
      await queries<TimeclockTables>(tx).deleteFrom("timeclock_periods").where("id", "=", one.id).execute();
      await queries<TimeclockTables>(tx).deleteFrom("timeclock_rules").where("job", "like", "!%").execute();
    });
  });

  test("end also where the job wants no more of them: the last one is announced and can be closed", async () => {
    const { app } = get();
    const { leader } = await team();
    const period = await endedPeriod(get(), leader);
    expect((await app.call(putPayRules, { body: { version: 1, length: null } }, as(leader))).status).toBe(200);
    await follow();
    await follow();
    expect((await titles(leader)).filter((kind) => kind === "timeclock.periodEnded")).toHaveLength(1);
    const { output } = await app.call(listPeriods, { query: {} }, as(leader));
    expect(output.items.map(({ id, may }) => [id, may])).toEqual([[period.id, ["close"]]]);
    expect((await close(leader, period)).output.state).toBe("closed");
  });
});
