import { type DemoGrant, demoGrant } from "#core/demo.ts";

const own = (job: string): DemoGrant => ({ ...demoGrant(job, 0, "positions.view"), attributes: { jobs: { [job]: 100 } } });

/** Each force sees its own people. */
export const positionsDemoGrants: readonly DemoGrant[] = [own("police"), own("ambulance")];
