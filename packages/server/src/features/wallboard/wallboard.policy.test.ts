import { expect, test } from "vitest";
import { changedJobs, countByBase } from "./wallboard.policy.ts";

const person = (name: string) => ({ job: { name } });

test.each([
  ["calls.changed", { jobs: ["police", "ambulance"], callers: [], setup: false }, ["police", "ambulance"]],
  ["assignments.changed", { jobs: ["police"] }, ["police"]],
  ["units.changed", { jobs: ["police"] }, ["police"]],
  ["duty.changed", { items: [person("police"), person("police")], left: [person("taxi")] }, ["police", "taxi"]],
  ["duty.changed", { items: [person("police")] }, ["police"]],
  ["notices.changed", { jobs: ["police"] }, null],
])("%s changes the boards of the jobs that it names", (type, payload, jobs) => {
  expect(changedJobs({ type, payload })).toEqual(jobs);
});

test("units count by status where somebody is in them", () => {
  const units = [
    { base: "available", crew: [1] },
    { base: "available", crew: [2, 3] },
    { base: "available", crew: [] },
    { base: "busy", crew: [4] },
  ] as const;
  expect(countByBase(units)).toEqual([
    { base: "available", count: 2 },
    { base: "busy", count: 1 },
    { base: "break", count: 0 },
    { base: "unavailable", count: 0 },
  ]);
});
