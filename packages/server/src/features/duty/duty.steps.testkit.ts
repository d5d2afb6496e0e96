// Sequences of steps for fast-check: mostly what a game server would send, often what none should.
//
// fast-check draws *commands* that know no clock ("off, 3 s ago, by the first source"). A writer
// then turns them into steps with absolute `at`s, keys, seqs and boot ids. That way a sequence
// shrinks command by command and what is left still makes sense.

import fc from "fast-check";
import type { HandMode, Step } from "./duty.model.testkit.ts";
import {
  type BootChoice,
  type Call,
  type Command,
  HOUR,
  type JobChoice,
  JOBS,
  MINUTE,
  type PersonSeed,
  SECOND,
  StepWriter,
} from "./duty.writer.testkit.ts";

export interface StepsOptions {
  /** The clock at the beginning, ms UTC. */
  now?: number;
  /** The largest number of single commands and stories; a story is up to about 25 steps. */
  maxParts?: number;
}

export interface Scenario {
  now: number;
  people: readonly PersonSeed[];
  steps: readonly Step[];
}

// ---- Drawing ---------------------------------------------------------------------------------

const atLimit = (limit: number): fc.Arbitrary<number> => fc.constantFrom(limit, limit - 1, limit + 1);

const who = fc.nat({ max: 3 });
const call: fc.Arbitrary<Call> = fc.record({
  source: fc.constantFrom(0, 0, 0, 1),
  boot: fc.oneof(
    { weight: 20, arbitrary: fc.constant<BootChoice>("now") },
    { weight: 1, arbitrary: fc.constantFrom<BootChoice>("before", "older", "none") },
  ),
});
const goodCall: Call = { source: 0, boot: "now" };
const anyJob = fc.nat({ max: JOBS.length - 1 });
const jobMostlyOwn: fc.Arbitrary<JobChoice> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<JobChoice>("own") },
  { weight: 2, arbitrary: anyJob },
);
const jobOrNone: fc.Arbitrary<JobChoice> = fc.oneof(
  { weight: 3, arbitrary: jobMostlyOwn },
  { weight: 1, arbitrary: fc.constant<JobChoice>("none") },
);
/** How long ago an event happened when it arrives; negative is ahead of the receiver's clock. */
const ago = fc.oneof(
  { weight: 8, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 3 * SECOND }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 20 * MINUTE }) },
  { weight: 1, arbitrary: atLimit(5 * MINUTE) },
  { weight: 1, arbitrary: fc.integer({ min: -5 * MINUTE, max: -1 }) },
  { weight: 1, arbitrary: atLimit(5 * MINUTE).map((ms) => -ms) },
);
/** Values at the limits and at what is left of one after another has passed. */
const stretch = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 0, max: 2 * MINUTE }) },
  { weight: 2, arbitrary: atLimit(60 * SECOND) },
  { weight: 2, arbitrary: atLimit(5 * MINUTE) },
  { weight: 1, arbitrary: atLimit(4 * MINUTE) },
  { weight: 2, arbitrary: atLimit(15 * MINUTE) },
  { weight: 1, arbitrary: atLimit(14 * MINUTE) },
  { weight: 1, arbitrary: atLimit(12 * HOUR) },
);
/** Shuffled, as the first is the primary job. Seldom none at all: then little can happen. */
const jobList: fc.Arbitrary<string[]> = fc.oneof(
  { weight: 8, arbitrary: fc.shuffledSubarray([...JOBS], { minLength: 1 }) },
  { weight: 1, arbitrary: fc.constant<string[]>([]) },
);
const aliveSources = fc.constantFrom<readonly number[]>([0, 1], [0, 1], [0], [1]);

const seqBack = fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 1, max: 3 }) });
const remove = fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) });

const single: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("on" as const), who, job: jobMostlyOwn, ago, call }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("off" as const), who, job: jobOrNone, ago, call }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("dropped" as const), who, ago, call }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("loaded" as const), who, ago, call }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("position" as const),
      who,
      job: jobOrNone,
      off: remove,
      hidden: fc.boolean(),
      remove,
      seqBack,
      call,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("heartbeat" as const), call }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("boot" as const), source: call.map((c) => c.source), speaks: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("jobs" as const), who, jobs: jobList }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("hand" as const), who, on: fc.boolean(), job: jobMostlyOwn }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("mode" as const),
      job: anyJob,
      mode: fc.constantFrom<HandMode>("on", "on", "off", "untilSource"),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("pass" as const), ms: stretch }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("alive" as const),
      ms: stretch.map((ms) => Math.min(ms, 15 * MINUTE + 1)),
      sources: aliveSources,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("down" as const), ms: stretch }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("repeat" as const), back: fc.nat({ max: 6 }), other: fc.boolean() }) },
);

// Stories lead to the limits, where single commands would seldom arrive by chance.

const on = (person: number, agoMs = 0): Command => ({ do: "on", who: person, job: "own", ago: agoMs, call: goodCall });
const seen = (person: number): Command => ({
  do: "position",
  who: person,
  job: "own",
  off: false,
  hidden: false,
  remove: false,
  seqBack: 0,
  call: goodCall,
});
const alive = (ms: number): Command => ({ do: "alive", ms, sources: [0, 1] });
const pass = (ms: number): Command => ({ do: "pass", ms });
const heartbeat: Command = { do: "heartbeat", call: goodCall };

/** Dropped, and back just before or just after the grace; perhaps with a silence in between. */
const graceStory = fc
  .record({
    person: who,
    ago,
    grace: atLimit(5 * MINUTE),
    silence: fc.constantFrom(0, 0, 59_999, 60_000, 60_001),
    back: fc.boolean(),
  })
  .map(({ person, ago: agoMs, grace, silence, back }): Command[] => [
    on(person),
    alive(90 * SECOND),
    { do: "dropped", who: person, ago: agoMs, call: goodCall },
    ...(silence > 0 ? [pass(silence), heartbeat] : []),
    alive(Math.max(0, agoMs > 0 ? grace - agoMs : grace)),
    ...(back ? [seen(person)] : []),
    pass(1),
  ]);

/** Nothing received up to one of the limits, then perhaps something. */
const silenceStory = fc
  .record({
    person: who,
    seenFirst: fc.boolean(),
    first: atLimit(60 * SECOND),
    rest: atLimit(14 * MINUTE),
    call: fc.constantFrom("no", "heartbeat", "seen", "boot"),
  })
  .map(({ person, seenFirst, first, rest, call }): Command[] => [
    on(person),
    ...(seenFirst ? [pass(10 * SECOND), seen(person)] : []),
    pass(first),
    pass(rest),
    ...(call === "heartbeat" ? [heartbeat] : []),
    ...(call === "seen" ? [seen(person)] : []),
    ...(call === "boot" ? [{ do: "boot", source: 0, speaks: true } satisfies Command] : []),
    pass(1),
  ]);

/** A new boot; one is named, another perhaps only too late. */
const bootStory = fc
  .record({ person: who, other: who, named: fc.boolean(), window: atLimit(5 * MINUTE), quiet: fc.boolean() })
  .map(({ person, other, named, window, quiet }): Command[] => [
    on(person),
    on(other),
    { do: "boot", source: 0, speaks: true },
    ...(named ? [seen(person)] : []),
    quiet ? pass(window) : alive(window),
    seen(other),
  ]);

/** Two or three game servers that call under one name; the others for some time only. */
const sharedStory = fc
  .record({
    person: who,
    others: fc.constantFrom<readonly BootChoice[]>(["before"], ["before", "older"]),
    turns: fc.nat({ max: 4 }),
    each: fc.constantFrom(20 * SECOND, 30 * SECOND, 59_999),
    rest: fc.constantFrom(5 * MINUTE, 10 * MINUTE - 1, 10 * MINUTE, 10 * MINUTE + 1),
  })
  .map(({ person, others, turns, each, rest }): Command[] => [
    on(person),
    ...others.map((): Command => ({ do: "boot", source: 0, speaks: true })),
    ...Array.from({ length: turns }, (): Command[] => [
      pass(each),
      ...others.map((boot) => ({ ...seen(person), call: { source: 0, boot } }) as Command),
      heartbeat,
    ]).flat(),
    alive(rest),
    ...others.map((boot): Command => ({ do: "heartbeat", call: { source: 0, boot } })),
    pass(1),
  ]);

/** An event of a run that has ended, and of which Rollcall has perhaps learned nothing, arrives when another one runs. */
const lateStory = fc
  .record({
    person: who,
    other: who,
    knew: fc.boolean(),
    waited: fc.constantFrom(10 * SECOND, 2 * MINUTE, 11 * MINUTE),
    older: fc.constantFrom(-1, 0, 1, 30 * SECOND),
    rest: atLimit(5 * MINUTE),
  })
  .map(({ person, other, knew, waited, older, rest }): Command[] => [
    on(person),
    pass(MINUTE),
    { do: "boot", source: 0, speaks: knew },
    { do: "boot", source: 0, speaks: true },
    seen(person),
    alive(waited),
    { do: "on", who: other, job: "own", ago: waited + older, call: { source: 0, boot: "before" } },
    heartbeat,
    alive(rest),
  ]);

/** Rollcall stops while somebody is on duty, missing, or not yet named. */
const downStory = fc
  .record({
    person: who,
    before: fc.constantFrom("on", "dropped", "boot"),
    ms: stretch,
    after: atLimit(15 * MINUTE),
    calledAfter: fc.option(fc.integer({ min: 0, max: 14 * MINUTE })),
    again: fc.nat({ max: 3 }),
    more: atLimit(5 * MINUTE),
  })
  .map(({ person, before, ms, after, calledAfter, again, more }): Command[] => [
    on(person),
    ...(before === "dropped" ? [{ do: "dropped", who: person, ago: 0, call: goodCall } satisfies Command] : []),
    ...(before === "boot" ? [{ do: "boot", source: 0, speaks: true } satisfies Command] : []),
    pass(20 * SECOND),
    { do: "down", ms },
    // It starts again and again.
    ...Array.from({ length: again }, (): Command[] => [pass(5 * MINUTE), { do: "down", ms: SECOND }]).flat(),
    ...(calledAfter === null ? [pass(after)] : [pass(calledAfter), heartbeat, alive(more)]),
  ]);

/** A duty by hand up to its limit, perhaps taken over or dropped by the game before. */
const handStory = fc
  .record({
    person: who,
    job: jobMostlyOwn,
    jobIndex: anyJob,
    mode: fc.option(fc.constantFrom<HandMode>("on", "off", "untilSource")),
    between: fc.constantFrom("no", "no", "on", "dropped", "off", "down"),
    ago,
    hours: atLimit(12 * HOUR),
  })
  .map(({ person, job, jobIndex, mode, between, ago: agoMs, hours }): Command[] => [
    ...(mode === null ? [] : [{ do: "mode", job: jobIndex, mode } satisfies Command]),
    { do: "hand", who: person, on: true, job },
    pass(HOUR),
    ...(between === "on" ? [on(person, agoMs)] : []),
    ...(between === "dropped" ? [{ do: "dropped", who: person, ago: agoMs, call: goodCall } satisfies Command] : []),
    ...(between === "off" ? [{ do: "off", who: person, job: "own", ago: agoMs, call: goodCall } satisfies Command] : []),
    ...(between === "down"
      ? [{ do: "down", ms: 30 * MINUTE } satisfies Command, pass(-30 * MINUTE + hours - HOUR)]
      : [pass(hours - HOUR)]),
    pass(1),
    { do: "hand", who: person, on: false, job },
  ]);

const part: fc.Arbitrary<Command[]> = fc.oneof(
  { weight: 14, arbitrary: single.map((command) => [command]) },
  { weight: 1, arbitrary: graceStory },
  { weight: 1, arbitrary: silenceStory },
  { weight: 1, arbitrary: bootStory },
  { weight: 1, arbitrary: sharedStory },
  { weight: 1, arbitrary: lateStory },
  { weight: 1, arbitrary: downStory },
  { weight: 1, arbitrary: handStory },
);

const peopleArbitrary: fc.Arbitrary<PersonSeed[]> = fc
  .array(fc.record({ licence: fc.nat({ max: 2 }), jobs: jobList }), { minLength: 2, maxLength: 4 })
  .map((drawn) => drawn.map(({ licence, jobs }, index) => ({ person: `p${index + 1}`, licence: `licence${licence + 1}`, jobs })));

export function stepsArbitrary(options: StepsOptions = {}): fc.Arbitrary<Scenario> {
  // A night with a change of the clock, as a change must change nothing.
  const now = options.now ?? Date.UTC(2025, 9, 25, 23, 30);
  return fc
    .record({
      people: peopleArbitrary,
      parts: fc.array(part, { minLength: 1, maxLength: options.maxParts ?? 30, size: "max" }),
      // Many games never send a boot id.
      bootless: fc.constantFrom<readonly number[]>([], [], [1], [0, 1]),
    })
    .map(({ people, parts, bootless }) => ({ now, people, steps: new StepWriter(now, people, bootless).write(parts.flat()) }));
}
