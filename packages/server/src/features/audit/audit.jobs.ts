import { Type } from "typebox";
import { defineJob } from "#core/contract/index.ts";
import type { JobHandler } from "#core/feature.ts";
import type { createRetention } from "./audit.retention.service.ts";

/** Removes entries older than `audit.retentionDays`, every night. */
export const auditRetention = defineJob({
  id: "audit.retention",
  payload: Type.Object({}),
  schedule: "17 3 * * *",
  jitterMs: 600_000,
});

export function auditJobs(prune: ReturnType<typeof createRetention>): JobHandler[] {
  const actor = { kind: "system", name: auditRetention.id } as const;
  return [{ job: auditRetention, run: async (_payload, signal) => void (await prune(actor, signal)) }];
}
