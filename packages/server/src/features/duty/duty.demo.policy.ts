import { type DemoGrant, demoGrant } from "#core/demo.ts";

/** Police, ambulance and mechanics see who is on duty with the others; leaders decide how duty begins. */
export const dutyDemoGrants: readonly DemoGrant[] = [
  ...["police", "ambulance", "mechanic"].map((job) => ({
    ...demoGrant(job, 0, "duty.view"),
    attributes: { jobs: ["police", "ambulance", "mechanic"].filter((other) => other !== job) },
  })),
  demoGrant("police", 5, "duty.manage"),
  demoGrant("police", 5, "duty.export"),
  demoGrant("ambulance", 4, "duty.manage"),
];
