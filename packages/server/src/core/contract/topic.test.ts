import { Type } from "typebox";
import { expect, test } from "vitest";
import { access } from "./access.ts";
import { defineTopic } from "./topic.ts";

const units = { name: "units", kind: "state", access: access.character(), message: Type.Object({ x: Type.Integer() }) } as const;

test("a state topic has a rate and an age, and keeps nothing unless it says so", () => {
  expect(defineTopic(units)).toEqual({ ...units, rate: 4, maxAgeMs: 900_000, keepLatest: false });
  const declared = { ...units, rate: 0.5, maxAgeMs: 30_000, keepLatest: true } as const;
  expect(defineTopic(declared)).toEqual(declared);
});

test("an event topic has none of them", () => {
  const event = { ...units, kind: "event" } as const;
  expect(defineTopic(event)).toEqual(event);
});

test("a rate or an age that cannot work is refused", () => {
  expect(() => defineTopic({ ...units, rate: 0 })).toThrow("topic units: rate must be more than 0");
  expect(() => defineTopic({ ...units, maxAgeMs: 99 })).toThrow("topic units: maxAgeMs must be at least 100");
});
