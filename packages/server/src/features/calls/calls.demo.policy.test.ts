import { expect, test } from "vitest";
import { callsDemoGrants, demoCalls, demoStorm, demoTypes } from "./calls.demo.policy.ts";

test("calls of the demo city have types of their first job", () => {
  for (const { code, jobs } of demoCalls) expect(demoTypes[jobs[0]!]?.map((type) => type.code)).toContain(code);
  expect(demoCalls.some(({ anonymous }) => anonymous)).toBe(true);
  expect(demoCalls.map(({ reports = [] }) => reports.length + 1)).toContain(5);
  expect(demoStorm.jobs.every((job) => job in demoTypes)).toBe(true);
  expect(demoCalls.some(({ end }) => end === null)).toBe(true);
});

test("everybody in the demo city may call, also without a job", () => {
  const callers = callsDemoGrants.filter(({ permission, rank }) => permission === "calls.create" && rank === 0);
  const jobs = ["ambulance", "family", "justice", "mechanic", "police", "press", "taxi", "unemployed"];
  expect(callers.map(({ job }) => job).toSorted()).toEqual(jobs);
});
