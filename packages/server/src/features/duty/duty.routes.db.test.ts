import { describe, expect, test } from "vitest";
import { syncUsers } from "#features/citizens/citizens.contract.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { beginDuty, endDuty, getOwnDuty, listDuty, putDutyRules, syncDuty, type SyncDutyItem } from "./duty.contract.ts";

const token = { token: testSecrets.sync };
let counter = 0;

describeApps("duty", (get) => {
  interface Member extends TestActor {
    readonly job: string;
    readonly identifier: string;
  }

  async function sql(statement: string, values: (string | number)[] = []) {
    const { db } = get().app.process.container;
    return (await db.exclusive("test.sql", async ({ connection }) => await connection.execute(statement, values))).rows;
  }

  /** Somebody of a job of their own. */
  async function member(options: { readonly job?: string; readonly manage?: boolean } = {}): Promise<Member> {
    counter += 1;
    const { job = `force${counter}`, manage = false } = options;
    const actor = await get().world.actor({ job, grade: 1, rights: manage ? { "duty.manage": true } : {} });
    const [row] = await sql("select identifier from citizens where id = ?", [actor.characterId]);
    return { ...actor, job, identifier: String(row?.["identifier"]) };
  }

  type Report = Partial<SyncDutyItem> & Pick<SyncDutyItem, "event">;
  async function report(source: string, who: Member, items: readonly Report[], boot: string | null = null) {
    const now = Date.now();
    const filled = items.map((item, i) => {
      counter += 1;
      return { identifier: who.identifier, at: now + i, key: `key-${counter}`, ...item };
    });
    return (await get().app.call(syncDuty, { body: { source, boot, items: filled } }, token)).body as {
      accepted: number;
      unchanged: number;
      rejected: { message: string }[];
    };
  }
  const own = async (who: Member) => (await get().app.call(getOwnDuty, {}, who)).output;
  const begin = async (who: Member, job = who.job) => await get().app.call(beginDuty, { body: { job } }, who);
  const periods = async (who: Member) =>
    await sql("select job, ending, estimated, proposed from duty_periods where citizen_id = ? order by id", [who.characterId]);

  describe("that the game reports", () => {
    test("begins, is seen by the job, and ends; each report counts once", async () => {
      const who = await member();
      const on = { event: "on", job: who.job, key: `on-${who.job}` } as const;
      expect(await report("city", who, [on])).toEqual({ accepted: 1, unchanged: 0, rejected: [], late: 0 });
      expect((await own(who)).duty).toMatchObject({ id: who.characterId, by: "game", state: "on", deleted: false });
      const { items } = (await get().app.call(listDuty, { query: {} }, who)).output;
      expect(items.map(({ id, job }) => [id, job.name])).toEqual([[who.characterId, who.job]]);
      expect(await report("city", who, [on])).toMatchObject({ accepted: 0, unchanged: 1 });
      await report("city", who, [{ event: "off" }]);
      expect((await own(who)).duty).toBeNull();
      expect(await periods(who)).toEqual([{ job: who.job, ending: "off", estimated: 0, proposed: 0 }]);
    });

    test("is refused for an unknown character, a job that is not held, and a clock that is ahead", async () => {
      const who = await member();
      const ghost = { ...who, identifier: "nobody" };
      const messages = async (at: Member, item: Report) => (await report("city", at, [item])).rejected.map((one) => one.message);
      expect(await messages(ghost, { event: "off" })).toEqual(["identifier is not known; send the character (`users`) first"]);
      expect(await messages(who, { event: "on", job: "elsewhere" })).toEqual([
        "job is not one of the character's jobs; send the character (`users`) first",
      ]);
      expect(await messages(who, { event: "on" })).toEqual(["job is missing"]);
      expect(await messages(who, { event: "off", at: Date.now() + 600_000 })).toEqual([
        "at is more than 5 minutes ahead; set the clock of the game server",
      ]);
      expect(await messages(who, { event: "on", job: who.job, at: Math.floor(Date.now() / 1000) })).toEqual([
        "at is in milliseconds since 1970; this looks like seconds, so multiply it by 1000",
      ]);
      expect((await own(who)).duty).toBeNull();
      for (const grade of [1001, 1e17, 1e308])
        expect(await messages(who, { event: "on", job: who.job, grade })).toEqual([expect.stringContaining("grade")]);
      expect(await messages(who, { event: "past", job: who.job, endedAt: Date.now() - 2000, at: Date.now() - 1000 })).toEqual([
        "endedAt must be after `at` and not in the future",
      ]);
    });

    test("means off duty by a name that begins with off, and dismisses nobody", async () => {
      const who = await member();
      await report("city", who, [{ event: "on", job: who.job }]);
      await report("city", who, [{ event: "on", job: `off${who.job}` }]);
      expect((await own(who)).duty).toBeNull();
      expect((await own(who)).jobs.map(({ job }) => job)).toEqual([who.job]);
    });

    test("ends when the game takes the job away", async () => {
      const who = await member();
      await report("city", who, [{ event: "on", job: who.job }]);
      const item = { identifier: who.identifier, firstName: "Ada", lastName: "Moved", jobs: [{ name: "unemployed", grade: 0 }] };
      await get().app.call(syncUsers, { body: { items: [item] } }, token);
      await expect.poll(async () => await periods(who)).toMatchObject([{ ending: "jobLost", estimated: 0 }]);
    });

    test("is shown with the grade of now; its period keeps the one at the beginning", async () => {
      const who = await member();
      await report("city", who, [{ event: "on", job: who.job }]);
      const item = { identifier: who.identifier, firstName: "Ada", lastName: "Risen", jobs: [{ name: who.job, grade: 3 }] };
      await get().app.call(syncUsers, { body: { items: [item] } }, token);
      await expect
        .poll(async () => await sql("select grade from duty_people where citizen_id = ?", [who.characterId]))
        .toEqual([{ grade: 3 }]);
      await report("city", who, [{ event: "off" }]);
      expect(await sql("select grade from duty_periods where citizen_id = ?", [who.characterId])).toEqual([{ grade: 1 }]);
    });

    test("knows the licence of now of its person", async () => {
      const who = await member();
      await report("city", who, [{ event: "on", job: who.job }]);
      const jobs = [{ name: who.job, grade: 1 }];
      const item = { identifier: who.identifier, firstName: "Ada", lastName: "Moved", licence: `moved${who.job}`, jobs };
      await get().app.call(syncUsers, { body: { items: [item] } }, token);
      const licence = async () => await sql("select licence from duty_people where citizen_id = ?", [who.characterId]);
      await expect.poll(licence).toEqual([{ licence: `moved${who.job}` }]);
    });

    test("ends when another character of the licence is loaded", async () => {
      const who = await member();
      const [row] = await sql("select licence from citizens where id = ?", [who.characterId]);
      const identifier = `char9:${String(row?.["licence"])}`;
      await get().world.citizen({ identifier, jobs: [{ name: "unemployed", grade: 0 }] });
      await report("city", who, [{ event: "on", job: who.job }]);
      await report("city", { ...who, identifier }, [{ event: "loaded" }]);
      expect(await periods(who)).toMatchObject([{ ending: "otherCharacter" }]);
    });

    test("keeps a past duty as a proposal, without an effect on the present", async () => {
      const who = await member();
      const now = Date.now();
      await report("city", who, [{ event: "past", job: who.job, at: now - 7_200_000, endedAt: now - 3_600_000 }]);
      expect((await own(who)).duty).toBeNull();
      expect(await periods(who)).toMatchObject([{ job: who.job, proposed: 1 }]);
    });

    test("is uncertain after another boot until the person is named in it", async () => {
      const [one, two] = [await member(), await member()];
      const source = `rebooted-${one.job}`;
      for (const who of [one, two]) await report(source, who, [{ event: "on", job: who.job }], "first");
      await report(source, one, [{ event: "on", job: one.job }], "second");
      expect((await own(one)).duty?.state).toBe("on");
      expect((await own(two)).duty?.state).toBe("uncertain");
    });

    test("leaves a source alone that calls without items", async () => {
      const { body } = await get().app.call(syncDuty, { body: { source: "quiet", items: [] } }, token);
      expect(body).toEqual({ accepted: 0, unchanged: 0, rejected: [], late: 0 });
      expect(await sql("select sends_events from duty_sources where source = 'quiet'")).toEqual([{ sends_events: 0 }]);
    });
  });

  describe("by hand", () => {
    test("begins and ends while no game server reports duty of the job", async () => {
      const who = await member();
      expect((await own(who)).jobs).toMatchObject([{ job: who.job, mayBegin: true, reason: null }]);
      expect((await begin(who)).output).toMatchObject({ duty: { by: "hand" }, mayEnd: true });
      expect((await begin(who)).body.code).toBe("duty.alreadyOn");
      expect((await get().app.call(endDuty, {}, who)).output.duty).toBeNull();
      expect((await get().app.call(endDuty, {}, who)).body.code).toBe("duty.notOn");
      expect(await periods(who)).toMatchObject([{ ending: "byHand" }]);
    });

    test("is refused with the reason: not a member, turned off, or the game decides", async () => {
      const who = await member({ manage: true });
      expect((await begin(who, "elsewhere")).body).toMatchObject({ status: 403, code: "duty.notMember" });
      await report("city", who, [{ event: "on", job: who.job }]);
      expect((await get().app.call(endDuty, {}, who)).body.code).toBe("duty.gameDecides");
      await report("city", who, [{ event: "off" }]);
      expect((await begin(who)).body.code).toBe("duty.gameDecides");
      const put = async (version: number, byHand: "on" | "off") =>
        await get().app.call(putDutyRules, { params: { job: who.job }, body: { version, byHand } }, who);
      expect((await put(0, "off")).body.code).toBe("duty.stale");
      expect((await put(1, "off")).output).toMatchObject({ version: 2, byHand: "off" });
      expect((await begin(who)).body.code).toBe("duty.notByHand");
      await put(2, "on");
      expect((await begin(who)).status).toBe(200);
    });

    test("does not begin in another job while the game reports the present duty, unless that job allows it by hand", async () => {
      const who = await member({ manage: true });
      counter += 1;
      const second = `second${counter}`;
      const jobs = [who.job, second].map((name) => ({ name, grade: 1 }));
      const item = { identifier: who.identifier, firstName: "Ada", lastName: "Two", jobs };
      await get().app.call(syncUsers, { body: { items: [item] } }, token);
      const now = { ...who, token: await get().world.tokenOf(who) };
      await report("city", who, [{ event: "on", job: who.job }]);
      const shown = async () => (await own(now)).jobs.map(({ job, mayBegin, reason }) => [job, mayBegin, reason]);
      expect(await shown()).toEqual([
        [who.job, false, "game"],
        [second, false, "game"],
      ]);
      const refused = await begin(now, second);
      expect(refused.body).toMatchObject({ status: 409, code: "duty.gameDecides", params: { job: who.job } });
      expect((await own(now)).duty).toMatchObject({ job: { name: who.job }, by: "game" });
      const rules = { params: { job: who.job }, body: { version: 1, byHand: "on" as const } };
      expect((await get().app.call(putDutyRules, rules, now)).status).toBe(200);
      expect((await shown())[1]).toEqual([second, true, null]);
      expect((await begin(now, second)).output).toMatchObject({ duty: { job: { name: second }, by: "hand" } });
      expect(await periods(who)).toMatchObject([{ job: who.job, ending: "switched" }]);
    });

    test("becomes a duty of the game when that reports it", async () => {
      const who = await member();
      await begin(who);
      const since = (await own(who)).duty?.since;
      await report("city", who, [{ event: "on", job: who.job }]);
      expect((await own(who)).duty).toMatchObject({ by: "game", since });
    });
  });

  test("is not shown of other jobs without the right", async () => {
    const [here, there] = [await member(), await member()];
    await begin(there);
    const { items } = (await get().app.call(listDuty, { query: {} }, here)).output;
    expect(items).toEqual([]);
    expect((await get().app.call(listDuty, { query: { job: there.job } }, here)).body).toMatchObject({ code: "duty.notVisible" });
    await get().world.grant(here.job, 1, { "duty.view": { jobs: [there.job] } });
    const seen = await get().world.tokenOf(here);
    const list = (await get().app.call(listDuty, { query: {} }, { token: seen })).output;
    expect(list.items.map(({ id }) => id)).toEqual([there.characterId]);
  });
});
