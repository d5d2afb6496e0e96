import { expect, test } from "vitest";
import type { AppError } from "#core/errors.ts";
import { callsPermissions } from "./calls.base.contract.ts";
import type { CallCommand, CallState } from "./calls.machine.ts";
import {
  type CallLevel,
  type CallRole,
  type CallStanding,
  idleAt,
  levelOf,
  levelOfCrew,
  movesOf,
  requireAllowed,
  rolesOf,
  verdictOf,
  withAllJobs,
} from "./calls.policy.ts";
import { idOfRef } from "./calls.ref.contract.ts";

const minute = 60_000;
const end = 1_000_000;
const stateOf = (state: CallState, more: Partial<CallStanding> = {}): CallStanding => {
  const ended = state === "open" ? { ended_at: null, ended_by: null } : { ended_at: end, ended_by: "Ida Holm" };
  return { id: 12, state, kind: "call", accepted: false, ...ended, ...more };
};

const commands: readonly CallCommand[] = [
  "edit",
  "note",
  "attach",
  "complete",
  "cancel",
  "expire",
  "reopen",
  "split",
  "link",
  "handOver",
  "answerHandOver",
  "merge",
  "undoMerge",
];
const roles: readonly CallRole[] = ["receiver", "dispatcher", "dispatcherOfAll", "member", "firstUnit", "caller", "system"];

// Who may do what, as section 2 of the decisions has it: D dispatcher, U member of a unit, F first unit, C caller, S system,
// A dispatcher of every job, R who answers for a job that gets it.
const nothing = {
  edit: "",
  note: "",
  attach: "",
  complete: "",
  cancel: "",
  expire: "",
  reopen: "",
  merge: "",
  undoMerge: "",
  split: "",
  link: "",
  handOver: "",
  answerHandOver: "",
};
const table: Readonly<Record<CallState, Readonly<Record<CallCommand, string>>>> = {
  open: {
    edit: "DS",
    note: "DUS",
    attach: "DUS",
    complete: "DFS",
    cancel: "DCS",
    expire: "S",
    reopen: "",
    split: "D",
    link: "D",
    handOver: "D",
    answerHandOver: "R",
    merge: "A",
    undoMerge: "",
  },
  completed: { ...nothing, reopen: "DUS", link: "D" },
  cancelled: { ...nothing, reopen: "DUS", link: "D" },
  merged: { ...nothing, undoMerge: "A" },
};
const letters: Readonly<Record<CallRole, string>> = {
  ...{ receiver: "R", dispatcher: "D", dispatcherOfAll: "A", member: "U", firstUnit: "F", caller: "C", system: "S" },
};

test.each(Object.entries(table))("of a call that is %s", (state, row) => {
  for (const command of commands)
    for (const role of roles) {
      const expected = row[command] === "" ? "state" : row[command].includes(letters[role]) ? "allowed" : "who";
      expect([command, role, verdictOf(command, [role], stateOf(state as CallState), end)]).toEqual([command, role, expected]);
    }
});

test("a caller cancels before anybody accepted, a member reopens within ten minutes", () => {
  expect(verdictOf("cancel", ["caller"], stateOf("open", { accepted: true }), end)).toBe("who");
  expect(verdictOf("cancel", ["caller", "dispatcher"], stateOf("open", { accepted: true }), end)).toBe("allowed");
  expect(verdictOf("reopen", ["member"], stateOf("completed"), end + 10 * minute)).toBe("allowed");
  expect(verdictOf("reopen", ["member"], stateOf("completed"), end + 10 * minute + 1)).toBe("who");
  expect(verdictOf("reopen", ["dispatcher"], stateOf("completed"), end + 90 * minute)).toBe("allowed");
});

test("the browser offers what is allowed", () => {
  expect(movesOf(["dispatcher"], stateOf("open"), end)).toEqual([
    "edit",
    "note",
    "attach",
    "complete",
    "cancel",
    "split",
    "link",
    "handOver",
  ]);
  expect(movesOf(["caller"], stateOf("open"), end)).toEqual(["cancel"]);
  expect(movesOf(["dispatcher"], stateOf("cancelled"), end)).toEqual(["reopen", "link"]);
  expect(movesOf([], stateOf("open"), end)).toEqual([]);
});

test("a panic is worked as every call, and ended by nobody as one", () => {
  const panic = stateOf("open", { kind: "panic" });
  expect(movesOf(["dispatcher", "firstUnit", "caller"], panic, end)).toEqual(["edit", "note", "attach", "link"]);
  expect(verdictOf("expire", ["system"], panic, end)).toBe("allowed");
  for (const command of ["complete", "cancel"] as const) expect(verdictOf(command, ["dispatcher"], panic, end)).toBe("panic");
  expect(verdictOf("reopen", ["dispatcher"], stateOf("completed", { kind: "panic" }), end)).toBe("panic");
  for (const command of ["merge", "split", "handOver"] as const)
    expect(verdictOf(command, ["dispatcher", "dispatcherOfAll"], panic, end)).toBe("panicAlone");
});

test("a refusal says in which state the call is, and by whom", () => {
  const refusal = (command: CallCommand, who: readonly CallRole[], call: CallStanding) => {
    try {
      requireAllowed(command, who, call, { now: end, timeOf: (at) => `at ${at}` });
    } catch (error) {
      const { definition, params } = error as AppError;
      return [definition.code, params];
    }
    return "allowed";
  };
  const when = { id: "DSP-12", at: `at ${end}` };
  expect(refusal("note", ["dispatcher"], stateOf("completed"))).toEqual(["calls.completed", { ...when, by: "Ida Holm" }]);
  expect(refusal("note", [], stateOf("cancelled"))).toEqual(["calls.cancelled", { ...when, by: "Ida Holm" }]);
  expect(refusal("edit", ["dispatcher"], stateOf("cancelled", { ended_by: null }))).toEqual(["calls.tooOld", when]);
  expect(refusal("reopen", ["dispatcher"], stateOf("open"))).toEqual(["calls.stillOpen", { id: "DSP-12" }]);
  expect(refusal("note", ["dispatcher"], stateOf("merged"))).toEqual(["calls.merged", { ...when, by: "Ida Holm" }]);
  expect(refusal("undoMerge", ["dispatcherOfAll"], stateOf("open"))).toEqual(["calls.notMerged", { id: "DSP-12" }]);
  const ended = { ...when, by: "Ida Holm" };
  expect(refusal("undoMerge", ["dispatcherOfAll"], stateOf("completed"))).toEqual(["calls.completed", ended]);
  expect(refusal("undoMerge", [], stateOf("cancelled", { ended_by: null }))).toEqual(["calls.tooOld", when]);
  expect(refusal("edit", ["caller"], stateOf("open"))).toEqual(["calls.notDispatcher", { permission: "calls.dispatch" }]);
  const panic = (state: CallState) => stateOf(state, { kind: "panic" });
  expect(refusal("complete", ["dispatcher"], panic("open"))).toEqual(["calls.panic", { id: "DSP-12" }]);
  expect(refusal("split", ["dispatcher"], panic("open"))).toEqual(["calls.panicAlone", { id: "DSP-12" }]);
  expect(refusal("handOver", ["dispatcher"], panic("open"))).toEqual(["calls.panicAlone", { id: "DSP-12" }]);
  expect(refusal("edit", ["dispatcher"], stateOf("open"))).toBe("allowed");
});

const viewer = (job: string, grade: number, ...held: string[]) => {
  const rights = { epoch: "", has: (right: string) => held.includes(right), attribute: () => undefined, all: () => ({}) };
  return { job, grade, rights };
};
const { view, dispatch } = callsPermissions;

test("the level over a call is that of the own job, from its grade on and until it expires", () => {
  const jobs = [
    { job: "police", level: "dispatch", min_grade: 0, expires_at: null },
    { job: "ambulance", level: "participate", min_grade: 2, expires_at: 500 },
  ];
  const level = (job: string, grade: number, now: number, ...held: string[]) => levelOf(viewer(job, grade, ...held), jobs, now);
  expect(level("police", 0, 0, view.id)).toBe("dispatch");
  expect(level("police", 0, 0)).toBeNull();
  expect(level("ambulance", 2, 499, view.id)).toBe("participate");
  expect(level("ambulance", 1, 499, view.id)).toBeNull();
  expect(level("ambulance", 2, 500, view.id)).toBeNull();
  expect(level("mechanic", 9, 0, view.id)).toBeNull();
  expect(rolesOf(viewer("police", 0, view.id, dispatch.id), "dispatch", true, [])).toEqual(["dispatcher", "caller"]);
  expect(rolesOf(viewer("police", 0, view.id), "dispatch", false, [])).toEqual([]);
  expect(rolesOf(viewer("ambulance", 2, view.id, dispatch.id), "participate", false, [])).toEqual([]);
  expect(rolesOf(viewer("ambulance", 2, view.id), "participate", false, ["member", "firstUnit"])).toEqual([
    "member",
    "firstUnit",
  ]);
  expect(rolesOf(viewer("ambulance", 2, view.id), "view", false, ["member"])).toEqual([]);
});

test("who dispatches every job of a call that does may merge it", () => {
  const offer = { min_grade: 0, expires_at: null };
  const own = { ...offer, job: "police", level: "dispatch" };
  const rolesWith = (...jobs: { job: string; level: string; min_grade: number; expires_at: number | null }[]) =>
    withAllJobs(["dispatcher"], { job: "police" }, jobs, 100);
  expect(rolesWith(own)).toEqual(["dispatcher", "dispatcherOfAll"]);
  expect(rolesWith(own, { ...offer, job: "ambulance", level: "participate" })).toContain("dispatcherOfAll");
  expect(rolesWith(own, { ...offer, job: "ambulance", level: "dispatch" })).toEqual(["dispatcher"]);
  expect(rolesWith(own, { ...offer, job: "ambulance", level: "dispatch", expires_at: 100 })).toContain("dispatcherOfAll");
  expect(withAllJobs(["member"], { job: "police" }, [own], 100)).toEqual(["member"]);
});

test("the job with the most patience decides how long nothing may happen", () => {
  expect(idleAt(1000, [60, 90])).toBe(1000 + 90 * minute);
});

test.each([
  ["DSP-12", 12],
  ["dsp 7", 7],
  [" dsp7 ", 7],
  ["12", null],
  ["DSP-", null],
])("the number of %s", (text, id) => expect(idOfRef(text)).toBe(id));

test("who is in a unit that is asked or works a call takes part in it, and dispatches no less", () => {
  expect([null, "view", "participate", "dispatch"].map((level) => levelOfCrew(level as CallLevel | null, true))).toEqual([
    "participate",
    "participate",
    "participate",
    "dispatch",
  ]);
  expect([null, "view"].map((level) => levelOfCrew(level as CallLevel | null, false))).toEqual([null, "view"]);
});
