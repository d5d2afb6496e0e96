import { expect, test } from "vitest";
import { demoEntries, demoKinds } from "./conduct.demo.policy.ts";

test("the demo city has entries of every state, by somebody of a higher grade, and one to acknowledge for a login", () => {
  const people = Array.from({ length: 60 }, (_, i) => ({
    id: i + 1,
    licence: `l${i}`,
    jobs: [{ job: ["police", "taxi"][i % 2]!, grade: i % 7, offDuty: false }],
  }));
  const today = "2026-12-10";
  const found = demoEntries(people, "police", today);
  expect(found).toHaveLength(12);
  expect(new Set(found.map(({ becomes }) => becomes))).toEqual(new Set(["draft", "released", "withdrawn"]));
  expect(found.some(({ expiresOn }) => expiresOn !== null && expiresOn <= today)).toBe(true);
  expect(found.some(({ expiresOn }) => expiresOn !== null && expiresOn > today)).toBe(true);
  const grades = new Map(people.map(({ id, jobs: [first] }) => [id, first!.grade]));
  expect(found.every(({ citizenId, authorId }) => grades.get(citizenId)! < grades.get(authorId)!)).toBe(true);
  const first = people[0]!.id;
  const waits = found.filter(
    ({ citizenId, kind, acknowledged }) => citizenId === first && demoKinds[kind]!.acknowledge && !acknowledged,
  );
  expect(waits).toHaveLength(1);
  expect(demoEntries(people, "nobody", today)).toEqual([]);
});
