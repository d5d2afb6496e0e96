import { describe, expect, test } from "vitest";
import type { Viewer } from "#core/actor.ts";
import { guardErrors } from "#core/contract/index.ts";
import { AppError } from "#core/errors.ts";
import { namesOfBadge } from "./jobs.api.ts";
import type { JobInfo } from "./jobs.contract.ts";
import { checkJob, labelsOf, requireProperties } from "./jobs.policy.ts";

const police: JobInfo = {
  name: "police",
  label: "Police",
  grades: [
    { grade: 0, label: "Cadet" },
    { grade: 5, label: "Chief" },
  ],
};
const fire: JobInfo = { name: "fire", label: "Fire", grades: [], colour: "#e0561b", icon: "tabler:flame" };

function refusal(work: () => unknown): [code: string, params: unknown] | null {
  try {
    work();
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [error.definition.code, error.params];
  }
}

describe("labels", () => {
  const labels = labelsOf([police, fire]);

  test("are found by the number of the grade, not by its position", () => {
    expect(labels.badge("police", 5)).toEqual({ name: "police", label: "Police", grade: 5, gradeLabel: "Chief" });
  });

  test("of a job and its grade are named once where they are the same", () => {
    expect(namesOfBadge(labels.badge("police", 5))).toEqual(["Police", "Chief"]);
    expect(namesOfBadge({ label: "Unemployed", gradeLabel: "Unemployed" })).toEqual(["Unemployed"]);
  });

  test.each([
    ["a grade that the game has not sent", "police", 1, "Police", "1"],
    ["a job without grades", "fire", 0, "Fire", "0"],
    ["a job that the game has not sent", "pizza", 2, "pizza", "2"],
  ])("of %s fall back to name and number", (_what, job, grade, label, gradeLabel) => {
    expect(labels.badge(job, grade)).toMatchObject({ name: job, label, grade, gradeLabel });
    expect(labels.label(job)).toBe(label);
  });

  test("come with the look that the job chose, and without one where it chose none", () => {
    expect(labels.badge("fire", 0)).toMatchObject({ colour: "#e0561b", icon: "tabler:flame" });
    expect(Object.keys(labels.badge("police", 0))).toEqual(["name", "label", "grade", "gradeLabel"]);
  });

  test("a job named like a property of every object is unknown as well", () => {
    expect(labels.label("constructor")).toBe("constructor");
  });
});

describe("whose properties a viewer reaches", () => {
  const viewer = (job: string, admin: boolean) => ({ job, jobAdmin: admin ? { reason: "r", until: 1 } : null }) as Viewer;

  test.each<[string, Viewer, string, JobInfo | null, unknown]>([
    ["the own job", viewer("police", false), "police", police, null],
    ["another job", viewer("police", false), "fire", fire, ["jobs.otherJob", { job: "fire" }]],
    ["another job, as job admin", viewer("police", true), "fire", fire, null],
    ["the own job that the game removed", viewer("police", false), "police", null, ["jobs.jobUnknown", { job: "police" }]],
    ["an unknown job, as job admin", viewer("police", true), "pizza", null, ["jobs.jobUnknown", { job: "pizza" }]],
    ["an unknown job: the refusal does not tell", viewer("police", false), "pizza", null, ["jobs.otherJob", { job: "pizza" }]],
  ])("%s", (_what, who, job, known, refused) => {
    expect(refusal(() => checkJob(who, job, known))).toEqual(refused);
    if (refused === null) expect(checkJob(who, job, known)).toBe(known);
  });

  test("a change of the look needs the right, which the refusal names", () => {
    const holding = (...held: string[]) => ({ job: "police", rights: { has: (id: string) => held.includes(id) } }) as Viewer;
    expect(refusal(() => requireProperties(holding("jobs.properties")))).toBeNull();
    expect(refusal(() => requireProperties(holding("jobs.message")))).toEqual([
      guardErrors.permissionMissing.code,
      { permission: "jobs.properties", job: "police" },
    ]);
  });
});
