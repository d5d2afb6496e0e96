import { expect, test } from "vitest";
import { mostLabels } from "./colleagues.base.contract.ts";
import { demoCareers, demoColleagues, demoLabels } from "./colleagues.demo.policy.ts";

test("people came over a year, and who left had come before", () => {
  const people = Array.from({ length: 90 }, (_, i) => ({
    id: i + 1,
    licence: `l${i}`,
    jobs: [{ job: ["police", "taxi", "ambulance"][i % 3]!, grade: i % 4, offDuty: false }],
  }));
  const found = demoCareers(people);
  expect(found.every(({ hiredDays, leftDays }) => leftDays === null || (leftDays >= 1 && leftDays < hiredDays))).toBe(true);
  const months = new Set(found.filter(({ job }) => job === "police").map(({ hiredDays }) => Math.floor(hiredDays / 30)));
  expect(months.size).toBeGreaterThan(9);
  expect(found.filter(({ leftDays }) => leftDays !== null).length).toBeGreaterThan(10);
});

test("people of the demo city have labels of their first job, some with an end, and some a note", () => {
  const people = Array.from({ length: 60 }, (_, i) => ({
    id: i + 1,
    licence: `l${i}`,
    jobs: [{ job: ["police", "taxi", "ambulance"][i % 3]!, grade: i % 4, offDuty: false }],
  }));
  const found = demoColleagues(people);
  expect(new Set(found.map(({ job }) => job))).toEqual(new Set(["police", "ambulance"]));
  expect(found.every(({ job, labels }) => labels.every(({ place }) => demoLabels[job]?.[place] !== undefined))).toBe(true);
  expect(found.every(({ labels }) => labels.length <= mostLabels)).toBe(true);
  expect(found.some(({ labels }) => labels.some(({ days }) => days !== null && days <= 7))).toBe(true);
  expect(found.filter(({ note }) => note !== null).length).toBeGreaterThan(3);
});
