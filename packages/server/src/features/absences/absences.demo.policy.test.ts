import { expect, test } from "vitest";
import { demoAbsences, demoKinds } from "./absences.demo.policy.ts";

test("the demo city has absences that are over, run, come, wait and were declined, and nobody has two at once", () => {
  const people = Array.from({ length: 60 }, (_, i) => ({
    id: i + 1,
    licence: `l${i}`,
    jobs: [{ job: ["police", "taxi"][i % 2]!, grade: i % 7, offDuty: false }],
  }));
  const today = "2026-12-10";
  const found = demoAbsences(people, today);
  const approved = found.filter(({ state }) => state === "approved");
  expect(approved.some(({ span }) => span.lastDay < today)).toBe(true);
  expect(approved.some(({ span }) => span.firstDay <= today && span.lastDay >= today)).toBe(true);
  expect(approved.some(({ span }) => span.firstDay > today)).toBe(true);
  expect(new Set(found.map(({ state }) => state))).toEqual(new Set(["approved", "requested", "declined"]));
  expect(found.every(({ kind, state }) => demoKinds[kind]!.needsApproval || state === "approved")).toBe(true);
  const clashes = found.filter((one) =>
    found.some(
      (other) =>
        other !== one &&
        other.id === one.id &&
        other.span.firstDay <= one.span.lastDay &&
        other.span.lastDay >= one.span.firstDay,
    ),
  );
  expect(clashes).toEqual([]);
  expect(found.some(({ id, substituteId }) => substituteId !== null && substituteId !== id)).toBe(true);
});
