import { type DemoGrant, demoGrant } from "#core/demo.ts";
import type { OnDuty } from "#features/duty/duty.api.ts";
import type { UnitContent } from "./units.contract.ts";
import type { BaseKind } from "./units.machine.ts";
import type { StatusContent } from "./units.statuses.contract.ts";

/** Members make temporary units; leaders put lower grades into units, chiefs set everything up. */
function grantsOf(job: string, leader: number, chief: number, sees: string): DemoGrant[] {
  return [
    { ...demoGrant(job, 0, "units.view"), attributes: { jobs: [sees] } },
    demoGrant(job, 0, "units.temporary"),
    { ...demoGrant(job, leader, "units.assign"), attributes: { whose: ["lower"] } },
    { ...demoGrant(job, chief, "units.assign"), attributes: { whose: ["any"] } },
    demoGrant(job, leader, "units.status"),
    demoGrant(job, chief, "units.manage"),
    demoGrant(job, chief, "units.export"),
  ];
}

export const unitsDemoGrants: readonly DemoGrant[] = [
  ...grantsOf("police", 3, 5, "ambulance"),
  ...grantsOf("ambulance", 3, 4, "police"),
];

const unit = (name: string, initials: string, colour: string, more: Partial<UnitContent> = {}): UnitContent => ({
  ...{ name, callsign: initials, initials, colour, icon: "tabler:car", homePostal: null, tags: [], roles: [] },
  ...{ minCrew: 1, maxCrew: 4, isStatic: false, radio: null },
  ...more,
});

export interface DemoUnit {
  readonly content: UnitContent;
  /** How many of those on duty are in it, and what its status then is. */
  readonly crew: number;
  readonly base: BaseKind;
  /** Place in the statuses of the job. */
  readonly status?: number;
}

export interface DemoJob {
  readonly job: string;
  readonly statuses: readonly StatusContent[];
  readonly units: readonly DemoUnit[];
}

export const demoJobs: readonly DemoJob[] = [
  {
    job: "police",
    statuses: [
      { name: "Traffic stop", base: "busy", colour: "#b45309", icon: "tabler:traffic-cone" },
      { name: "Lunch", base: "break", colour: "#7c3aed", icon: null },
    ],
    units: [
      { content: unit("Adam 1", "A1", "#2563eb", { tags: ["patrol"], roles: ["Driver", "Medic"] }), crew: 2, base: "available" },
      { content: unit("Adam 2", "A2", "#2563eb", { tags: ["patrol"] }), crew: 1, base: "busy", status: 0 },
      { content: unit("Air 1", "Air", "#0f766e", { minCrew: 2, tags: ["helicopter"] }), crew: 0, base: "unavailable" },
      { content: unit("Front desk", "FD", "#475569", { icon: "tabler:building", isStatic: true }), crew: 0, base: "unavailable" },
    ],
  },
  {
    job: "ambulance",
    statuses: [{ name: "At hospital", base: "busy", colour: "#be123c", icon: null }],
    units: [
      { content: unit("Medic 1", "M1", "#be123c", { icon: "tabler:ambulance", tags: ["advanced"] }), crew: 1, base: "available" },
      { content: unit("Medic 2", "M2", "#be123c", { icon: "tabler:ambulance" }), crew: 0, base: "unavailable" },
    ],
  },
];

/** Who of those on duty is in which unit; somebody stays without one. */
export function demoCrews(units: readonly DemoUnit[], onDuty: readonly Pick<OnDuty, "citizenId">[]): number[][] {
  const free = onDuty.map(({ citizenId }) => citizenId);
  return units.map(({ crew }) => free.splice(0, crew));
}
