import { describe, expect, it } from "vitest";
import {
  afterCall,
  afterDown,
  apply,
  applySign,
  byHandEndsMs,
  dueEnd,
  type Duty,
  fallenSilent,
  graceMs,
  instantOf,
  isEstimated,
  isShared,
  onItsWayMs,
  type Person,
  type PersonEvent,
  reporterOf,
  restartEndsMs,
  sharedForMs,
  silenceEndsMs,
  silentAfterMs,
  type Source,
  stateOf,
  unheard,
} from "./duty.policy.ts";

const t0 = 1_790_000_000_000;
const city = { source: "city", bootCount: 0 };
const by = { ...city, saysBoot: true };
const source: Source = {
  sendsEvents: true,
  boot: "b1",
  bootCount: 0,
  bootSince: null,
  before: null,
  lastCallAt: t0,
  silentFrom: null,
};
const duty: Duty = { job: "police", grade: 2, startGrade: 2, since: t0, by: "game", ...city, missingAt: null };
const on: Person = { duty, seenAt: t0 + 1000, endedAt: 0, appliedAt: t0 };
const off: Person = { duty: null, seenAt: 0, endedAt: 0, appliedAt: 0 };
const police = (at: number): PersonEvent => ({ event: "on", job: "police", grade: 2, at });

describe("an event", () => {
  it("counts in the order of arrival when the clock of this process is behind that of another one", () => {
    const ahead: Person = { ...on, appliedAt: t0 + 900 };
    expect(instantOf(ahead, t0 + 950, t0)).toBe(t0 + 900);
    expect(apply(ahead, { event: "off", job: null, at: instantOf(ahead, t0 + 950, t0) }, by).applied).toBe(true);
    expect(instantOf(ahead, t0 + 950, t0 + 920)).toBe(t0 + 920);
    expect(instantOf(ahead, t0 + 5, t0)).toBe(t0 + 5);
  });

  it("of the same job and another grade changes what is shown, not the grade of the period", () => {
    const { person } = apply(on, { event: "on", job: "police", grade: 5, at: t0 + 9 }, by);
    expect(person.duty).toMatchObject({ grade: 5, startGrade: 2 });
  });

  it("begins duty, and with another job ends the one before at its instant", () => {
    expect(apply(off, police(t0), by)).toMatchObject({ applied: true, ended: null, person: { duty: { since: t0, by: "game" } } });
    const switched = apply(on, { event: "on", job: "ambulance", grade: 0, at: t0 + 60 }, by);
    expect(switched.ended).toEqual({ duty, to: t0 + 60, ending: "switched" });
    expect(switched.person.duty).toMatchObject({ job: "ambulance", since: t0 + 60, missingAt: null });
  });

  it("of the same job keeps the beginning, ends missing, and makes a duty by hand one of the game", () => {
    const missing: Person = { ...on, duty: { ...duty, by: "hand", source: null, missingAt: t0 + 5 } };
    const { person, ended } = apply(missing, police(t0 + 9000), by);
    expect(ended).toBeNull();
    expect(person).toMatchObject({ duty, seenAt: t0 + 9000 });
  });

  it("off ends the duty of its job, or any without one, never before it began", () => {
    expect(apply(on, { event: "off", job: null, at: t0 + 7 }, by).ended).toMatchObject({ to: t0 + 7, ending: "off" });
    expect(apply(on, { event: "off", job: "ambulance", at: t0 + 7 }, by)).toMatchObject({
      applied: true,
      ended: null,
      person: { duty },
    });
    const later: Person = { ...on, duty: { ...duty, since: t0 + 50 } };
    expect(apply(later, { event: "off", job: "police", at: t0 + 7 }, by).ended?.to).toBe(t0 + 50);
  });

  it("that is older than one applied has no effect; at the same instant the order of arrival counts", () => {
    expect(apply(on, { event: "off", job: null, at: t0 - 1 }, by)).toEqual({ person: on, ended: null, applied: false });
    expect(apply(on, { event: "off", job: null, at: t0 }, by).applied).toBe(true);
  });

  it("on that is older than the end of the last duty, or the beginning of the present one, has no effect", () => {
    expect(apply({ ...off, endedAt: t0 + 1 }, police(t0), by).applied).toBe(false);
    expect(apply({ ...on, appliedAt: 0, duty: { ...duty, since: t0 + 9 } }, police(t0), by).applied).toBe(false);
  });

  it("dropped makes missing, from the latest drop on; loaded brings back", () => {
    const dropped = apply(on, { event: "dropped", at: t0 + 10 }, by).person;
    expect(dropped).toMatchObject({ duty: { missingAt: t0 + 10 }, seenAt: t0 + 1000 });
    expect(apply(dropped, { event: "dropped", at: t0 + 20 }, by).person.duty?.missingAt).toBe(t0 + 20);
    expect(apply(dropped, { event: "loaded", at: t0 + 30 }, by).person.duty).toMatchObject({ missingAt: null, since: t0 });
    expect(apply(off, { event: "dropped", at: t0 }, by).person.duty).toBeNull();
  });
});

describe("a position", () => {
  const sign = { job: "police", grade: 2, remove: false, at: t0 + 5000 };

  it("is a sign of life, and brings back who was missing", () => {
    const missing: Person = { ...on, duty: { ...duty, missingAt: t0 } };
    expect(applySign(missing, sign, by, true).person).toMatchObject({ seenAt: t0 + 5000, duty: { missingAt: null } });
    expect(applySign(on, { ...sign, at: t0 }, by, true).person.seenAt).toBe(t0 + 1000);
  });

  it("begins and ends duty only of a source that has sent no event", () => {
    expect(applySign(off, sign, by, true).person.duty).toBeNull();
    expect(applySign(off, sign, by, false).person.duty).toMatchObject({ job: "police", since: t0 + 5000 });
    expect(applySign(off, { ...sign, job: null }, by, false).person.duty).toBeNull();
    expect(applySign(on, { ...sign, remove: true }, by, false).ended).toMatchObject({ to: t0 + 5000, ending: "off" });
    expect(applySign(on, { ...sign, remove: true }, by, true)).toEqual({ person: on, ended: null });
    expect(applySign(on, { ...sign, remove: true }, { ...by, source: "other" }, false).ended).toBeNull();
  });
});

describe("a duty ends on its own", () => {
  const silent: Source = { ...source, silentFrom: t0 };
  const rebooted: Source = { ...source, boot: "b2", bootCount: 1, bootSince: t0 + 100 };

  it.each<[string, Duty, Source | null, number, number, string]>([
    ["missing: five minutes after the drop", { ...duty, missingAt: t0 }, source, t0 + graceMs, t0 + 1000, "missing"],
    ["silent, also who is missing", { ...duty, missingAt: t0 }, silent, t0 + silenceEndsMs, t0 + 1000, "silence"],
    ["not named after a restart", duty, rebooted, t0 + 100 + restartEndsMs, t0 + 1000, "restart"],
    [
      "by hand: after twelve hours, whatever the source does",
      { ...duty, by: "hand" },
      silent,
      t0 + byHandEndsMs,
      t0 + byHandEndsMs,
      "limit",
    ],
  ])("%s", (_name, one, from, due, to, ending) => {
    const end = dueEnd({ ...on, duty: one }, from);
    expect(end).toMatchObject({ due, end: { to, ending } });
    expect(isEstimated(end!.end.ending)).toBe(ending !== "limit");
  });

  it("not while nothing is wrong, and not who was named in the new boot", () => {
    expect(dueEnd(on, source)).toBeNull();
    expect(dueEnd({ ...on, duty: { ...duty, bootCount: 1 } }, rebooted)).toBeNull();
  });

  it("and is uncertain or missing until then", () => {
    expect(stateOf(duty, source)).toBe("on");
    expect(stateOf({ ...duty, missingAt: t0 }, source)).toBe("missing");
    expect(stateOf({ ...duty, missingAt: t0 }, silent)).toBe("uncertain");
    expect(stateOf(duty, rebooted)).toBe("uncertain");
    expect(stateOf({ ...duty, by: "hand" }, silent)).toBe("on");
  });
});

describe("a source", () => {
  it("is silent a minute after its last call; its silence counts from that call", () => {
    expect(fallenSilent(source, t0 + silentAfterMs - 1)).toBeNull();
    expect(fallenSilent(source, t0 + silentAfterMs)?.silentFrom).toBe(t0);
    expect(fallenSilent({ ...source, silentFrom: t0 }, t0 + silentAfterMs)).toBeNull();
  });

  it("that could not call because Rollcall was down is silent from now on", () => {
    expect(fallenSilent(source, t0 + 3_600_000)?.silentFrom).toBe(t0 + 3_600_000);
  });

  it("is silent from the first start after its last call, however often Rollcall starts after it", () => {
    const first = afterDown(source, t0 + 90_000);
    expect(first.silentFrom).toBe(t0 + 90_000);
    expect(afterDown(first, t0 + 900_000)).toEqual(first);
    const called = afterCall(first, "b1", t0 + 950_000);
    expect(afterDown(called, t0 + 990_000).silentFrom).toBe(t0 + 990_000);
  });

  it("is no restart when the boot before calls again; two servers share its name once that goes on", () => {
    const second = afterCall(source, "b2", t0);
    const late = afterCall(second, "b1", t0 + onItsWayMs - 1);
    expect(late).toMatchObject({ boot: "b2", bootCount: 1, bootSince: t0 });
    expect([isShared(late), reporterOf("city", late, "b1").saysBoot, reporterOf("city", late, "b2").saysBoot]).toEqual([
      false,
      false,
      true,
    ]);
    const shared = afterCall(late, "b1", t0 + onItsWayMs);
    expect([isShared(shared), reporterOf("city", shared, "b1").saysBoot, shared.bootCount]).toEqual([true, true, 1]);
    expect(afterCall(shared, "b1", t0 + onItsWayMs + sharedForMs + 1)).toMatchObject({ boot: "b1", bootCount: 2 });
  });

  it("that calls again is silent no more; with another boot, people have to be named again", () => {
    const again = afterCall({ ...source, silentFrom: t0 }, "b1", t0 + 90_000);
    expect(again).toMatchObject({ silentFrom: null, bootSince: null });
    expect(afterCall(source, "b2", t0 + 5)).toMatchObject({ boot: "b2", bootSince: t0 + 5 });
    expect(afterCall(unheard, "b1", t0)).toMatchObject({ boot: "b1", bootSince: null, sendsEvents: false });
    expect(afterCall({ ...source, boot: null }, "b1", t0 + 5).bootSince).toBeNull();
  });
});
