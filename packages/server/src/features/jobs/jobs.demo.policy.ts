import { type DemoGrant, demoGrant } from "#core/demo.ts";

export const jobsDemoGrants: readonly DemoGrant[] = [
  demoGrant("police", 5, "jobs.properties"),
  demoGrant("police", 5, "jobs.message"),
  demoGrant("ambulance", 4, "jobs.properties"),
  demoGrant("ambulance", 3, "jobs.message"),
];
