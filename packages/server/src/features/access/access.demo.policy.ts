import { type DemoGrant, demoGrant } from "#core/demo.ts";

export const accessDemoGrants: readonly DemoGrant[] = [
  demoGrant("police", 5, "access.viewRoles"),
  demoGrant("police", 6, "access.editRoles"),
  demoGrant("ambulance", 4, "access.editRoles"),
];
