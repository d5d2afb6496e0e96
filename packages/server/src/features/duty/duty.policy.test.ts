import { describe, expect, it } from "vitest";
import { dutyGraceMs } from "./duty.contract.ts";
import {
  afterRestart,
  apply,
  byHandEndsMs,
  dueEnd,
  type Duty,
  instantOf,
  isEstimated,
  isSamePerson,
  ownEnd,
  type Person,
  type PersonEvent,
  stateOf,
} from "./duty.policy.ts";
import { restartEndsMs, silenceEndsMs, type Source } from "./duty.sources.policy.ts";

const t0 = 1_790_000_000_000;
const city = { source: "city", bootCount: 0 };
const by = { ...city, saysBoot: true };
const source: Source = {
  sendsEvents: true,
  boot: "b1",
  bootCount: 0,
  bootSince: null,
  bootFrom: t0,
  earlier: [],
  lastCallAt: t0,
  silentFrom: null,
  behindMs: null,
};
const duty: Duty = {
  job: "police",
  grade: 2,
  startGrade: 2,
  since: t0,
  by: "game",
  ...city,
  missingAt: null,
  unnamedSince: null,
};
const byHand: Duty = { ...duty, by: "hand", source: null };
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
    const missing: Person = { ...on, duty: { ...byHand, missingAt: t0 + 5 } };
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

describe("a duty ends on its own", () => {
  const silent: Source = { ...source, silentFrom: t0 };
  const rebooted: Source = { ...source, boot: "b2", bootCount: 1, bootSince: t0 + 100 };

  it.each<[string, Duty, Source | null, number, number, string]>([
    ["missing: five minutes after the drop", { ...duty, missingAt: t0 }, source, t0 + dutyGraceMs, t0 + 1000, "missing"],
    ["silent, also who is missing", { ...duty, missingAt: t0 }, silent, t0 + silenceEndsMs, t0 + 1000, "silence"],
    ["not named after a restart", duty, rebooted, t0 + 100 + restartEndsMs, t0 + 1000, "restart"],
    ["by hand: after twelve hours, whatever the source does", byHand, silent, t0 + byHandEndsMs, t0 + byHandEndsMs, "limit"],
  ])("%s", (_name, one, from, due, to, ending) => {
    const end = dueEnd({ ...on, duty: one }, from);
    expect(end).toMatchObject({ due, end: { to, ending } });
    expect(isEstimated(end!.end.ending)).toBe(ending !== "limit");
  });

  it("not while nothing is wrong, and not who was named in the new boot", () => {
    expect(dueEnd(on, source)).toBeNull();
    expect(dueEnd({ ...on, duty: { ...duty, bootCount: 1 } }, rebooted)).toBeNull();
  });

  it("gives no more time by restarts that follow, also when two are in one millisecond", () => {
    const again: Source = { ...rebooted, boot: "b3", bootCount: 2 };
    const later: Source = { ...again, boot: "b4", bootCount: 3, bootSince: t0 + restartEndsMs };
    const named: Duty = { ...duty, bootCount: 1 };
    const unnamed = afterRestart(afterRestart(named, rebooted, again), again, later);
    expect(dueEnd({ ...on, duty: unnamed }, later)?.due).toBe(t0 + 100 + restartEndsMs);
  });

  it("and is uncertain or missing until then", () => {
    expect(stateOf(duty, source)).toBe("on");
    expect(stateOf({ ...duty, missingAt: t0 }, source)).toBe("missing");
    expect(stateOf({ ...duty, missingAt: t0 }, silent)).toBe("uncertain");
    expect(stateOf(duty, rebooted)).toBe("uncertain");
    expect(stateOf(byHand, silent)).toBe("on");
  });
});

describe("what a task has to look at", () => {
  const silent: Source = { ...source, silentFrom: t0 };
  const sources = new Map([["city", source]]);

  it.each<[string, Duty | null, ReadonlyMap<string, Source>, number | null]>([
    ["nothing of who is connected", duty, sources, null],
    ["nothing of who is off duty", null, sources, null],
    ["the grace of who dropped", { ...duty, missingAt: t0 }, sources, t0 + dutyGraceMs],
    ["the longest time by hand", byHand, sources, t0 + byHandEndsMs],
    ["nothing that the silence of the source ends", { ...duty, missingAt: t0 }, new Map([["city", silent]]), null],
  ])("is %s", (_name, one, known, at) => {
    expect(ownEnd({ ...on, duty: one }, known)).toBe(at);
  });

  it("is stored when anything of a person differs", () => {
    const person = { ...on, licence: "a" };
    expect(isSamePerson(person, { ...person, duty: { ...duty } })).toBe(true);
    expect(isSamePerson({ ...person, duty: null }, { ...person, duty: null })).toBe(true);
    for (const other of [
      { ...person, duty: null },
      { ...person, duty: { ...duty, grade: 3 } },
      { ...person, duty: { ...duty, missingAt: t0 } },
      { ...person, seenAt: t0 },
      { ...person, endedAt: 1 },
      { ...person, appliedAt: 1 },
      { ...person, licence: "b" },
    ])
      expect(isSamePerson(person, other)).toBe(false);
  });
});
