import { type DemoGrant, demoGrant } from "#core/demo.ts";
import type { CharacterWithJobs } from "#features/citizens/citizens.reads.ts";

/** Police, ambulance and mechanics see who is on duty with the others; leaders decide how duty begins. */
export const dutyDemoGrants: readonly DemoGrant[] = [
  ...["police", "ambulance", "mechanic"].map((job) => ({
    ...demoGrant(job, 0, "duty.view"),
    attributes: { jobs: ["police", "ambulance", "mechanic"].filter((other) => other !== job) },
  })),
  demoGrant("police", 5, "duty.manage"),
  demoGrant("police", 5, "duty.export"),
  demoGrant("police", 5, "duty.statistics"),
  demoGrant("ambulance", 4, "duty.manage"),
  demoGrant("mechanic", 3, "duty.manage"),
];

/** How many of each job are on duty at first. */
const onDuty: Readonly<Record<string, number>> = { police: 4, ambulance: 2, mechanic: 2 };
const minute = 60_000;

export interface DemoDuty {
  readonly id: number;
  readonly licence: string;
  readonly job: string;
  readonly grade: number;
  /** How long ago it began. Milliseconds. */
  readonly agoMs: number;
}

/** Who of these people is on duty, in the first of their jobs: the last ones, some for minutes and some for hours. */
export function demoDuties(people: readonly CharacterWithJobs[]): DemoDuty[] {
  return Object.entries(onDuty).flatMap(([name, count]) => {
    const members = people.filter(({ jobs: [first] }) => first?.job === name).slice(-count);
    return members.map(({ id, licence, jobs: [first] }, i) => {
      return { id, licence, job: name, grade: first?.grade ?? 0, agoMs: (7 + 41 * i) * minute };
    });
  });
}
