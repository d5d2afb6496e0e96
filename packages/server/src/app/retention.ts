import type { Assembly } from "#core/assemble.ts";
import type { Ports } from "#core/feature.ts";
import type { RetentionRunner } from "#core/retention.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { createRetentionRunner } from "#infra/schedules/index.ts";

/** Creates the runner that removes expired rows and records that in the audit log. */
export function retentionOf(ports: Pick<Ports, "db" | "clock" | "logs" | "metrics">): (api: Assembly["api"]) => RetentionRunner {
  return (api) =>
    createRetentionRunner({
      ...ports,
      log: ports.logs.subsystem("cron"),
      record: async (...args) => await api(auditApi).record(...args),
    });
}
