import { expect, test } from "vitest";
import { createRandom } from "#core/random.ts";
import { demoVehicles } from "./vehicles.demo.policy.ts";

const driver = { identifier: "char1:a", firstName: "Mara", lastName: "Lind", licences: ["drive"] };
const walker = { ...driver, identifier: "char1:b", licences: [] };
const city = { startGrade: 0, jobs: [{ name: "taxi", label: "City Cab" }], crossings: [], people: [driver, walker] };

test("vehicles belong to jobs and to people who may drive; the same seed gives the same ones", () => {
  const made = demoVehicles({ city, random: createRandom(1) });
  expect(demoVehicles({ city, random: createRandom(1) })).toEqual(made);
  expect(demoVehicles({ city, random: createRandom(2) })).not.toEqual(made);
  expect(made.filter(({ job }) => job === "taxi")).toHaveLength(40);
  const ofWalker = made.filter(({ ownerIdentifier }) => ownerIdentifier === walker.identifier);
  expect(ofWalker.length).toBeGreaterThan(0);
  expect(new Set(ofWalker.map(({ type }) => type))).toEqual(new Set(["bicycle"]));
});
