import { expect, test } from "vitest";
import type { Actor } from "#core/actor.ts";
import { countByReason } from "#features/audit/audit.counts.repo.ts";
import { AuditRecorder } from "#features/audit/audit.record.service.ts";
import { AuditSearch } from "#features/audit/audit.search.service.ts";
import { describeDatabases } from "#testkit/database.ts";
import { silentLog } from "#testkit/silence.ts";
import { describeApps } from "#testkit/suite.ts";
import { login, refusalReasons, signInRefusals, type RefusalReason } from "./auth.contract.ts";
import { RefusalFigures } from "./auth.refusals.service.ts";

const minuteMs = 60_000;
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

describeDatabases("figures of refused sign-ins", (get) => {
  const anonymous: Actor = { kind: "anonymous", address: "203.0.113.7", traceId: "0123456789abcdef", userAgent: "Firefox/1" };
  const open = () => {
    const { db, clock } = get();
    const audit = new AuditRecorder({
      db,
      clock,
      log: silentLog,
      declares: () => true,
      declaresObject: () => true,
      search: new AuditSearch(),
    });
    const refuse = async (why: RefusalReason | "else", times: number, action = "auth.login") => {
      const record = { action, result: "denied", info: { why } } as const;
      await db.write("test", async (tx) => await audit.recordFolded(tx, anonymous, record, times));
      // The next one is an entry of its own.
      await clock.advance(2 * minuteMs);
    };
    /** Advances to the next time at which it is this hour and minute in UTC. */
    const reach = async (hour: number, minute: number) => {
      const now = new Date(clock.now());
      const next = new Date(now).setUTCHours(hour, minute, 0, 0);
      await clock.advance(next - now.getTime() + (next <= now.getTime() ? 24 * 60 * minuteMs : 0));
    };
    return { db, clock, audit, refuse, reach, figures: new RefusalFigures({ db, clock, audit }) };
  };

  test("are added up by reason, in the day and hour of the zone that was asked for", async () => {
    const { clock, refuse, reach, figures } = open();
    await reach(23, 0);
    await refuse("wrong password", 3);
    await refuse("throttled", 40);
    await refuse("wrong code", 2, "auth.loginFactor");
    const night = clock.now();
    const [utc, berlin, kathmandu] = await Promise.all(
      ["UTC", "Europe/Berlin", "Asia/Kathmandu"].map(async (zone) => await figures.figures({ days: 2, zone })),
    );
    const expected = refusalReasons.map((why) => ({ "wrong password": 3, throttled: 40, "wrong code": 2 })[why as string] ?? 0);
    expect(utc!.days.at(-1)).toEqual({ day: new Date(night).toISOString().slice(0, 10), counts: expected });
    // In Berlin it is past midnight: the next day, an hour or two after 23 o'clock.
    const tomorrow = new Date(night + 24 * 60 * minuteMs).toISOString().slice(0, 10);
    expect(berlin!.days.at(-1)).toEqual({ day: tomorrow, counts: expected });
    const weekday = (new Date(night).getUTCDay() + 6) % 7;
    expect(utc!.hours[weekday]![23]).toBe(45);
    expect(sum(berlin!.hours[(weekday + 1) % 7]!.slice(0, 2))).toBe(45);
    // 05:45 ahead: 23:00 is 04:45, and the quarter of an hour decides.
    expect(kathmandu!.hours[(weekday + 1) % 7]![4]).toBe(45);
    expect([utc, berlin, kathmandu].map((one) => one!.since)).toEqual([null, null, null]);
  });

  test("leave out what is older, what succeeded and what has another reason", async () => {
    const { db, clock, audit, refuse, figures } = open();
    await refuse("wrong password", 5);
    await clock.advance(3 * 24 * 60 * minuteMs);
    await db.write("test", async (tx) => await audit.record(tx, anonymous, { action: "auth.login", info: { why: "throttled" } }));
    await refuse("else", 9);
    await refuse("account disabled", 1);
    const { days } = await figures.figures({ days: 2, zone: "UTC" });
    expect(sum(days.flatMap(({ counts }) => counts))).toBe(1);
    expect(sum((await figures.figures({ days: 30, zone: "UTC" })).days.flatMap(({ counts }) => counts))).toBe(6);
  });

  test("of too many entries are complete from an instant on, which is named", async () => {
    const { db, clock, refuse, reach } = open();
    await reach(10, 0);
    for (let i = 0; i < 4; i += 1) await refuse("throttled", 1);
    await reach(10, 30);
    for (let i = 0; i < 3; i += 1) await refuse("throttled", 10);
    await refuse("wrong code", 1, "auth.loginFactor");
    const half = clock.now() - (clock.now() % (15 * minuteMs));
    const question = {
      actions: ["auth.login", "auth.loginFactor"],
      result: "denied",
      reasons: refusalReasons,
      from: 0,
      to: clock.now(),
    } as const;
    const count = async (cap: number) => await db.read("test", async (tx) => await countByReason(tx, question, cap));
    const all = await count(100);
    expect([all.since, sum(all.counts.map((one) => one.count))]).toEqual([null, 35]);
    const capped = await count(5);
    expect(capped.since).toBe(half - 15 * minuteMs);
    expect(capped.counts.toSorted((a, b) => b.count - a.count)).toEqual([
      { at: half, why: "throttled", count: 30 },
      { at: half, why: "wrong code", count: 1 },
    ]);
  });
});

describeApps("the figures of refused sign-ins", (get) => {
  test("show a wrong password at once, only to config admins, and refuse a zone that does not exist", async () => {
    const { app, world } = get();
    const { cookie } = await world.actor({ groups: ["admin"] });
    const { username } = await world.actor();
    const figures = async () => (await app.call(signInRefusals, { query: { zone: "UTC", days: 1 } }, { cookie })).output;
    const countOf = async (why: RefusalReason) => (await figures()).days[0]!.counts[refusalReasons.indexOf(why)]!;
    const [wrong, unknown] = [await countOf("wrong password"), await countOf("unknown user name")];
    expect((await app.call(login, { body: { username, password: "not the password" } })).status).toBe(401);
    expect(await countOf("wrong password")).toBe(wrong + 1);
    expect(await countOf("unknown user name")).toBe(unknown);
    const refused = await app.call(signInRefusals, { query: { zone: "Europe/Nowhere" } }, { cookie });
    expect([refused.status, refused.body.code]).toEqual([400, "auth.zoneUnknown"]);
  });
});
