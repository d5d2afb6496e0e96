import { describe, expect, it } from "vitest";
import type { DutySign } from "./duty.api.ts";
import type { Duty, Person } from "./duty.policy.ts";
import { applySign, changesDuty, type Mismatch, mismatchOf } from "./duty.signs.policy.ts";

const t0 = 1_790_000_000_000;
const city = { source: "city", bootCount: 0 };
const by = { ...city, saysBoot: true };
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
const on: Person = { duty, seenAt: t0 + 1000, endedAt: 0, appliedAt: t0 };
const off: Person = { duty: null, seenAt: 0, endedAt: 0, appliedAt: 0 };

describe("a position", () => {
  const sign = { job: "police", grade: 2, offDuty: false, remove: false, at: t0 + 5000 };

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

  it("that names the job as off duty ends the duty in that job which its source began, and begins none", () => {
    const named = { ...sign, offDuty: true };
    expect(applySign(on, named, by, false)).toMatchObject({
      ended: { to: t0 + 5000, ending: "off" },
      person: { duty: null, seenAt: t0 + 5000, endedAt: t0 + 5000 },
    });
    expect(applySign(off, named, by, false)).toEqual({ person: off, ended: null });
    const byHand: Person = { ...on, duty: { ...duty, by: "hand", source: null } };
    for (const [person, one, reporter, sendsEvents] of [
      [on, named, by, true],
      [on, { ...named, job: "ambulance" }, by, false],
      [on, named, { ...by, source: "other" }, false],
      [byHand, named, by, false],
    ] as const) {
      const result = applySign(person, one, reporter, sendsEvents);
      expect([result.ended, result.person.duty?.job, result.person.seenAt]).toEqual([null, "police", t0 + 5000]);
    }
  });
});

describe("whether a position changes somebody's duty", () => {
  const at = { job: "police", grade: 2, offDuty: false, remove: false };
  const missing: Duty = { ...duty, missingAt: t0 };
  const quiet = { ...by, saysBoot: false };
  const rebooted = { ...by, bootCount: 1 };

  it.each<[string, boolean, Parameters<typeof changesDuty>]>([
    ["not of who is there", false, [duty, at, by, true]],
    ["of who was missing", true, [missing, at, by, true]],
    ["named in another boot", true, [duty, at, rebooted, true]],
    ["not where the call does not say its boot", false, [duty, at, { ...rebooted, saysBoot: false }, true]],
    ["not named by another source", false, [duty, at, { ...rebooted, source: "other" }, true]],
    ["begun by a source that reports none", true, [null, at, quiet, false]],
    ["not begun by one that reports it", false, [null, at, quiet, true]],
    ["not begun in a job that is not held, or off duty", false, [null, { ...at, job: null }, quiet, false]],
    ["not begun off duty", false, [null, { ...at, offDuty: true }, quiet, false]],
    ["taken back by its source", true, [duty, { ...at, remove: true }, by, false]],
    ["not by one that reports duty", false, [missing, { ...at, remove: true }, rebooted, true]],
    ["not of who is off duty", false, [null, { ...at, remove: true }, by, false]],
  ])("%s", (_name, changes, given) => expect(changesDuty(...given)).toBe(changes));
});

describe("what a position says against the duty", () => {
  const sign: DutySign = { citizenId: 1, licence: "", grade: 0, offDuty: false, remove: false, job: "police", named: "police" };
  const byHand: Duty = { ...duty, by: "hand", source: null };
  const off = { ...sign, named: "offpolice", offDuty: true };

  it.each<[string, Mismatch | null, Parameters<typeof mismatchOf>]>([
    ["nothing, naming the same job", null, [sign, duty, true]],
    ["nothing, naming none", null, [{ ...sign, named: null }, duty, true]],
    ["nothing where the place is taken away", null, [{ ...sign, remove: true, job: null }, duty, true]],
    ["another job", { named: "taxi", duty: "police" }, [{ ...sign, job: "taxi", named: "taxi" }, duty, true]],
    ["nothing without a duty", null, [{ ...sign, job: "taxi", named: "taxi" }, null, true]],
    ["a job that is not held", { named: "taxi", duty: null }, [{ ...sign, job: null, named: "taxi" }, duty, true]],
    ["off duty, of a source that reports duty", { named: "offpolice", duty: "police" }, [off, duty, true]],
    ["nothing off duty, of one that reports none", null, [off, duty, false]],
    ["nothing off duty, of a duty by hand", null, [off, byHand, true]],
  ])("%s", (_name, mismatch, given) => expect(mismatchOf(...given)).toEqual(mismatch));
});
