import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { standingOf, type StoredModes } from "./auth.seeas.policy.ts";

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

describe("as whom a session acts", () => {
  test("as itself, as job admin with the top grade, or as a lower grade within the own one", () => {
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

  test("seeing as a grade ends by itself, with a demotion, another job, and with the job admin it began in", () => {
    expect(at(seeing(2, 50)).seeAs).toBeNull();
    expect(at(seeing(4)).seeAs).toBeNull();
    expect(at(seeing(2, 100, "taxi")).seeAs).toBeNull();
    const inTaxi = { ...seeing(2, 100, "taxi"), ...entered("taxi") };
    expect(at(inTaxi)).toMatchObject({ job: "taxi", grade: 2, jobAdmin: null, rightsOf: { jobAdmin: false } });
    expect(at({ ...inTaxi, ...entered("taxi", 50) })).toMatchObject({ job: "police", seeAs: null });
    expect(at(inTaxi, false)).toMatchObject({ job: "police", seeAs: null, jobAdmin: null });
  });

  test("never is job admin on while seeing as a grade, nor a grade above the ceiling reached", () => {
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
