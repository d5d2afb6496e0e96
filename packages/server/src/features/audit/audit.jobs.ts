import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RetentionHandler } from "#core/retention.ts";
import type { RetentionService } from "./audit.retention.service.ts";

const kept = { option: "audit.retentionDays" } as const;
const atOnce = 2000;

/** Entries, then what led to them from their words, then words that none has any more. */
export const auditRetention = defineRetention({
  id: "audit.retention",
  schedule: "17 3 * * *",
  jitterMs: 600_000,
  steps: {
    entries: { tables: ["audit_entries"], kept, atOnce, audited: true },
    postings: { tables: ["audit_postings"], kept, atOnce },
    words: { tables: ["audit_words", "audit_suffixes"], kept, atOnce },
  },
});

export function auditRetentionOf(service: RetentionService, retentionDays: number): RetentionHandler {
  const keptMs = () => days(retentionDays);
  return bindRetention(auditRetention, {
    entries: { keptMs, remove: service.entries },
    postings: { keptMs, remove: service.postings },
    words: { keptMs, remove: service.words },
  });
}
