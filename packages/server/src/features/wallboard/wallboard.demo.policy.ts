import { type DemoGrant, demoGrant } from "#core/demo.ts";

/** Chiefs of the jobs with a dispatch centre. Links are secrets that nobody could know, so there are none. */
export const wallboardDemoGrants: readonly DemoGrant[] = [
  demoGrant("police", 5, "wallboard.manage"),
  demoGrant("ambulance", 4, "wallboard.manage"),
];
