import { type DemoGrant, demoGrant } from "#core/demo.ts";
import { gradeRule, type GroupContent } from "./jobgroups.base.contract.ts";

/** Members see the groups, leaders put people into them, chiefs set them up. */
function grantsOf(job: string, leader: number, chief: number): DemoGrant[] {
  return [
    demoGrant(job, 0, "jobgroups.list"),
    demoGrant(job, leader, "jobgroups.members"),
    demoGrant(job, chief, "jobgroups.manage"),
  ];
}

export const jobgroupsDemoGrants: readonly DemoGrant[] = [...grantsOf("police", 3, 6), ...grantsOf("ambulance", 3, 4)];

/** The job of which the demo city has groups. */
export const demoJob = "police";

const rest = { rules: [], contains: [] };

/** By grade, from the third highest on; the others get their people by hand, or from the groups in them. */
export function demoGroups(grades: readonly number[]): GroupContent[] {
  const from = grades.toSorted((a, b) => b - a)[2] ?? 0;
  return [
    {
      ...{ name: "Command staff", short: "CMD", colour: "#b45309", icon: "tabler:star" },
      ...{ description: "Everybody of the three highest grades.", membership: "rule" },
      ...{ rules: [{ kind: gradeRule, id: null, from, to: null }], contains: [] },
    },
    {
      ...{ name: "Field training", short: "FTO", colour: "#2563eb", icon: "tabler:school" },
      ...{ description: "Trainers of new members, chosen by the command staff.", membership: "hand", ...rest },
    },
    {
      ...{ name: "Planning", short: "PLAN", colour: "#0f766e", icon: "tabler:calendar" },
      ...{ description: "Plans the week: command staff and trainers together.", membership: "both", ...rest },
    },
  ];
}

/** Places in the groups. */
export const demoPlaces = { command: 0, training: 1, planning: 2 } as const;
