import type { DemoGrant } from "#core/demo.ts";
import { positionsPermissions } from "./positions.contract.ts";

/** 99 is higher than the grades of every job. */
const sees = (job: string, ...jobs: readonly string[]): DemoGrant => ({
  ...{ job, rank: 0, permission: positionsPermissions.view.id, allow: true },
  attributes: { jobs: Object.fromEntries(jobs.map((name) => [name, 99])) },
});

export const positionsDemoGrants: readonly DemoGrant[] = [
  sees("police", "police", "ambulance"),
  sees("ambulance", "ambulance", "police"),
  ...["mechanic", "taxi", "press", "family"].map((job) => sees(job, job)),
];
