import { describe, expect, it } from "vitest";
import { fitsFilters, shownJobs } from "./rows.ts";

const job = (name: string, grade = 0) => ({ name, label: name.toUpperCase(), grade, gradeLabel: String(grade) });
const of = (...names: string[]) => ({
  job: job(names[0]!),
  jobs: names.map((name, index) => ({ ...job(name), primary: index === 0 })),
  dateOfBirth: null,
});

describe("the jobs of a row", () => {
  const shown = (row: Parameters<typeof shownJobs>[0], filter?: string) => {
    const found = shownJobs(row, filter);
    return found && [found.job.name, ...found.others.map(({ name }) => name)];
  };

  it.each<[string, Parameters<typeof shownJobs>[0], string | undefined, string[] | null]>([
    ["the first, and the others", of("medic", "police", "taxi"), undefined, ["medic", "police", "taxi"]],
    ["the one of the filter before the first", of("medic", "police", "taxi"), "police", ["police", "medic", "taxi"]],
    ["the first, where the filter has just changed", of("medic", "police"), "lawyer", ["medic", "police"]],
    ["the only one", of("police"), "police", ["police"]],
    ["the first, of a server that names no other", { job: job("medic") }, "police", ["medic"]],
    ["none where the viewer sees none", {}, undefined, null],
  ])("are %s", (_what, row, filter, wanted) => expect(shown(row, filter)).toEqual(wanted));
});

describe("a changed row", () => {
  it.each<[string, Parameters<typeof fitsFilters>[0], ReturnType<typeof of>, boolean | null]>([
    ["belongs by any of its jobs", { job: "police" }, of("medic", "police"), true],
    ["does not belong by a job that it has no more", { job: "police" }, of("medic"), false],
    ["is the server's to judge where something is searched", { q: "lind", job: "police" }, of("medic", "police"), null],
    ["and does not belong all the same without the job", { phone: "555", job: "police" }, of("medic"), false],
    ["does not belong with another date of birth", { dateOfBirth: "1990-04-01" }, of("medic"), false],
  ])("%s", (_what, search, row, wanted) => expect(fitsFilters(search, row)).toBe(wanted));
});
