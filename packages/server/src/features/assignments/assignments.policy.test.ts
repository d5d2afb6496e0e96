import { describe, expect, test } from "vitest";
import { graceMs } from "./assignments.contract.ts";
import { type AssignmentState } from "./assignments.machine.ts";
import {
  type AssignmentFacts,
  dispatcherMoves,
  inOrder,
  memberMoves,
  offerWindow,
  progressOf,
  requireFits,
  standingOf,
} from "./assignments.policy.ts";

let unit = 0;
const row = (state: AssignmentState, more: Partial<AssignmentFacts> = {}): AssignmentFacts => ({
  unit_id: (unit += 1),
  state,
  ended_marker: ["offered", "accepted", "enRoute", "onScene"].includes(state) ? 0 : 1,
  needs_help: 0,
  accepted_at: state === "offered" || state === "declined" || state === "expired" ? null : 100,
  state_at: 100,
  until: null,
  ...more,
});

describe("what people may do to a unit on a call", () => {
  const all = ["offered", "accepted", "enRoute", "onScene", "done", "declined", "expired", "withdrawn", "left"];

  test.each([
    ["offered", ["accept", "decline"], ["withdraw"]],
    ["accepted", ["progress", "finish", "handBack"], ["progress", "finish", "handBack"]],
    ["enRoute", ["progress", "finish", "handBack"], ["progress", "finish", "handBack"]],
    ["onScene", ["progress", "finish", "handBack"], ["progress", "finish", "handBack"]],
    ...all.slice(4).map((state) => [state, [], []] as const),
  ] as const)("%s", (state, member, dispatcher) => {
    expect(memberMoves(state, "manual")).toEqual(member);
    expect(dispatcherMoves(state)).toEqual(dispatcher);
    expect(memberMoves(state, "central")).toEqual(member.filter((move) => move !== "handBack"));
  });

  test("is refused where the state does not fit", () => {
    const about = { unit: "Adam 1", id: "DSP-12" };
    const late = row("offered", { until: 100 });
    expect(() => requireFits(late, "accept", about, 100 + graceMs)).not.toThrow();
    expect(() => requireFits(late, "accept", about, 101 + graceMs)).toThrow("assignments.notOffered");
    expect(() => requireFits(row("enRoute"), "accept", about, 0)).toThrow("assignments.notOffered");
    expect(() => requireFits(row("enRoute"), "withdraw", about, 0)).toThrow("assignments.notOffered");
    expect(() => requireFits(row("offered"), "finish", about, 0)).toThrow("assignments.notWorking");
    expect(() => requireFits(row("onScene"), "setEnRoute", about, 0)).not.toThrow();
  });
});

test("a call shows its furthest unit, and one that needs help before all others", () => {
  expect(progressOf([])).toBeNull();
  expect(progressOf([row("declined"), row("left")])).toBeNull();
  expect(progressOf([row("offered"), row("onScene"), row("accepted")])).toBe("onScene");
  expect(progressOf([row("onScene"), row("accepted", { needs_help: 1 })])).toBe("needsHelp");
  const early = row("enRoute", { state_at: 50 });
  const rows = [row("offered"), row("enRoute"), early, row("done")];
  expect(inOrder(rows)).toEqual([early, rows[1], rows[0]]);
});

describe("what a unit is to a call", () => {
  const first = row("enRoute", { accepted_at: 100 });
  const second = row("accepted", { accepted_at: 200 });

  test("the first that accepted and still works it", () => {
    expect(standingOf([second, first], first.unit_id, { openedAt: 0, open: true })).toEqual({
      accepted: true,
      roles: ["member", "firstUnit"],
    });
    expect(standingOf([second, first], second.unit_id, { openedAt: 0, open: true }).roles).toEqual(["member"]);
    const left: AssignmentFacts = { ...first, state: "left", ended_marker: 1 };
    expect(standingOf([left, second], second.unit_id, { openedAt: 0, open: true }).roles).toEqual(["member", "firstUnit"]);
    expect(standingOf([left, second], left.unit_id, { openedAt: 0, open: true }).roles).toEqual([]);
  });

  test("a unit that is done stays a member, and what was before the call was opened again does not count", () => {
    const done: AssignmentFacts = { ...first, state: "done", ended_marker: 1 };
    expect(standingOf([done], done.unit_id, { openedAt: 0, open: false })).toEqual({ accepted: true, roles: ["member"] });
    expect(standingOf([done], done.unit_id, { openedAt: 0, open: true }).roles).toEqual([]);
    expect(standingOf([done], done.unit_id, { openedAt: 150, open: false })).toEqual({ accepted: false, roles: [] });
    const cancelled: AssignmentFacts = { ...first, state: "withdrawn", ended_marker: 1 };
    expect(standingOf([cancelled], cancelled.unit_id, { openedAt: 0, open: false }).roles).toEqual(["member"]);
    expect(standingOf([row("withdrawn", { accepted_at: null })], unit, { openedAt: 0, open: false }).roles).toEqual([]);
    expect(standingOf([row("offered")], unit, { openedAt: 0, open: false })).toEqual({ accepted: false, roles: [] });
  });
});

test("an offer of an urgent call is open for 15 seconds, of another one for 30", () => {
  expect(offerWindow(1)).toBe(15_000);
  expect(offerWindow(2)).toBe(30_000);
});
