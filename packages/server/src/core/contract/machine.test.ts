import { describe, expect, test } from "vitest";
import { allowedEvents, defineStateMachine, eventsOf, nextState, StateMachineFault } from "./machine.ts";

const lamp = defineStateMachine({
  id: "house.lamp",
  initial: "off",
  states: ["off", "on", "broken"],
  transitions: [
    { event: "press", from: ["off"], to: "on" },
    { event: "press", from: ["on"], to: "off" },
    { event: "dust", from: ["off", "on"] },
    { event: "drop", from: ["off", "on"], to: "broken" },
  ],
});

describe("a state machine", () => {
  test("answers with the next state, and with null where the table has none", () => {
    expect(nextState(lamp, "off", "press")).toBe("on");
    expect(nextState(lamp, "on", "press")).toBe("off");
    expect(nextState(lamp, "on", "drop")).toBe("broken");
    expect(nextState(lamp, "broken", "press")).toBeNull();
  });

  test("keeps the state when a transition names no other", () => {
    expect(nextState(lamp, "on", "dust")).toBe("on");
    expect(nextState(lamp, "broken", "dust")).toBeNull();
  });

  test("lists what is possible in a state, and its events once", () => {
    expect(allowedEvents(lamp, "on")).toEqual(["press", "dust", "drop"]);
    expect(allowedEvents(lamp, "broken")).toEqual([]);
    expect(eventsOf(lamp)).toEqual(["press", "dust", "drop"]);
  });

  test("has types that refuse wrong names", () => {
    // @ts-expect-error: no such state
    expect(nextState(lamp, "dim", "press")).toBeNull();
    // @ts-expect-error: no such event
    expect(nextState(lamp, "on", "kick")).toBeNull();
    const wrong = () =>
      // @ts-expect-error: the target is not one of the states
      defineStateMachine({ id: "a.b", initial: "x", states: ["x"], transitions: [{ event: "go", from: ["x"], to: "y" }] });
    expect(wrong).toThrow(StateMachineFault);
  });
});

/** Tables that the types do not refuse. */
const table = (states: string[], transitions: { event: string; from: string[]; to?: string }[], initial = "a") => {
  return () => defineStateMachine({ id: "x.y", initial, states, transitions });
};

describe("a table is refused when it is defined", () => {
  test.each<[string, () => unknown, string]>([
    ["an unreachable state", table(["a", "b"], [{ event: "go", from: ["b"], to: "a" }]), "nothing leads to the state b"],
    ["a state that leads only to itself", table(["a", "b"], [{ event: "go", from: ["b"], to: "b" }]), "nothing leads to"],
    ["an unknown target", table(["a"], [{ event: "go", from: ["a"], to: "b" }]), "go names the state b"],
    ["an unknown origin", table(["a"], [{ event: "go", from: ["b"], to: "a" }]), "go names the state b"],
    ["an unknown beginning", table(["a"], [], "b"), "it begins in b"],
    ["a state twice", table(["a", "a"], []), "listed twice"],
    ["an event of no state", table(["a"], [{ event: "go", from: [], to: "a" }]), "possible in no state"],
    [
      "an event with two results",
      table(
        ["a", "b"],
        [
          { event: "go", from: ["a"], to: "b" },
          { event: "go", from: ["a"], to: "a" },
        ],
      ),
      "go leads to two states from a",
    ],
    [
      "an event that stays and goes",
      table(
        ["a", "b"],
        [
          { event: "go", from: ["a"], to: "b" },
          { event: "go", from: ["b", "a"] },
        ],
      ),
      "go leads to two states from a",
    ],
  ])("%s", (_what, define, problem) => {
    expect(define).toThrow(problem);
  });

  test("a chain of transitions reaches its end", () => {
    const chain = table(
      ["a", "b", "c"],
      [
        { event: "next", from: ["b"], to: "c" },
        { event: "next", from: ["a"], to: "b" },
      ],
    );
    expect(chain).not.toThrow();
  });
});
