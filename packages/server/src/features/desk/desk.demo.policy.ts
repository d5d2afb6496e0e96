import { type DemoGrant, demoGrant } from "#core/demo.ts";

/** From the rank from which people dispatch calls; chiefs do it from outside of the game, too. */
export const deskDemoGrants: readonly DemoGrant[] = [
  demoGrant("police", 2, "desk.open"),
  demoGrant("police", 5, "desk.offDuty"),
  demoGrant("ambulance", 2, "desk.open"),
  demoGrant("ambulance", 4, "desk.offDuty"),
];
