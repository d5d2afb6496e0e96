import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { standingEnd, standingOf, type StoredModes } from "./auth.seeas.policy.ts";

const off: StoredModes = {
  admin_job: null,
  admin_reason: null,
  admin_until: null,
  see_job: null,
  see_grade: null,
  see_until: null,
};
const own = { job: "police", grade: 4 };
const seeing = (see_grade: number, see_until = 100, see_job = "police") => ({ ...off, see_job, see_grade, see_until });
const entered = (admin_job: string, admin_until = 100) => ({ admin_job, admin_reason: "ticket", admin_until });
const at = (stored: StoredModes, mayJobAdmin = true, now = 50) => standingOf(stored, own, mayJobAdmin, 6, now);

describe("job and grade of a session", () => {
  test("are the character's own, the top grade as job admin, or a lower grade limited by the own one", () => {
    expect(at(off)).toEqual({ ...own, jobAdmin: null, seeAs: null, rightsOf: { ...own, jobAdmin: false } });
    expect(at({ ...off, ...entered("taxi") })).toEqual({
      job: "taxi",
      grade: 6,
      jobAdmin: { reason: "ticket", until: 100 },
      seeAs: null,
      rightsOf: { job: "taxi", grade: 6, jobAdmin: true },
    });
    expect(at(seeing(2))).toEqual({
      job: "police",
      grade: 2,
      jobAdmin: null,
      seeAs: { until: 100 },
      rightsOf: { job: "police", grade: 2, jobAdmin: false, within: 4 },
    });
  });

  test("seeing as a grade expires, and ends with a demotion, another job, and the job admin mode that it began in", () => {
    expect(at(seeing(2, 50)).seeAs).toBeNull();
    expect(at(seeing(4)).seeAs).toBeNull();
    expect(at(seeing(2, 100, "taxi")).seeAs).toBeNull();
    const inTaxi = { ...seeing(2, 100, "taxi"), ...entered("taxi") };
    expect(at(inTaxi)).toMatchObject({ job: "taxi", grade: 2, jobAdmin: null, rightsOf: { jobAdmin: false } });
    expect(at({ ...inTaxi, ...entered("taxi", 50) })).toMatchObject({ job: "police", seeAs: null });
    expect(at(inTaxi, false)).toMatchObject({ job: "police", seeAs: null, jobAdmin: null });
  });

  test("expire with the mode, and never without one", () => {
    const end = (stored: StoredModes) => standingEnd(stored, at(stored));
    const inTaxi = (seen: number, admin: number) => ({ ...seeing(2, seen, "taxi"), ...entered("taxi", admin) });
    expect(end(off)).toBeNull();
    expect(end({ ...off, ...entered("taxi", 90) })).toBe(90);
    expect(end(seeing(2, 80))).toBe(80);
    expect([end(inTaxi(70, 90)), end(inTaxi(90, 70))]).toEqual([70, 70]);
    // Seeing as a grade of the own job does not end with the job admin mode of another job.
    expect(end({ ...seeing(2, 90), ...entered("taxi", 70) })).toBe(90);
    expect(end(seeing(2, 50))).toBeNull();
  });

  test("change at the returned instant and not before", () => {
    const until = fc.option(fc.integer({ min: 0, max: 100 }), { nil: null });
    const job = fc.option(fc.constantFrom("police", "taxi"), { nil: null });
    const stored = fc.record({
      admin_job: job,
      admin_reason: fc.constant("r"),
      admin_until: until,
      see_job: job,
      see_grade: fc.option(fc.integer({ min: 0, max: 9 }), { nil: null }),
      see_until: until,
    });
    fc.assert(
      fc.property(stored, fc.integer({ min: 0, max: 99 }), (modes, now) => {
        const begun = at(modes, true, now);
        const end = standingEnd(modes, begun) ?? 101;
        for (let later = now; later < end; later += 1) expect(at(modes, true, later)).toEqual(begun);
        if (end <= 100) expect(at(modes, true, end)).not.toEqual(begun);
      }),
      { seed: 6, numRuns: 300 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1) },
    );
  });

  test("never have job admin while seeing as a grade, nor a grade above the limit", () => {
    const until = fc.option(fc.integer({ min: 0, max: 100 }), { nil: null });
    const job = fc.option(fc.constantFrom("police", "taxi"), { nil: null });
    const stored = fc.record({
      admin_job: job,
      admin_reason: fc.constant("r"),
      admin_until: until,
      see_job: job,
      see_grade: fc.option(fc.integer({ min: 0, max: 9 }), { nil: null }),
      see_until: until,
    });
    fc.assert(
      fc.property(stored, fc.boolean(), (modes, may) => {
        const { jobAdmin, seeAs, grade, rightsOf } = at(modes, may);
        if (!may) expect(jobAdmin).toBeNull();
        expect(rightsOf.jobAdmin).toBe(jobAdmin !== null);
        if (seeAs === null) return;
        expect([jobAdmin, seeAs.until > 50]).toEqual([null, true]);
        if (rightsOf.within === undefined) expect([may, grade <= 6]).toEqual([true, true]);
        else expect(grade).toBeLessThan(own.grade);
      }),
      { seed: 5, numRuns: 300 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1) },
    );
  });
});
