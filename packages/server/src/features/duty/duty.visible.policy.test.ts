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

const item = (name: string) => ({ job: { name } }) as DutyPerson;

describe("who is on duty is seen", () => {
  it("by everybody of the own job, and of others only as far as the right names them", () => {
    expect([...visibleJobs(viewer(null))!]).toEqual(["police"]);
    expect([...visibleJobs(viewer(["ambulance"]))!]).toEqual(["police", "ambulance"]);
    expect(visibleJobs(viewer(null, { reason: "", until: 1 }))).toBeNull();
  });

  it("by viewers of a class alike, without what is hidden from them", () => {
    const items = [item("police"), item("ambulance"), item("mechanic")];
    const names = (jobs: readonly string[] | null) => visibleItems(visibleJobs(viewer(jobs)), items).map(({ job }) => job.name);
    expect(names(null)).toEqual(["police"]);
    expect(names(["mechanic"])).toEqual(["police", "mechanic"]);
    expect(visibleItems(null, items)).toHaveLength(3);
    expect(visibleClass(new Set(["b", "a"]))).toBe(visibleClass(new Set(["a", "b"])));
    expect(visibleClass(null)).not.toBe(visibleClass(new Set()));
  });
});
