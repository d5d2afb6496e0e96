import { describe, expect, it } from "vitest";
import type { Rights, Viewer } from "#core/actor.ts";
import type { DutyPerson } from "./duty.contract.ts";
import { visibleClass, visibleItems, visibleJobs } from "./duty.visible.policy.ts";

function viewer(jobs: readonly string[] | null, jobAdmin: Viewer["jobAdmin"] = null): Viewer {
  const rights: Rights = {
    epoch: "1",
    has: () => jobs !== null,
    attribute: () => jobs ?? undefined,
    all: () => ({}),
  };
  return { job: "police", jobAdmin, rights } as unknown as Viewer;
}

const item = (name: string, id = 1, deleted = false) => ({ id, deleted, job: { name } }) as DutyPerson;

describe("who is on duty is seen", () => {
  it("by everybody of the own job, and of others only as far as the right names them", () => {
    expect([...visibleJobs(viewer(null))!]).toEqual(["police"]);
    expect([...visibleJobs(viewer(["ambulance"]))!]).toEqual(["police", "ambulance"]);
    expect(visibleJobs(viewer(null, { reason: "", until: 1 }))).toBeNull();
  });

  it("by viewers of a class alike, without what is hidden from them", () => {
    const items = [item("police", 1), item("ambulance", 2), item("mechanic", 3)];
    const names = (jobs: readonly string[] | null) =>
      visibleItems(visibleJobs(viewer(jobs)), { items }).map(({ job }) => job.name);
    expect(names(null)).toEqual(["police"]);
    expect(names(["mechanic"])).toEqual(["police", "mechanic"]);
    expect(visibleItems(null, { items })).toHaveLength(3);
    expect(visibleClass(new Set(["b", "a"]))).toBe(visibleClass(new Set(["a", "b"])));
    expect(visibleClass(null)).not.toBe(visibleClass(new Set()));
  });

  it("as ended by those who see only the job before, and not by those who see the new one", () => {
    const change = { items: [item("ambulance", 7)], left: [item("police", 7, true)] };
    const seen = (jobs: readonly string[] | null) =>
      visibleItems(jobs && new Set(jobs), change).map(({ job, deleted }) => [job.name, deleted]);
    expect(seen(["police"])).toEqual([["police", true]]);
    expect(seen(["ambulance"])).toEqual([["ambulance", false]]);
    expect(seen(["police", "ambulance"])).toEqual([["ambulance", false]]);
    expect(seen(null)).toEqual([["ambulance", false]]);
    expect(seen(["mechanic"])).toEqual([]);
  });
});
