import { type DemoGrant, demoGrant } from "#core/demo.ts";

export const auditDemoGrants: readonly DemoGrant[] = [demoGrant("police", 5, "audit.view")];
