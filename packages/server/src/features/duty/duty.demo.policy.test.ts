import { expect, test } from "vitest";
import { demoDuties } from "./duty.demo.policy.ts";

const minute = 60_000;
const person = (id: number, ...jobs: readonly string[]) => {
  return { id, licence: `licence ${id}`, jobs: jobs.map((job) => ({ job, grade: id, offDuty: false })) };
};

test("the last ones of a job are on duty in it, for minutes and for hours; a second job does not count", () => {
  const police = [1, 2, 3, 4, 5].map((id) => person(id, "police"));
  const duties = demoDuties([...police, person(6, "taxi", "police"), person(7, "ambulance"), person(8)]);
  expect(duties.map(({ id, job, grade, agoMs }) => [id, job, grade, agoMs / minute])).toEqual([
    [2, "police", 2, 7],
    [3, "police", 3, 48],
    [4, "police", 4, 89],
    [5, "police", 5, 130],
    [7, "ambulance", 7, 7],
  ]);
});
