import { expect, test } from "vitest";
import { longestNote } from "./panic.base.contract.ts";
import { demoCentreOf, demoPanics, demoWithoutCentre, panicDemoGrants } from "./panic.demo.policy.ts";

test("of the panics of the demo city none rings, and each way to end one is there", () => {
  expect(demoPanics.map(({ outcome }) => outcome).toSorted()).toEqual(["false", "real", "test"]);
  for (const { note } of demoPanics) expect((note ?? "").length).toBeLessThanOrEqual(longestNote);
});

test("jobs that get panics have people who answer them", () => {
  const answering = new Set(panicDemoGrants.filter(({ permission }) => permission === "panic.answer").map(({ job }) => job));
  for (const { job } of demoPanics) expect(answering).toContain(demoCentreOf(job) ?? job);
  for (const job of demoWithoutCentre) expect(answering).not.toContain(job);
});
