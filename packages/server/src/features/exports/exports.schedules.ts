import { defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RetentionHandler } from "#core/retention.ts";
import { keptMs } from "./exports.contract.ts";
import type { ExportsService } from "./exports.service.ts";

export const purgeExports = defineRetention({
  id: "exports.purge",
  cron: "41 * * * *",
  jitterMs: 60_000,
  steps: { exports: { tables: ["exports"], kept: { ms: keptMs }, atOnce: 100 } },
});

export function exportsRetention(service: ExportsService): RetentionHandler {
  return bindRetention(purgeExports, {
    exports: async (tx, before, limit) => await service.removeOld(tx, before, limit),
  });
}
