import { idOfRef } from "#features/calls/calls.contract.ts";
import { expect, test } from "vitest";
import type { Viewer } from "#core/actor.ts";
import type { AppError } from "#core/errors.ts";
import {
  abilitiesOf,
  alarmAfter,
  follows,
  isAlarmed,
  jobsAlarmed,
  medianOf,
  movedTo,
  newestPlace,
  type PanicStanding,
  repeatsNextAt,
  requireWithinLimits,
  shownAgainAt,
} from "./panic.policy.ts";

const now = 1_000_000_000;
const second = 1000;

function refusal(pressed: readonly number[]) {
  try {
    requireWithinLimits(pressed, now);
  } catch (error) {
    const { definition, params } = error as AppError;
    return [definition.code, params];
  }
  return null;
}

test("a person has one panic a minute and three in ten minutes, and reads when it works again", () => {
  expect(refusal([])).toBeNull();
  expect(refusal([now - 59 * second])).toEqual(["panic.tooSoon", { seconds: 1, count: 1 }]);
  expect(refusal([now - 60 * second])).toBeNull();
  expect(refusal([now - 60 * second, now - 300 * second])).toBeNull();
  expect(refusal([now - 500 * second, now - 60 * second, now - 300 * second])).toEqual([
    "panic.tooMany",
    { most: 3, minutes: 10, seconds: 100, count: 2 },
  ]);
  expect(refusal([now - 600 * second, now - 300 * second, now - 61 * second])).toBeNull();
});

test("the own job is alarmed, and the one that its rules name", () => {
  expect(jobsAlarmed("police", null)).toEqual(["police"]);
  expect(jobsAlarmed("taxi", "police")).toEqual(["taxi", "police"]);
  expect(jobsAlarmed("police", "police")).toEqual(["police"]);
});

const who = (job: string, rights: readonly string[], characterId = 7): Pick<Viewer, "characterId" | "job" | "rights"> => ({
  characterId,
  job,
  rights: { epoch: "", has: (one) => rights.includes(one), attribute: () => undefined, all: () => ({}) },
});

const panicOf = (more: Partial<PanicStanding> = {}): PanicStanding => ({
  citizenId: 12,
  state: "active",
  pressedAt: now,
  alarms: [{ job: "police", state: "ringing", repeats: 0, everybody: 0 }],
  ...more,
});
const later = panicOf({ alarms: [{ job: "police", state: "ringing", repeats: 1, everybody: 0 }] });
const unguarded = panicOf({ alarms: [{ job: "police", state: "ringing", repeats: 0, everybody: 1 }] });

test.each([
  ["who answers, on duty", who("police", ["panic.answer"]), "police", true, true],
  ["who answers, off duty", who("police", ["panic.answer"]), null, false, false],
  ["who always answers, off duty", who("police", ["panic.answer", "panic.always"]), null, true, true],
  ["who is always asked and does not answer", who("police", ["panic.always"]), null, false, false],
  ["everybody on duty, later, and at once where nobody answers", who("police", []), "police", false, true],
  ["nobody on duty in another job", who("police", []), "taxi", false, false],
  ["nobody of a job that is not alarmed", who("taxi", ["panic.answer", "panic.always"]), "taxi", false, false],
  ["not the person in danger", who("police", ["panic.answer"], 12), "police", false, false],
] as const)("is alarmed: %s", (_name, viewer, onDutyIn, atOnce, afterwards) => {
  const alarmed = [panicOf(), later, unguarded].map((panic) => isAlarmed(viewer, onDutyIn, panic));
  expect(alarmed).toEqual([atOnce, afterwards, afterwards]);
});

test("what people may do about a panic", () => {
  const dispatcher = who("police", ["panic.answer", "calls.view", "calls.dispatch"]);
  const may = (viewer: typeof dispatcher, panic: PanicStanding, at = now) => abilitiesOf(viewer, "police", panic, at).may;
  expect(may(dispatcher, panicOf())).toEqual(["acknowledge", "end"]);
  const acknowledged = panicOf({ alarms: [{ job: "police", state: "acknowledged", repeats: 0, everybody: 0 }] });
  expect(may(dispatcher, acknowledged)).toEqual(["end"]);
  expect(may(dispatcher, panicOf({ state: "real" }))).toEqual([]);
  expect(may(who("police", ["panic.answer", "calls.view"]), panicOf())).toEqual(["acknowledge"]);
  expect(may(who("taxi", ["panic.answer", "calls.view", "calls.dispatch"]), panicOf())).toEqual([]);
  const presser = who("police", ["panic.answer", "calls.view", "calls.dispatch"], 12);
  expect(may(presser, panicOf(), now + 10 * second - 1)).toEqual(["cancel", "end"]);
  expect(may(presser, panicOf(), now + 10 * second)).toEqual(["end"]);
  expect(may(who("police", [], 12), panicOf(), now + 10 * second)).toEqual([]);
});

test("a panic that has ended takes nothing more, and names its call", () => {
  expect(movedTo("active", "endFalse", 12)).toBe("false");
  expect(movedTo("active", "pressAgain", 12)).toBe("active");
  for (const state of ["cancelled", "real", "false", "test"])
    expect(() => movedTo(state, "cancel", 12)).toThrow(expect.objectContaining({ params: { id: "DSP-12" } }));
});

test("an alarm ends by an acknowledgement or with its panic, once", () => {
  expect([alarmAfter("ringing", "repeat"), alarmAfter("ringing", "acknowledge"), alarmAfter("ringing", "end")]).toEqual([
    "ringing",
    "acknowledged",
    "over",
  ]);
  expect([alarmAfter("acknowledged", "repeat"), alarmAfter("acknowledged", "acknowledge"), alarmAfter("over", "end")]).toEqual([
    null,
    null,
    null,
  ]);
});

test("the middle of times, and the number of a call", () => {
  expect([medianOf([]), medianOf([9]), medianOf([9, 1, 2]), medianOf([8, 1, 2, 4])]).toEqual([null, 9, 2, 3]);
  expect([idOfRef("dsp 12"), idOfRef("DSP-12"), idOfRef("12")]).toEqual([12, 12, null]);
});

test.each([
  ["who answers, on duty", who("police", ["panic.answer"]), "police", panicOf(), true],
  ["nobody who answers off duty", who("police", ["panic.answer"]), null, panicOf(), false],
  ["nobody on duty without the right, also once alarmed", who("police", []), "police", later, false],
  ["nobody of a job that is not alarmed", who("taxi", ["panic.answer"]), "taxi", panicOf(), false],
  ["nobody after the end", who("police", ["panic.answer"]), "police", panicOf({ state: "real" }), false],
  ["not the person in danger", who("police", ["panic.answer"], 12), "police", panicOf(), false],
] as const)("where the person is followed to is seen by: %s", (_name, viewer, onDutyIn, panic, sees) => {
  expect(follows(viewer, onDutyIn, panic)).toBe(sees);
});

const at = (instant: number) => ({ x: 1, y: 2, postal: null, at: instant });

test("the newer of two places is shown", () => {
  const [pressed, followed] = [at(1), at(2)];
  expect([newestPlace(pressed, followed), newestPlace(followed, pressed)]).toEqual([followed, followed]);
  expect([newestPlace(null, followed), newestPlace(pressed, null), newestPlace(null, null)]).toEqual([followed, pressed, null]);
});

/** Which of these reports are shown. Milliseconds. */
function shownOf(reports: readonly number[]) {
  let dueAt = 0;
  return reports.filter((report) => {
    const next = shownAgainAt(dueAt, report);
    dueAt = next ?? dueAt;
    return next !== null;
  });
}

test("a place is shown every two seconds, also by reports that come a little early or late, and no more often", () => {
  expect(shownOf([0, 1_000, 1_980, 3_010, 3_990, 5_000, 6_020])).toEqual([0, 1_980, 3_990, 6_020]);
  const often = shownOf(Array.from({ length: 241 }, (_none, i) => i * 250));
  expect([often.length, often.at(-1)]).toEqual([31, 59_750]);
  expect(shownOf([0, 9_000, 10_000, 11_000])).toEqual([0, 9_000, 11_000]);
});

test("everybody on duty is alarmed every 30 seconds, for 15 minutes", () => {
  expect(repeatsNextAt(now, now + 30 * second)).toBe(now + 60 * second);
  expect(repeatsNextAt(now, now + 15 * 60 * second - 1)).toBe(now + 15 * 60 * second - 1 + 30 * second);
  expect(repeatsNextAt(now, now + 15 * 60 * second)).toBeNull();
});
