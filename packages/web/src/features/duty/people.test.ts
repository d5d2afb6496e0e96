import { expect, it } from "vitest";
import { firstName, hasWords, inOrder } from "./people.ts";

const person = (id: number, name: string, job: string, grade: number, label = job) => ({
  id,
  name,
  job: { name: job, label, grade, gradeLabel: "" },
});

it("has the own job first, then the others by name, and in each the highest grade first", () => {
  const all = [
    person(1, "Zoe", "taxi", 1),
    person(2, "Max", "police", 1, "Police"),
    person(3, "Änne", "police", 4, "Police"),
    person(4, "Bea", "ambulance", 1, "Ämbulance"),
    person(5, "Abe", "police", 1, "Police"),
  ];
  expect(all.toSorted(inOrder("police")).map(({ id }) => id)).toEqual([3, 5, 2, 4, 1]);
  expect(all.toSorted(inOrder("taxi")).map(({ id }) => id)).toEqual([1, 4, 3, 5, 2]);
});

it.each([
  ["lind", true],
  ["LIND mara", true],
  ["mära", true],
  ["mara berg", false],
])("finds Mara Lind by %s: %s", (search, found) => expect(hasWords(search, ["Mara Lind", null])).toBe(found));

it.each([
  ["Mara Lind", "Mara"],
  ["  Anna Maria  Berg", "Anna"],
  ["", ""],
])("calls “%s” %s", (name, first) => expect(firstName(name)).toBe(first));
