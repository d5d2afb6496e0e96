import { expect, it } from "vitest";
import { countByJob } from "./jobCounts.tsx";

it("counts jobs in the order in which they come first", () => {
  expect(countByJob(["b", "a", "b"], undefined)).toEqual([
    { job: "b", count: 2 },
    { job: "a", count: 1 },
  ]);
});

it("keeps the chosen job where nobody is left of it, so that it can be left", () => {
  expect(countByJob(["a"], "b")).toEqual([
    { job: "a", count: 1 },
    { job: "b", count: 0 },
  ]);
});
