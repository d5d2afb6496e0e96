import { expect, test } from "vitest";
import { syncUsers } from "#features/citizens/citizens.contract.ts";
import { syncPositions } from "#features/positions/positions.contract.ts";
import { settingsApi } from "#features/settings/settings.api.ts";
import type { Settings } from "#features/settings/settings.contract.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import { beginDuty, getOwnDuty, syncDuty, type SyncDutyItem } from "./duty.contract.ts";

const token = { token: testSecrets.sync };
let counter = 0;

describeApps("what a job is called by the game", (get) => {
  async function sql(statement: string, values: (string | number)[] = []) {
    const { db } = get().app.process.container;
    return (await db.exclusive("test.sql", async ({ connection }) => await connection.execute(statement, values))).rows;
  }

  /** Somebody of a job of their own, which the game has sent. */
  async function member(rights = {}) {
    counter += 1;
    const job = `named${counter}`;
    await get().world.job(job);
    const actor = await get().world.actor({ job, grade: 1, rights });
    return { ...actor, job, identifier: `char1:${actor.licence}` };
  }
  type Member = Awaited<ReturnType<typeof member>>;

  async function report({ identifier }: Member, item: Partial<SyncDutyItem> & Pick<SyncDutyItem, "event">) {
    counter += 1;
    const filled = { identifier, at: Date.now(), key: `named-${counter}`, ...item };
    return (await get().app.call(syncDuty, { body: { source: "names", items: [filled] } }, token)).body;
  }
  async function named({ identifier }: Member, ...names: string[]) {
    const jobs = names.map((name) => ({ name, grade: 2 }));
    const item = { identifier, firstName: "Ada", lastName: "Named", jobs };
    return (await get().app.call(syncUsers, { body: { items: [item] } }, token)).body;
  }
  async function place({ identifier }: Member, source: string) {
    await get().app.call(syncPositions, { body: { source, items: [{ identifier, x: 1, y: 1 }] } }, token);
  }
  /** What the game says of a character may change its rights, and so ends its token. */
  const as = async (who: Member) => ({ token: await get().world.tokenOf(who) });
  const own = async (who: Member) => (await get().app.call(getOwnDuty, {}, await as(who))).output;
  const held = async ({ characterId }: Member) =>
    await sql("select job, grade, off_duty from citizens_jobs where citizen_id = ?", [characterId]);
  const endings = async ({ characterId }: Member) =>
    (await sql("select ending from duty_periods where citizen_id = ?", [characterId])).map((row) => row["ending"]);
  async function settings(jobs: Partial<Settings["jobs"]>) {
    const { container, assembly } = get().app.process;
    await container.db.write("test.settings", async (tx) => {
      const change = (before: Settings) => ({ ...before, jobs: { ...before.jobs, ...jobs } });
      await assembly.api(settingsApi).change(tx, { kind: "system", name: "test" }, change);
    });
    await expect.poll(() => assembly.api(settingsApi).known().jobs).toMatchObject(jobs);
  }

  test("with off before it means that job, off duty: it is kept, and the duty ends at the call", async () => {
    const who = await member();
    await report(who, { event: "on", job: who.job });
    const before = Date.now();
    expect(await named(who, `off${who.job}`)).toMatchObject({ accepted: 1, rejected: [] });
    expect(await held(who)).toEqual([{ job: who.job, grade: 2, off_duty: 1 }]);
    expect(await sql("select name from jobs where name = ?", [`off${who.job}`])).toEqual([]);
    await expect.poll(async () => await endings(who)).toEqual(["off"]);
    const [period] = await sql("select to_at from duty_periods where citizen_id = ?", [who.characterId]);
    expect(Number(period!["to_at"])).toBeGreaterThanOrEqual(before);
    expect(Number(period!["to_at"])).toBeLessThanOrEqual(Date.now());
    expect(await named(who, `off${who.job}`)).toMatchObject({ accepted: 0, unchanged: 1 });
    expect((await own(who)).jobs.map(({ job }) => job)).toEqual([who.job]);
  });

  test("with off before it ends no duty that was reported after the call", async () => {
    const who = await member();
    await named(who, `off${who.job}`);
    await report(who, { event: "on", job: who.job });
    await named(who, `off${who.job}`);
    expect((await own(who)).duty).toMatchObject({ job: { name: who.job } });
    expect(await endings(who)).toEqual([]);
  });

  test("with off before it means the same where the game sent such a job, unless the settings exclude it", async () => {
    const who = await member();
    await get().world.job(`off${who.job}`);
    await named(who, `off${who.job}`);
    expect(await held(who)).toMatchObject([{ job: who.job, off_duty: 1 }]);
    await settings({ notOffDuty: [`off${who.job}`] });
    await named(who, `off${who.job}`);
    expect(await held(who)).toMatchObject([{ job: `off${who.job}`, off_duty: 0 }]);
    await settings({ notOffDuty: [] });
  });

  test("may be another name that the settings list", async () => {
    const who = await member();
    await settings({ offDutyNames: [`free:${who.job}`] });
    await report(who, { event: "on", job: who.job });
    await named(who, "free");
    await expect.poll(async () => await endings(who)).toEqual(["off"]);
    await report(who, { event: "on", job: who.job });
    await report(who, { event: "on", job: "free" });
    expect(await endings(who)).toEqual(["off", "off"]);
    await settings({ offDutyNames: [] });
  });

  test("with off before it brings nobody on duty by a position", async () => {
    const who = await member();
    const source = `places-${who.job}`;
    await named(who, `off${who.job}`);
    await place(who, source);
    expect((await own(who)).duty).toBeNull();
    await named(who, who.job);
    await place(who, source);
    expect((await own(who)).duty).toMatchObject({ job: { name: who.job }, by: "game" });
  });

  test("that does not exist leaves no trace in the rules of duty, and no past duty", async () => {
    const who = await member();
    const ghost = `ghost${who.job}`;
    for (const job of [ghost, `off${ghost}`]) expect(await report(who, { event: "off", job })).toMatchObject({ rejected: [] });
    expect(await sql("select job from duty_jobs where job like ?", [`%${ghost}`])).toEqual([]);
    const past = { event: "past", job: ghost, at: Date.now() - 2000, endedAt: Date.now() - 1000 } as const;
    expect(await report(who, past)).toMatchObject({
      rejected: [{ message: "job is not known; send the job (`jobs`) first" }],
    });
    await report(who, { event: "off", job: `off${who.job}` });
    expect(await sql("select job from duty_jobs where job = ?", [who.job])).toHaveLength(1);
  });

  test("for people without one is no job to be on duty in, by hand, by report or by position", async () => {
    const who = await member();
    await named(who, "unemployed", who.job);
    expect((await own(who)).jobs.map(({ job }) => job)).toEqual([who.job]);
    const refused = await get().app.call(beginDuty, { body: { job: "unemployed" } }, await as(who));
    expect(refused.body).toMatchObject({ status: 409, code: "duty.noWork" });
    await place(who, `places-${who.job}`);
    expect((await own(who)).duty).toBeNull();
    await report(who, { event: "on", job: who.job });
    expect(await report(who, { event: "on", job: "unemployed" })).toMatchObject({ rejected: [] });
    expect((await own(who)).duty).toBeNull();
    expect(await endings(who)).toEqual(["off"]);
  });
});
