import { expect, it } from "vitest";
import { firstName, isUnseen } from "./people.ts";

it.each([
  ["Mara Lind", "Mara"],
  ["  Anna Maria  Berg", "Anna"],
  ["", ""],
])("calls “%s” %s", (name, first) => expect(firstName(name)).toBe(first));

it.each([
  ["police", {}, null, false],
  ["taxi", {}, null, true],
  ["taxi", { "duty.view": { jobs: ["taxi"] } }, null, false],
  ["taxi", {}, { job: "police" }, false],
])("the duty of %s is not seen with %o as the job admin %o: %s", (job, rights, jobAdmin, is) => {
  const identity = { character: { job: { name: "police" } }, rights, jobAdmin };
  expect(isUnseen(job, identity as unknown as Parameters<typeof isUnseen>[1])).toBe(is);
});
