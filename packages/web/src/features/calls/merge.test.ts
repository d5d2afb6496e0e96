import { expect, test } from "vitest";
import { exampleCall } from "@rollcall/server/contract/calls";
import type { Call } from "./calls.queries.ts";
import { differInJobs, distanceOf, mergeable, olderOf } from "./merge.ts";
import { idOfRef } from "./ref.ts";

const call = (id: number, more: Partial<Call> = {}): Call => ({ ...exampleCall, id, place: { x: 0, y: 0 }, ...more });
const type = { ...exampleCall.type!, id: 9 };

test("calls of the same type come first, then the nearest, those without a place last", () => {
  const found = mergeable(call(1), [
    call(1),
    call(2, { place: { x: 900, y: 0 } }),
    call(3, { place: { x: 3, y: 4 } }),
    call(4, { place: null }),
    call(5, { type, place: { x: 1, y: 0 } }),
    call(6, { place: null }),
    call(7, { state: "completed" }),
    call(8, { may: [] }),
  ]);
  expect(found.map(({ id }) => id)).toEqual([3, 2, 6, 4, 5]);
});

test("the older one stays, and places are compared in metres", () => {
  const [a, b] = [call(1, { createdAt: 20 }), call(2, { createdAt: 10, place: { x: 3, y: 4 } })];
  expect([olderOf(a, b), olderOf(b, a)]).toEqual([b, b]);
  expect(olderOf(call(2), call(1)).id).toBe(1);
  expect([distanceOf(a, b), distanceOf(a, call(3, { place: null }))]).toEqual([5, null]);
});

test("a number is typed as people read it", () => {
  expect(["DSP-12", "dsp 7", " dsp7 ", "12", "DSP-", "DSP-1 A"].map(idOfRef)).toEqual([12, 7, 7, null, null, null]);
});

test("jobs are united where they differ", () => {
  const job = (name: string) => ({ name, label: name });
  const [a, b] = [call(1, { jobs: [job("police")] }), call(2, { jobs: [job("police"), job("tow")] })];
  expect([differInJobs(a, b), differInJobs(b, a), differInJobs(a, a)]).toEqual([true, true, false]);
});
