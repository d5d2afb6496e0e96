import { type DemoGrant, demoGrant } from "#core/demo.ts";

export const citizensDemoGrants: readonly DemoGrant[] = [
  ...["police", "ambulance", "justice"].map((job) => demoGrant(job, 0, "citizens.view")),
  demoGrant("police", 0, "citizens.list", ["job", "phone", "licences"]),
  demoGrant("police", 5, "citizens.list", ["job", "phone", "licences", "visum", "playtime"]),
  demoGrant("ambulance", 0, "citizens.list", ["phone"]),
  demoGrant("ambulance", 3, "citizens.list", ["phone", "job"]),
  demoGrant("justice", 0, "citizens.list", ["job", "licences"]),
  demoGrant("justice", 3, "citizens.list", ["job", "phone", "licences", "visum"]),
  demoGrant("taxi", 0, "citizens.list", ["phone"]),
  demoGrant("press", 1, "citizens.list", ["job"]),
];
