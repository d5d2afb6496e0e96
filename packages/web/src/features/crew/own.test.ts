import { expect, test } from "vitest";
import { exampleCall } from "@rollcall/server/contract/calls";
import type { Call, UnitOnCall } from "@rollcall/server/contract/calls";
import { ownCalls, remaining } from "./own.ts";

const on = (id: number, state: UnitOnCall["state"], more: Partial<UnitOnCall> = {}): UnitOnCall => ({
  ...{
    id,
    version: 1,
    unit: { id: 7, name: "Adam 1", callsign: null, colour: "#2563eb", job: { name: "police", label: "Police" } },
  },
  ...{ state, needsHelp: false, since: 1_000, until: null, mine: true, may: [] },
  ...more,
});
const call = (id: number, ...units: UnitOnCall[]): Call => ({ ...exampleCall, id, units });

test("offers come by their end, work as the server orders it, and nothing of other units", () => {
  const calls = [
    call(1, on(11, "onScene"), on(12, "offered", { mine: false })),
    call(2, on(21, "accepted")),
    call(3, on(31, "offered", { until: 9_000 })),
    call(4, on(41, "offered", { until: 5_000 })),
    call(5, on(51, "enRoute", { mine: false })),
  ];
  const { offers, works } = ownCalls(calls);
  expect([offers.map((one) => one.call.id), works.map((one) => one.call.id)]).toEqual([
    [4, 3],
    [1, 2],
  ]);
});

test.each([
  [1_000, { left: 8_000, share: 1 }],
  [7_000, { left: 2_000, share: 0.25 }],
  [9_000, { left: 0, share: 0 }],
  [12_000, { left: 0, share: 0 }],
  // The device's clock is behind.
  [500, { left: 8_500, share: 1 }],
])("what is left of an offer at %i", (now, left) => {
  expect(remaining({ since: 1_000, until: 9_000 }, now)).toEqual(left);
});
