import { describe, expect, it } from "vitest";
import type { AttributeValue } from "#core/contract/index.ts";
import type { Rights } from "#core/actor.ts";
import {
  arrivedAt,
  aspectOf,
  classOf,
  isCurrent,
  isOpen,
  type KnownPlace,
  type CurrentDuty,
  placeIn,
  reportsOf,
  shown,
  scopeOf,
} from "./positions.policy.ts";

const place: KnownPlace = {
  id: 12,
  x: 1,
  y: 2,
  z: null,
  heading: null,
  speed: null,
  vehicle: null,
  postal: "204",
  hidden: false,
  source: "city",
  boot: "b1",
  takenAt: 100,
};
const duty: CurrentDuty = {
  name: "Mara Lind",
  job: { name: "police", label: "Police", grade: 2, gradeLabel: "Officer" },
  state: "on",
};
const admin = { reason: "", until: 1 };

function scope(jobs: AttributeValue | undefined, open = true, jobAdmin: typeof admin | null = null) {
  const rights = { attribute: () => jobs } as unknown as Rights;
  return scopeOf({ jobAdmin, rights }, open);
}

describe("a place is shown", () => {
  it.each<[string, AttributeValue | undefined, boolean, boolean]>([
    ["of a grade up to the highest one", { police: 2 }, true, true],
    ["not of a higher grade", { police: 1 }, true, false],
    ["of a listed grade", { police: [2] }, true, true],
    ["not of one between those listed", { police: [1, 3] }, true, false],
    ["not of another job", { ambulance: 5 }, true, false],
    ["not without the attribute", undefined, true, false],
    ["not to who has no open place", { police: 2 }, false, false],
  ])("%s", (_name, jobs, open, seen) => {
    expect(shown(scope(jobs, open), duty, place) !== null).toBe(seen);
  });

  it("never when it is hidden, or its person is off duty, also to a job admin", () => {
    const all = scope(undefined, false, admin);
    expect(shown(all, duty, place)).not.toBeNull();
    expect(shown(all, duty, { ...place, hidden: true })).toBeNull();
    expect(shown(all, null, place)).toBeNull();
  });

  it("without what only processes know", () => {
    expect(Object.keys(shown(scope({ police: 2 }), duty, place)!).toSorted()).toEqual(
      ["grade", "heading", "job", "name", "postal", "speed", "state", "vehicle", "x", "y", "z"].toSorted(),
    );
  });
});

describe("viewers", () => {
  it("share a class when they see the same, in whatever order the jobs are named", () => {
    expect(classOf(scope({ a: 1, b: 2 }))).toBe(classOf(scope({ b: 2, a: 1 })));
    expect(classOf(scope({ a: 1 }))).not.toBe(classOf(scope({ a: 2 })));
    expect(classOf(scope({ a: 1 }, false))).toBe("none");
    expect(classOf(scope(undefined, false, admin))).toBe("all");
  });

  it("have an open place on duty, while it is known and not hidden", () => {
    const officer = { job: "police" };
    expect(isOpen(duty, place, officer)).toBe(true);
    expect(isOpen(duty, place, { job: "taxi" })).toBe(false);
    expect(isOpen(null, place, officer)).toBe(false);
    expect(isOpen(duty, null, officer)).toBe(false);
    expect(isOpen(duty, { ...place, hidden: true }, officer)).toBe(false);
  });
});

describe("a place that was removed", () => {
  const gone = { id: 12, gone: true, source: "city", boot: "b1", takenAt: 100 } as const;

  it("is no place, and decides as if there were none, and keeps the order of the positions", () => {
    expect([placeIn(gone), placeIn(null), placeIn(place)]).toEqual([null, null, place]);
    expect([gone, null, place, { ...place, hidden: true }].map(aspectOf)).toEqual(["none", "none", "open", "hidden"]);
    expect([isCurrent(gone, { ...gone, takenAt: 99 }), isCurrent(gone, { ...gone, takenAt: 100 })]).toEqual([false, true]);
  });
});

describe("a position counts", () => {
  const from = (takenAt: number, more = {}) => ({ source: "city", boot: "b1", takenAt, ...more });

  it("by the clock of its source within one boot, of equal instants the later one, and always in another", () => {
    expect(isCurrent(null, from(1))).toBe(true);
    expect(isCurrent(place, from(99))).toBe(false);
    expect(isCurrent(place, from(100))).toBe(true);
    expect(isCurrent(place, from(101))).toBe(true);
    expect(isCurrent(place, from(1, { boot: "b2" }))).toBe(true);
    expect(isCurrent(place, from(1, { source: "other" }))).toBe(true);
  });

  it("in the order of arrival where its call does not say when, also after a process whose clock is ahead", () => {
    const later = arrivedAt({ ...place, takenAt: 1_000_900 }, place, 1_000_000);
    expect(isCurrent({ ...place, takenAt: 1_000_900 }, from(later))).toBe(true);
    expect(arrivedAt(place, place, 1_000_000)).toBe(1_000_000);
    expect(arrivedAt({ ...place, boot: "b0", takenAt: 9_000_000 }, place, 1_000_000)).toBe(1_000_000);
  });
});

it.each([
  [null, false, false, "never"],
  [null, false, true, "demo"],
  [{ at: 1, isSilent: true }, false, false, "silent"],
  [{ at: 1, isSilent: true }, true, false, "silent"],
  [{ at: 1, isSilent: true }, true, true, "demo"],
  [{ at: 1, isSilent: false }, false, false, "nobody"],
  [{ at: 1, isSilent: false }, false, true, "nobody"],
  [{ at: 1, isSilent: false }, true, true, "places"],
] as const)(
  "after the last report %o, with a place that is known (%s), in the demo city (%s), game servers report: %s",
  (last, isKnown, isDemo, said) => expect(reportsOf(last, isKnown, isDemo)).toBe(said),
);
