import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ModelEntry, Scenario, Step } from "./timeclock.model.testkit.ts";
import { TimeclockModel } from "./timeclock.model.testkit.ts";
import { scenarios } from "./timeclock.steps.testkit.ts";

type Ended = Extract<Step, { kind: "ended" }>;

const at = Date.parse;
const minute = 60_000;
const day = 24 * 60 * minute;

/** The instants at which the clocks change. */
const changes = ["2025-03-30", "2025-10-26", "2026-03-29", "2026-10-25"].map((name) => [name, at(`${name}T01:00Z`)] as const);

/** A duty of Anna's as a police officer, from and to with their offsets, as the clock on the wall showed them. */
function ended(key: number, from: string, to: string, other: Partial<Ended> = {}): Ended {
  const plain = { person: "anna", job: "police", grade: 2, ending: "off", proposed: false } as const;
  return { kind: "ended", key, from: at(from), to: at(to), ...plain, ...other };
}

function correct(key: number, from: string, to: string): Step {
  return { kind: "correct", key, from: at(from), to: at(to) };
}

/** Reported at their ends, unless the model is already later. */
function modelAt(now: string, ...duties: Ended[]): TimeclockModel {
  const begin = Math.min(at(now), ...duties.map(({ to }) => to));
  const model = new TimeclockModel(begin);
  let present = begin;
  for (const duty of duties) {
    model.apply({ kind: "pass", ms: Math.max(duty.to - present, 0) });
    present = Math.max(duty.to, present);
    model.apply(duty);
  }
  model.apply({ kind: "pass", ms: at(now) - present });
  return model;
}

const states = (model: TimeclockModel) => model.entries("anna").map(({ key, state }) => `${key} ${state}`);
const sums = (model: TimeclockModel) => model.days("anna").map(({ job, day: name, seconds }) => [job, name, seconds]);

describe("the sums by local days", () => {
  test.each([
    ["the whole day of 25 h", "2026-10-25T00:00+02:00", "2026-10-26T00:00+01:00", [["2026-10-25", 90_000]]],
    ["the whole day of 23 h", "2026-03-29T00:00+01:00", "2026-03-30T00:00+02:00", [["2026-03-29", 82_800]]],
    ["the whole day of 25 h in 2025", "2025-10-26T00:00+02:00", "2025-10-27T00:00+01:00", [["2025-10-26", 90_000]]],
    ["the whole day of 23 h in 2025", "2025-03-30T00:00+01:00", "2025-03-31T00:00+02:00", [["2025-03-30", 82_800]]],
    [
      "the October night from 22:00 to 06:00, 9 h",
      "2026-10-24T22:00+02:00",
      "2026-10-25T06:00+01:00",
      [
        ["2026-10-24", 7200],
        ["2026-10-25", 25_200],
      ],
    ],
    [
      "the March night from 22:00 to 06:00, 7 h",
      "2026-03-28T22:00+01:00",
      "2026-03-29T06:00+02:00",
      [
        ["2026-03-28", 7200],
        ["2026-03-29", 18_000],
      ],
    ],
    ["the hour that occurs twice, both times", "2026-10-25T02:00+02:00", "2026-10-25T03:00+01:00", [["2026-10-25", 7200]]],
    ["the hour that never occurs", "2026-03-29T01:59:59+01:00", "2026-03-29T03:00:01+02:00", [["2026-03-29", 2]]],
    ["an end at midnight", "2026-06-01T23:00+02:00", "2026-06-02T00:00+02:00", [["2026-06-01", 3600]]],
    [
      "one second on both sides of the night, two days between",
      "2026-10-23T23:59:59+02:00",
      "2026-10-26T00:00:01+01:00",
      [
        ["2026-10-23", 1],
        ["2026-10-24", 86_400],
        ["2026-10-25", 90_000],
        ["2026-10-26", 1],
      ],
    ],
    ["nothing", "2026-06-01T23:00+02:00", "2026-06-01T23:00+02:00", []],
  ])("%s", (_, from, to, expected) => {
    const model = modelAt(to, ended(1, from, to));
    expect(sums(model)).toEqual(expected.map((sum) => ["police", ...sum]));
    expect(model.days("ben")).toEqual([]);
  });

  test("jobs are apart, days come first, and proposals count nothing", () => {
    const model = modelAt(
      "2026-06-03T12:00+02:00",
      ended(1, "2026-06-01T23:00+02:00", "2026-06-02T01:00+02:00"),
      ended(2, "2026-06-02T01:00+02:00", "2026-06-02T02:00+02:00", { job: "ambulance" }),
      ended(3, "2026-06-02T04:00+02:00", "2026-06-02T05:00+02:00"),
      ended(4, "2026-06-02T06:00+02:00", "2026-06-02T07:00+02:00", { proposed: true }),
    );
    expect(sums(model)).toEqual([
      ["police", "2026-06-01", 3600],
      ["ambulance", "2026-06-02", 3600],
      ["police", "2026-06-02", 7200],
    ]);
  });
});

describe("what becomes of a report", () => {
  const noon = "2026-06-10T12:00:00+02:00";
  test.each([
    ["off, 10 min late", { to: at(noon) - 10 * minute }, "counted", false],
    ["off, a second more", { to: at(noon) - 10 * minute - 1000 }, "proposed", false],
    ["switched, a second more", { to: at(noon) - 10 * minute - 1000, ending: "switched" }, "proposed", false],
    ["missing, long after", { to: at(noon) - day, ending: "missing" }, "counted", true],
    ["silence, older than 30 days", { from: at(noon) - 31 * day, to: at(noon) - day, ending: "silence" }, "counted", true],
    ["restart, out of order", { ending: "restart", proposed: true }, "proposed", true],
    ["proposed, 30 days old", { from: at(noon) - 30 * day, proposed: true }, "proposed", false],
    ["proposed, a second older", { from: at(noon) - 30 * day - 1000, proposed: true }, "rejected", false],
  ] as const)("%s", (_, other, state, estimated) => {
    const model = new TimeclockModel(at(noon));
    const duty = ended(1, "2026-06-09T08:00+02:00", noon, other);
    expect(model.apply(duty)).toEqual({ refused: false });
    const expected = [{ key: 1, state, from: duty.from, to: duty.to, estimated }];
    expect(model.entries("anna")).toEqual(expected);
    model.apply({ kind: "repeat", key: 1 });
    expect(model.entries("anna")).toEqual(expected);
  });

  test.each([
    ["equal edges", "2026-06-10T10:00+02:00", "anna", "counted"],
    ["a second shared, in another job", "2026-06-10T09:59:59+02:00", "anna", "proposed"],
    ["the same time of another person", "2026-06-10T08:00+02:00", "ben", "counted"],
  ])("after another duty: %s", (_, from, person, state) => {
    const first = ended(1, "2026-06-10T08:00+02:00", "2026-06-10T10:00+02:00");
    const model = modelAt(noon, first, ended(2, from, noon, { person, job: "ambulance" }));
    expect(model.entries(person).find(({ key }) => key === 2)?.state).toBe(state);
  });
});

describe("corrections", () => {
  const noon = "2026-06-10T12:00+02:00";
  const morning = () =>
    modelAt(
      noon,
      ended(1, "2026-06-10T08:00+02:00", "2026-06-10T09:00+02:00", { ending: "missing" }),
      ended(2, "2026-06-10T10:00+02:00", "2026-06-10T11:00+02:00", { job: "ambulance" }),
    );

  test.each([
    ["up to the edge of the next", correct(1, "2026-06-10T08:00+02:00", "2026-06-10T10:00+02:00"), false],
    ["a second into the next, of another job", correct(1, "2026-06-10T08:00+02:00", "2026-06-10T10:00:01+02:00"), true],
    ["up to now", correct(2, "2026-06-10T10:00+02:00", noon), false],
    ["into the future", correct(2, "2026-06-10T10:00+02:00", "2026-06-10T12:00:01+02:00"), true],
    ["no length", correct(1, "2026-06-10T08:00+02:00", "2026-06-10T08:00+02:00"), true],
    ["no change", correct(1, "2026-06-10T08:00+02:00", "2026-06-10T09:00+02:00"), true],
    ["no such entry", correct(3, "2026-06-10T08:00+02:00", "2026-06-10T09:00+02:00"), true],
    ["from the first instant of the 30th day back", correct(1, "2026-05-11T00:00+02:00", "2026-06-10T09:00+02:00"), false],
    ["a second earlier", correct(1, "2026-05-10T23:59:59+02:00", "2026-06-10T09:00+02:00"), true],
  ])("%s", (_, step, refused) => {
    expect(morning().apply(step)).toEqual({ refused });
  });

  // 30 local days back from the evening of 10 November are an hour more than 30 x 24 h, for the clock change lies between.
  test.each([
    ["2026-10-11T00:00:00+02:00", false],
    ["2026-10-10T23:59:59+02:00", true],
  ])("the limit across the clock change, present beginning %s: refused %s", (from, refused) => {
    const model = modelAt("2026-11-10T23:30+01:00", ended(1, from, "2026-10-11T04:00+02:00"));
    expect(model.apply(correct(1, "2026-10-11T01:00+02:00", "2026-10-11T04:00+02:00"))).toEqual({ refused });
  });

  test.each([
    ["the beginning", correct(1, "2026-06-10T07:00+02:00", "2026-06-10T09:00+02:00"), true],
    ["the end", correct(1, "2026-06-10T08:00+02:00", "2026-06-10T09:30+02:00"), false],
  ] as const)("approved: %s changes, still estimated %s", (_, step, estimated) => {
    const model = morning();
    model.apply(step);
    expect(model.entries("anna")[0]).toMatchObject({ from: at("2026-06-10T08:00+02:00"), to: at("2026-06-10T09:00+02:00") });
    expect(model.apply({ kind: "decide", key: 1, approve: true })).toEqual({ refused: false });
    const { from, to } = step as Extract<Step, { kind: "correct" }>;
    expect(model.entries("anna")[0]).toEqual({ key: 1, state: "counted", from, to, estimated });
    expect(model.apply({ kind: "decide", key: 1, approve: true })).toEqual({ refused: true });
  });

  test.each([{ kind: "cancel", key: 1 } as const, { kind: "decide", key: 1, approve: false } as const])(
    "asked for again after %j",
    (close) => {
      const model = morning();
      const step = correct(1, "2026-06-10T08:00+02:00", "2026-06-10T09:30+02:00");
      const answers = [close, step, step, close, close, step].map((one) => model.apply(one).refused);
      expect(answers).toEqual([true, false, true, false, true, false]);
      expect(model.entries("anna")[0]).toMatchObject({ state: "counted", to: at("2026-06-10T09:00+02:00"), estimated: true });
    },
  );

  test("a collision that came after the question refuses to approve, and everything stays open", () => {
    const model = morning();
    model.apply(correct(2, "2026-06-10T10:00+02:00", "2026-06-10T11:30+02:00"));
    model.apply(ended(3, "2026-06-10T11:00+02:00", noon));
    expect(states(model)).toEqual(["1 counted", "2 counted", "3 counted"]);
    expect(model.apply({ kind: "decide", key: 2, approve: true })).toEqual({ refused: true });
    expect(model.entries("anna")[1]).toMatchObject({ to: at("2026-06-10T11:00+02:00") });
    expect(model.apply({ kind: "decide", key: 2, approve: false })).toEqual({ refused: false });
  });

  test("a proposal is decided, neither corrected nor cancelled by the person", () => {
    const model = morning();
    for (const key of [3, 4, 5]) model.apply(ended(key, "2026-06-10T11:30+02:00", noon, { proposed: true }));
    expect(model.apply(correct(3, "2026-06-10T11:40+02:00", noon)).refused).toBe(true);
    expect(model.apply({ kind: "cancel", key: 3 }).refused).toBe(true);
    expect(model.apply({ kind: "decide", key: 3, approve: true }).refused).toBe(false);
    expect(model.apply({ kind: "decide", key: 4, approve: true }).refused).toBe(true);
    expect(model.apply({ kind: "decide", key: 5, approve: false }).refused).toBe(false);
    expect(states(model).slice(2)).toEqual(["3 counted", "4 proposed", "5 rejected"]);
  });
});

/** What 200 scenarios have to reach: each answer with each reason, each state, each hard case. */
const everything = Object.entries<string[]>({
  ended: ["done"],
  repeat: ["done"],
  pass: ["done"],
  correct: [
    ...["done", "no such entry", "not counted", "one is open already", "ends before it begins", "in the future", "overlaps"],
    ...["wanted too far back", "present too far back", "nothing would change"],
  ],
  "decide true": ["done", "nothing is open", "overlaps by now"],
  "decide false": ["done", "nothing is open"],
  cancel: ["done", "the person asked for nothing that is open"],
  report: [
    ...["counted", "proposed", "rejected"].flatMap((state) => [state, `${state}, estimated`]),
    ...["no entry", "overlap", "late", "equal edges", "old, counted", "old, rejected"],
    ...changes.map(([name]) => `over ${name}`),
  ],
  "at last": ["counted", "proposed", "rejected", "several days", "a day of 23 h", "a day of 25 h"],
}).flatMap(([kind, cases]) => cases.map((one) => `${kind}: ${one}`));

describe("drawn scenarios", () => {
  const drawn = fc.sample(scenarios(), { numRuns: 200, seed: 20_261_025 });

  /** What a report became, and which of the hard cases it was. */
  function* casesOf(step: Ended, now: number, entries: ModelEntry[]): Generator<string> {
    const { from, to } = step;
    const entry = entries.find(({ key }) => key === step.key);
    yield `report: ${entry?.state ?? "no entry"}${entry?.estimated ? ", estimated" : ""}`;
    if (!entry) return;
    const sent = ["off", "switched"].includes(step.ending);
    if (!step.proposed && !sent && entry.state !== "counted") yield "report: overlap";
    if (!step.proposed && sent && now - to > 10 * minute) yield "report: late";
    if (now - from > 30 * day) yield `report: old, ${entry.state}`;
    if (entry.state !== "counted") return;
    if (entries.some((other) => other.state === "counted" && (other.to === from || other.from === to)))
      yield "report: equal edges";
    for (const [name, instant] of changes) if (from < instant && instant < to) yield `report: over ${name}`;
  }

  /** What a scenario met, in words. The sums and the overlaps are compared after each step. */
  function* walk({ now: begin, people, steps }: Scenario): Generator<string> {
    const model = new TimeclockModel(begin);
    let now = begin;
    for (const step of steps) {
      if (step.kind === "pass") now += step.ms;
      const reason = model["refusalOf"](step);
      expect(model.apply(step)).toEqual({ refused: reason !== null });
      yield `${step.kind}${step.kind === "decide" ? ` ${step.approve}` : ""}: ${reason ?? "done"}`;
      for (const person of people) {
        const counted = model.entries(person).filter(({ state }) => state === "counted");
        const seconds = counted.reduce((sum, { from, to }) => sum + (to - from) / 1000, 0);
        expect(model.days(person).reduce((sum, one) => sum + one.seconds, 0)).toBe(seconds);
        const byTime = counted.toSorted((one, other) => one.from - other.from);
        expect(byTime.slice(1).every(({ from }, index) => from >= byTime[index]!.to)).toBe(true);
      }
      if (step.kind === "ended") yield* casesOf(step, now, model.entries(step.person));
    }
    for (const person of people) {
      for (const { state } of model.entries(person)) yield `at last: ${state}`;
      const days = model.days(person);
      for (const { seconds } of days) if ([82_800, 90_000].includes(seconds)) yield `at last: a day of ${seconds / 3600} h`;
      if (days.length > 1) yield "at last: several days";
    }
  }

  test("sums equal the counted entries, which never overlap, and every kind of answer is reached", () => {
    const reached = new Map<string, number>();
    for (const what of drawn.flatMap((scenario) => [...walk(scenario)])) reached.set(what, (reached.get(what) ?? 0) + 1);
    if (process.env["SHOW_REACHED"]) console.table(Object.fromEntries([...reached].toSorted()));
    expect([...reached.keys()].toSorted()).toEqual(everything.toSorted());
  });

  test("the steps are as many as allowed, and every instant is a whole second", () => {
    for (const { now, people, steps } of drawn) {
      expect(people.length).toBeLessThanOrEqual(3);
      expect(steps.length).toBeLessThanOrEqual(25);
      const instants = steps.flatMap((step) => ("from" in step ? [step.from, step.to] : step.kind === "pass" ? [step.ms] : []));
      expect([now, ...instants].filter((instant) => instant % 1000 !== 0)).toEqual([]);
    }
  });
});
