import fc from "fast-check";
import { blocked, type Entry, type Rules, type Subject } from "./accesslists.policy.ts";

/** Few values, so that entries often match subjects. */
const jobs = ["police", "medics", "press"];
const grade = fc.integer({ min: 0, max: 3 });
const person = fc.integer({ min: 1, max: 4 });
const group = fc.integer({ min: 1, max: 3 });
const qualification = fc.integer({ min: 1, max: 3 });

const held = fc
  .tuple(fc.uniqueArray(group, { maxLength: 2 }), fc.uniqueArray(qualification, { maxLength: 2 }))
  .map(([groups, own]) => [...groups.map((id) => `group:${id}`), ...own.map((id) => `qualification:${id}`)]);

export const subjects: fc.Arbitrary<Subject> = fc.record({
  characterId: person,
  job: fc.constantFrom(...jobs),
  grade,
  held,
  jobAdmin: fc.integer({ min: 0, max: 19 }).map((n) => n === 0),
});

export const rules: fc.Arbitrary<Rules> = fc.record({
  creatorId: fc.option(person, { nil: null }),
  creatorJob: fc.constantFrom(...jobs),
  public: fc.boolean(),
});

/** Lists in which a subject occurs once, for a kind of object with `top` levels. */
export function entryLists(top: number): fc.Arbitrary<Entry[]> {
  const level = fc.oneof(
    { weight: 1, arbitrary: fc.constant(blocked) },
    { weight: 4, arbitrary: fc.integer({ min: 1, max: top }) },
  );
  const noSubject = { job: "", minGrade: 0, id: 0, required: 0 };
  const entry = fc.oneof(
    fc
      .tuple(fc.constantFrom(...jobs), grade, level)
      .map(([job, minGrade, l]): Entry => ({ ...noSubject, subject: "job", job, minGrade, level: l })),
    fc.tuple(person, level).map(([id, l]): Entry => ({ ...noSubject, subject: "citizen", id, level: l })),
    fc.tuple(group, level).map(([id, l]): Entry => ({ ...noSubject, subject: "group", id, level: l })),
    fc.tuple(qualification, level).map(([id, l]): Entry => ({ ...noSubject, subject: "qualification", id, level: l })),
  );
  return fc.uniqueArray(entry, {
    maxLength: 5,
    selector: (one) => `${one.subject} ${one.job} ${one.minGrade} ${one.id}`,
  });
}

/**
 * The same rules in the plainest code: a matching block refuses; any other matching entry grants its
 * level and all below; the creator has the highest level while in the job in which the object was
 * created; a public object can be viewed; job admin grants everything.
 */
export function referenceLevel(entries: readonly Entry[], given: Rules, who: Subject, top: number): number {
  if (who.jobAdmin) return top;
  let level = 0;
  for (const entry of entries) {
    let mine = false;
    if (entry.subject === "job" && entry.job === who.job && who.grade >= entry.minGrade) mine = true;
    if (entry.subject === "citizen" && entry.id === who.characterId) mine = true;
    if (entry.subject === "group" && who.held.includes(`group:${entry.id}`)) mine = true;
    if (entry.subject === "qualification" && who.held.includes(`qualification:${entry.id}`)) mine = true;
    if (mine && entry.level === 0) return 0;
    if (mine && entry.level > level) level = entry.level;
  }
  if (given.creatorId === who.characterId && given.creatorJob === who.job) level = top;
  if (given.public && level < 1) level = 1;
  return level;
}
