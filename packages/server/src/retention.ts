import type { Assembly } from "#core/assemble.ts";
import type { Ports } from "#core/feature.ts";
import type { RetentionRunner } from "#core/retention.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { createRetentionRunner } from "#infra/jobs/retention.ts";

/** What removes what is past its time, and says so in the audit trail. */
export function retentionOf(ports: Pick<Ports, "db" | "clock" | "logs" | "metrics">): (api: Assembly["api"]) => RetentionRunner {
  return (api) => createRetentionRunner({ ...ports, log: ports.logs.subsystem("cron"), record: api(auditApi).record });
}
