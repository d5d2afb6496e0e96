import { describe, expect, it } from "vitest";
import { foldedJobs, meaningsOf } from "./jobs.meanings.policy.ts";

const names = { offDutyNames: [], notOffDuty: [], unemployed: ["unemployed"] };
const of = (name: string, jobs: string[], settings = {}, held: string[] = []) =>
  meaningsOf(jobs, { ...names, ...settings }).of(name, held);

describe("jobs whose names read as another one, off duty", () => {
  const folded = (jobs: string[], settings = {}) => foldedJobs(jobs, { ...names, ...settings });

  it("are found, unless the settings say what they mean", () => {
    expect(folded(["road", "offroad", "police", "office", "off"])).toEqual([{ name: "offroad", job: "road" }]);
    expect(folded(["road", "offroad"], { notOffDuty: ["offroad"] })).toEqual([]);
    expect(folded(["road", "offroad"], { offDutyNames: ["offroad:road"] })).toEqual([]);
    expect(folded(["road", "offroad"], { offDutyNames: ["offroad:tarmac"] })).toEqual([]);
  });
});

describe("the name of a job", () => {
  it("means an existing job, off duty, with off before it, also where a job of that name exists", () => {
    expect(of("offpolice", ["police"])).toEqual({ job: "police", offDuty: true });
    expect(of("offpolice", ["police", "offpolice"])).toEqual({ job: "police", offDuty: true });
    expect(of("police", ["police"])).toEqual({ job: "police", offDuty: false });
  });

  it("means itself where no such job exists, or the settings say so", () => {
    expect(of("office", ["police"])).toEqual({ job: "office", offDuty: false });
    expect(of("office", ["ice"], { notOffDuty: ["office"] })).toEqual({ job: "office", offDuty: false });
    expect(of("off", ["police", ""])).toEqual({ job: "off", offDuty: false });
  });

  it("may be another one of the settings, of a job that exists", () => {
    const settings = { offDutyNames: ["medic_free:ambulance"] };
    expect(of("medic_free", ["ambulance"], settings)).toEqual({ job: "ambulance", offDuty: true });
    expect(of("medic_free", ["police"], settings)).toEqual({ job: "medic_free", offDuty: false });
  });

  it("is known of a job that somebody holds before the game has sent it", () => {
    expect(of("offpolice", [])).toEqual({ job: "offpolice", offDuty: false });
    expect(of("offpolice", [], {}, ["police"])).toEqual({ job: "police", offDuty: true });
  });

  it("is work unless the settings say otherwise", () => {
    const { isWork, exists } = meaningsOf(["police", "unemployed"], names);
    expect([isWork("police"), isWork("unemployed"), exists("police"), exists("offpolice")]).toEqual([true, false, true, false]);
  });
});
