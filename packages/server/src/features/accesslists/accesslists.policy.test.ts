import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { entryLists, referenceLevel, rules, subjects } from "./accesslists.testkit.ts";
import { decide, type Entry, keepRequired, matches, parseEntries, viewLevel, writeEntry } from "./accesslists.policy.ts";

const runs = { seed: 29, numRuns: 400 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1) };
const levels = ["view", "comment", "edit"];
const top = levels.length;
const unrelated = { characterId: 9, job: "press", grade: 0, held: [], jobAdmin: false };
const noRules = { creatorId: null, creatorJob: "", public: false };
const entry = (more: Partial<Entry>): Entry => ({
  subject: "job",
  job: "press",
  minGrade: 0,
  id: 0,
  level: 1,
  required: 0,
  ...more,
});

describe("decide", () => {
  test("agrees with the reference on random lists, rules and people", () => {
    fc.assert(
      fc.property(entryLists(top), rules, subjects, (entries, given, who) => {
        expect(decide(entries, given, who, top).level).toBe(referenceLevel(entries, given, who, top));
      }),
      runs,
    );
  });

  test("gives a reason that matches the level", () => {
    fc.assert(
      fc.property(entryLists(top), rules, subjects, (entries, given, who) => {
        const { level, reason, entry: winner } = decide(entries, given, who, top);
        if (winner) {
          expect(entries).toContainEqual(winner);
          expect(matches(winner, who)).toBe(true);
          expect(winner.level).toBe(level);
        }
        expect(reason === "blocked" || reason === "none").toBe(level === 0);
        if (reason === "public") expect(level).toBe(viewLevel);
      }),
      runs,
    );
  });

  test("a further grant never lowers the level, a further block never raises it", () => {
    fc.assert(
      fc.property(entryLists(top), rules, subjects, fc.integer({ min: 0, max: top }), (entries, given, who, level) => {
        const more = [...entries, entry({ subject: "citizen", job: "", id: who.characterId, level })];
        const [before, after] = [decide(entries, given, who, top).level, decide(more, given, who, top).level];
        if (level === 0) expect(after).toBe(who.jobAdmin ? top : 0);
        else expect(after).toBeGreaterThanOrEqual(before);
      }),
      runs,
    );
  });

  test("public lets everyone view, but not more", () => {
    expect(decide([], { ...noRules, public: true }, unrelated, top)).toMatchObject({ level: 1, reason: "public" });
  });

  test("the creator has the highest level while in the job in which the object was created", () => {
    const mine = { creatorId: 9, creatorJob: "press", public: false };
    expect(decide([], mine, unrelated, top)).toMatchObject({ level: 3, reason: "creator" });
    expect(decide([], { ...mine, creatorJob: "police" }, unrelated, top).level).toBe(0);
  });

  test("a block beats authorship and every grant", () => {
    const list = [entry({ level: 0 }), entry({ subject: "citizen", job: "", id: 9, level: 3 })];
    expect(decide(list, { creatorId: 9, creatorJob: "press", public: true }, unrelated, top)).toMatchObject({
      level: 0,
      reason: "blocked",
      entry: list[0],
    });
  });
});

describe("entries", () => {
  test("are the same after writing and parsing", () => {
    fc.assert(
      fc.property(entryLists(top), (entries) => {
        expect(
          parseEntries(
            levels,
            entries.map((one) => writeEntry(levels, one)),
          ),
        ).toEqual(entries);
      }),
      runs,
    );
  });

  test("name a subject once, and only levels that exist", () => {
    const wire = { subject: "job", job: "press", minGrade: 1, id: 0, level: "view", required: null } as const;
    expect(() => parseEntries(levels, [wire, { ...wire, level: "edit" }])).toThrow("accesslists.subjectTwice");
    expect(() => parseEntries(levels, [{ ...wire, level: "own" }])).toThrow("accesslists.levelUnknown");
  });

  test("that a template requires stay, at their level or higher", () => {
    const rule = entry({ level: 2, required: 2 });
    expect(keepRequired(levels, [rule], [entry({ level: 3 })])).toEqual([entry({ level: 3, required: 2 })]);
    expect(() => keepRequired(levels, [rule], [entry({ level: 1 })])).toThrow("accesslists.requiredEntry");
    expect(() => keepRequired(levels, [rule], [])).toThrow("accesslists.requiredEntry");
    expect(keepRequired(levels, [], [entry({ required: 3 })])).toEqual([entry({ required: 0 })]);
  });
});
