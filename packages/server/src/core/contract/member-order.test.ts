import { expect, it } from "vitest";
import { byJobAndName } from "./member-order.ts";

const person = (id: number, name: string, job: string, grade: number, label = job) => ({
  ...{ id, name },
  job: { name: job, label, grade },
});
const all = [
  person(1, "Zoe", "taxi", 1),
  person(2, "Max", "police", 1, "Police"),
  person(3, "Änne", "police", 4, "Police"),
  person(4, "Bea", "ambulance", 1, "Ämbulance"),
  person(5, "Abe", "police", 1, "Police"),
  person(6, "Ábe", "police", 1, "Police"),
];

it.each([
  ["police", [3, 5, 6, 2, 4, 1]],
  ["taxi", [1, 4, 3, 5, 6, 2]],
  [null, [4, 3, 5, 6, 2, 1]],
])("people are ordered for somebody of the job %s by job, grade and name: %o", (own, ids) => {
  expect(all.toSorted(byJobAndName(own)).map(({ id }) => id)).toEqual(ids);
});
