import { describe, expect, test } from "vitest";
import { accessChangeOf, isAffectedBy } from "./accesslists.live.policy.ts";

describe("a change affects", () => {
  const who = { job: "police", grade: 2, characterId: 7, jobAdmin: false, held: [] };
  const entry = { subject: "job", job: "police", minGrade: 1, id: 0, level: 1, required: 0 } as const;
  const hidden = { public: false, entries: [] };
  const rules = { creatorId: 9, creatorJob: "police", public: false };
  const affects = (lists: Parameters<typeof accessChangeOf>[2], whom = who) =>
    isAffectedBy(accessChangeOf({ id: 1, removed: false }, rules, lists), whom, ["view", "edit"]);

  test.each([
    { name: "nobody without a list that names them", lists: [hidden], isAffected: false },
    { name: "people whom the list names", lists: [{ public: false, entries: [entry] }], isAffected: true },
    {
      name: "people whom only the list before named",
      lists: [hidden, { public: false, entries: [entry] }],
      isAffected: true,
    },
    {
      name: "nobody below the grade",
      lists: [{ public: false, entries: [{ ...entry, minGrade: 3 }] }],
      isAffected: false,
    },
    {
      name: "nobody whom an entry blocks",
      lists: [{ public: true, entries: [{ ...entry, level: 0 }] }],
      isAffected: false,
    },
    { name: "everybody when it is public", lists: [{ public: true, entries: [] }], isAffected: true },
  ])("$name", ({ lists, isAffected }) => {
    expect(affects(lists)).toBe(isAffected);
  });

  test("its creator, and job admins", () => {
    expect(affects([hidden], { ...who, characterId: 9 })).toBe(true);
    expect(affects([hidden], { ...who, jobAdmin: true })).toBe(true);
  });
});
