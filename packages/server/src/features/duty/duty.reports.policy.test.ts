import { describe, expect, it } from "vitest";
import type { CharacterWithJobs } from "#features/citizens/citizens.reads.ts";
import type { JobMeanings } from "#features/jobs/jobs.api.ts";
import type { SyncDutyItem } from "./duty.contract.ts";
import { mostAheadMs } from "./duty.policy.ts";
import type { StoredPerson } from "./duty.repo.ts";
import { freshOf, type Known, problemOf, problemsOf, Run, timesOf, unheldOf } from "./duty.reports.policy.ts";

const t0 = 1_790_000_000_000;
const ada: CharacterWithJobs = { id: 1, licence: "ada", jobs: [{ job: "police", grade: 3, offDuty: false }] };
const twin: CharacterWithJobs = { id: 2, licence: "ada", jobs: [{ job: "taxi", grade: 1, offDuty: false }] };
/** `off<job>` is a job off duty, `unemployed` no work, and `police`, `taxi` and `fire` are all that the game has sent. */
const meanings: JobMeanings = {
  of: (name) => (name.startsWith("off") ? { job: name.slice(3), offDuty: true } : { job: name, offDuty: false }),
  exists: (job) => ["police", "taxi", "fire"].includes(job),
  isWork: (job) => job !== "unemployed",
};
const item = (more: Partial<SyncDutyItem>): SyncDutyItem => {
  return { identifier: "ada", event: "on", job: "police", at: t0, key: "1", ...more };
};
const batch = (...items: SyncDutyItem[]) => items.map((one, index) => ({ index, id: one.key, item: one }));
const known = (repeated: readonly string[] = []): Known => {
  const characters = new Map([
    ["ada", ada],
    ["twin", twin],
  ]);
  return { repeated: new Set(repeated), characters, meanings };
};
const person = ({ id, licence }: CharacterWithJobs, more: Partial<StoredPerson> = {}): StoredPerson => {
  return { citizenId: id, licence, version: 1, duty: null, seenAt: 0, endedAt: 0, appliedAt: 0, ...more };
};
const working = (who: CharacterWithJobs, job: string): StoredPerson => {
  const duty = {
    job,
    grade: 1,
    startGrade: 1,
    since: t0,
    by: "game" as const,
    source: "city",
    bootCount: 0,
    missingAt: null,
    unnamedSince: null,
  };
  return person(who, { duty });
};

describe("an event of a game server", () => {
  it.each<[string, Partial<SyncDutyItem>, string | null]>([
    ["is fine", {}, null],
    ["may be a little ahead", { at: t0 + mostAheadMs }, null],
    ["is refused far ahead", { at: t0 + mostAheadMs + 1 }, "at"],
    ["needs a job to begin", { job: null }, "job"],
    ["needs none to end", { event: "off", job: null }, null],
    ["needs an end in the past", { event: "past", at: t0 - 9 }, "endedAt"],
    ["ends after it began", { event: "past", at: t0 - 9, endedAt: t0 - 9 }, "endedAt"],
    ["has not ended in the future", { event: "past", at: t0 - 9, endedAt: t0 + 1 }, "endedAt"],
    ["has ended", { event: "past", at: t0 - 9, endedAt: t0 }, null],
  ])("%s", (_name, more, field) => expect(problemOf(item(more), t0)?.field ?? null).toBe(field));

  it.each<[string, Partial<SyncDutyItem>, string | null]>([
    ["of an unknown character is refused", { identifier: "bob" }, "identifier"],
    ["in a job that is held is fine", {}, null],
    ["in one that is not held is refused", { job: "fire" }, "job"],
    ["in what people without a job have is fine", { job: "unemployed" }, null],
    ["off duty by name is fine", { job: "offpolice" }, null],
    ["that ends an unknown job is fine", { event: "off", job: "nothing" }, null],
    ["of a past duty in a job that was held is fine", { event: "past", job: "fire", endedAt: t0 + 1 }, null],
    ["of a past duty in an unknown job is refused", { event: "past", job: "nothing", endedAt: t0 + 1 }, "job"],
    ["of a past duty in no work is refused", { event: "past", job: "unemployed", endedAt: t0 + 1 }, "job"],
  ])("%s", (_name, more, field) => {
    expect(problemsOf(batch(item(more)), known(), new Map()).get("1")?.field ?? null).toBe(field);
  });

  it("without effect is not asked for its job, and of one that was repeated nothing is asked", () => {
    const late = new Map([[1, person(ada, { appliedAt: t0 + 1 })]]);
    const wrong = batch(item({ job: "fire" }));
    expect(problemsOf(wrong, known(), late).size).toBe(0);
    expect(problemsOf(wrong, known(["1"]), new Map()).size).toBe(0);
    expect(problemsOf(batch(item({ event: "past", job: "nothing", endedAt: t0 + 1 })), known(), late).size).toBe(1);
  });

  it("that begins duty in a job that is not held is kept for the doctor; other refusals are not", () => {
    const items = batch(item({ job: "fire" }), item({ identifier: "bob", key: "2" }), item({ key: "3" }));
    expect(unheldOf(items, problemsOf(items, known(), new Map()), known())).toEqual([{ citizenId: 1, job: "fire" }]);
  });

  it("happened when it says so, a past duty when it ended; what says nothing has no instant", () => {
    const said = [item({ at: t0 - 4 }), item({ event: "past", at: t0 - 9, endedAt: t0 - 1 }), null, { at: "soon" }];
    expect(timesOf(said, t0)).toEqual({ first: t0 - 4, last: t0 - 1 });
    expect(timesOf([{}, "on"], t0)).toBeNull();
  });

  it("happened at no instant that is in seconds, has a fraction or is too large", () => {
    for (const at of [t0 / 1000, t0 - 0.5, 1e300, Number.NaN]) expect(timesOf([item({ at })], t0)).toBeNull();
  });

  it("is taken once, in the order in which events happened, and of one instant in that of the call", () => {
    const items = batch(
      item({ key: "a", at: 5 }),
      item({ key: "b", at: 4 }),
      item({ key: "c", at: 5 }),
      item({ key: "d", at: 1 }),
    );
    expect(freshOf(items, known(["d"])).map(({ id }) => id)).toEqual(["b", "a", "c"]);
  });
});

describe("the events of a call", () => {
  const reporter = { source: "city", bootCount: 0, saysBoot: true };
  const run = (people: readonly StoredPerson[], ...items: Partial<SyncDutyItem>[]) => {
    const one = new Run(new Map(people.map((each) => [each.citizenId, each])), reporter, meanings, t0 + 60_000);
    for (const more of items) one.take(item(more), more.identifier === "twin" ? twin : ada);
    return one;
  };
  const outcome = (one: Run) =>
    one
      .changes()
      .map(({ after, ended }) => [after.duty?.job ?? null, after.duty?.grade ?? null, ended.map(({ ending }) => ending)]);

  it.each<[string, string | null, Partial<SyncDutyItem>, [string | null, number | null, string[]], string[], number]>([
    ["on begins with the grade that is held", null, {}, ["police", 3, []], ["police"], 1],
    ["on takes the grade that is named", null, { grade: 7 }, ["police", 7, []], ["police"], 1],
    ["on in what is called off duty ends the duty", "police", { job: "offpolice" }, [null, null, ["off"]], ["police"], 1],
    ["on without work ends any duty", "police", { job: "unemployed" }, [null, null, ["off"]], [], 1],
    ["on in a job that is not held any more ends no other duty", "police", { job: "fire" }, ["police", 1, []], ["fire"], 0],
    ["off of another job changes nothing", "police", { event: "off", job: "taxi" }, ["police", 1, []], ["taxi"], 1],
    ["off of an unknown job changes nothing", "police", { event: "off", job: "nothing" }, ["police", 1, []], [], 1],
    ["off without a job ends any", "police", { event: "off", job: null }, [null, null, ["off"]], [], 1],
    ["loaded keeps the own duty", "police", { event: "loaded", job: null }, ["police", 1, []], [], 1],
  ])("%s", (_name, before, more, after, jobs, applied) => {
    const one = run([before === null ? person(ada) : working(ada, before)], more);
    expect([outcome(one), [...one.jobsReported], one.reports.map((each) => each.applied)]).toEqual([[after], jobs, [applied]]);
  });

  it("are recorded and without effect when they are older than what was applied", () => {
    const one = run([person(ada, { appliedAt: t0 + 1 })], {});
    expect([outcome(one), one.reports[0]?.applied]).toEqual([[[null, null, []]], 0]);
  });

  it("build on each other, and keep every duty that ended between", () => {
    const one = run([person(ada)], {}, { event: "off", at: t0 + 10 }, { at: t0 + 20 });
    expect(outcome(one)).toEqual([["police", 3, ["off"]]]);
    expect(one.changes()[0]?.after.duty?.since).toBe(t0 + 20);
  });

  it("end the duty of the other characters of a player who loads one, unless that is newer", () => {
    const loaded = (at: number) => run([person(ada), working(twin, "taxi")], { event: "loaded", job: null, at });
    expect(outcome(loaded(t0 + 5))[1]).toEqual([null, null, ["otherCharacter"]]);
    expect(outcome(loaded(t0 - 5))[1]).toEqual(["taxi", 1, []]);
    const elsewhere = run([person(ada), { ...working(twin, "taxi"), licence: "other" }], { event: "loaded", job: null });
    expect(outcome(elsewhere)[1]).toEqual(["taxi", 1, []]);
  });

  it("propose a duty of the past and change nothing of the present", () => {
    const one = run([person(ada)], { event: "past", at: t0 - 50, endedAt: t0 - 10 });
    expect(one.past).toMatchObject([{ citizenId: 1, job: "police", grade: 3, from: t0 - 50, to: t0 - 10, proposed: true }]);
    expect(outcome(one)).toEqual([[null, null, []]]);
  });
});
