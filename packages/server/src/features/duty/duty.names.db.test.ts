import { expect, test } from "vitest";
import { type SyncUser, syncUsers } from "#features/citizens/citizens.contract.ts";
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
  async function sent({ identifier }: Member, jobs: SyncUser["jobs"], licence = "") {
    const item = { identifier, firstName: "Ada", lastName: "Named", jobs, ...(licence !== "" && { licence }) };
    return (await get().app.call(syncUsers, { body: { items: [item] } }, token)).body;
  }
  const named = async (who: Member, ...names: string[]) =>
    await sent(
      who,
      names.map((name) => ({ name, grade: 2 })),
    );
  async function place({ identifier }: Member, source: string, job: string | null = null) {
    await get().app.call(syncPositions, { body: { source, items: [{ identifier, x: 1, y: 1, job }] } }, token);
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

  test("with off before it ends no newer duty when something else changes while the game goes on calling it so", async () => {
    const who = await member();
    await named(who, `off${who.job}`);
    await report(who, { event: "on", job: who.job });
    await sent(who, [{ name: `off${who.job}`, grade: 7 }]);
    const shown = async () => await sql("select job, grade from duty_people where citizen_id = ?", [who.characterId]);
    await expect.poll(shown).toEqual([{ job: who.job, grade: 7 }]);
    await sent(who, [{ name: `off${who.job}`, grade: 7 }], `license:moved${who.job}`);
    const licence = async () => await sql("select licence from duty_people where citizen_id = ?", [who.characterId]);
    await expect.poll(licence).toEqual([{ licence: `moved${who.job}` }]);
    expect(await endings(who)).toEqual([]);
  });

  test("with off before it ends the duty again when the game has called it by its own name in between", async () => {
    const who = await member();
    await named(who, `off${who.job}`);
    await report(who, { event: "on", job: who.job });
    await named(who, who.job);
    await named(who, `off${who.job}`);
    await expect.poll(async () => await endings(who)).toEqual(["off"]);
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

  test("with off before it in a position ends the duty that positions began, and begins none", async () => {
    const who = await member();
    const source = `places-${who.job}`;
    await place(who, source, who.job);
    expect((await own(who)).duty).toMatchObject({ job: { name: who.job }, by: "game" });
    await place(who, source, `off${who.job}`);
    expect((await own(who)).duty).toBeNull();
    await expect.poll(async () => await endings(who)).toEqual(["off"]);
    await place(who, source, `off${who.job}`);
    expect((await own(who)).duty).toBeNull();
    expect(await endings(who)).toEqual(["off"]);
  });

  test("with off before it in a position ends no duty that is reported by events, by hand, or by another source", async () => {
    const [reported, byHand, other] = [await member(), await member(), await member()];
    await report(reported, { event: "on", job: reported.job });
    await place(reported, "names", `off${reported.job}`);
    await get().app.call(beginDuty, { body: { job: byHand.job } }, await as(byHand));
    await place(byHand, `places-${byHand.job}`, `off${byHand.job}`);
    await place(other, `places-${other.job}`);
    await place(other, `more-${other.job}`, `off${other.job}`);
    for (const who of [reported, byHand, other]) expect((await own(who)).duty).toMatchObject({ job: { name: who.job } });
  });

  test("in a position counts more than what the character was called before", async () => {
    const who = await member();
    await named(who, `off${who.job}`);
    await place(who, `places-${who.job}`, who.job);
    expect((await own(who)).duty).toMatchObject({ job: { name: who.job }, by: "game" });
    await named(who, `off${who.job}`, "unemployed");
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
