import { expect, it } from "vitest";
import { countByJob } from "./jobCounts.tsx";

const labels: Readonly<Record<string, string>> = { a: "Ärzte", b: "Zoll", c: "Bauhof" };
const labelOf = (job: string) => labels[job]!;

it("counts jobs in the order of their labels, whatever that of the rows", () => {
  expect(countByJob(["b", "a", "b", "c"], undefined, labelOf)).toEqual([
    { job: "a", count: 1 },
    { job: "c", count: 1 },
    { job: "b", count: 2 },
  ]);
});

it("keeps the chosen job where nobody is left of it, so that it can be left", () => {
  expect(countByJob(["b"], "a", labelOf)).toEqual([
    { job: "a", count: 0 },
    { job: "b", count: 1 },
  ]);
});
