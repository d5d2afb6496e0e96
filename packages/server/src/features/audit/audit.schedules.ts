import { days, defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RetentionHandler } from "#core/retention.ts";
import type { AuditRetention } from "./audit.retention.service.ts";

const kept = { option: "audit.retentionDays" } as const;
const atOnce = 2000;

/** Removes entries, then their postings, then words that no entry uses any more. */
export const auditRetention = defineRetention({
  id: "audit.retention",
  cron: "17 3 * * *",
  jitterMs: 600_000,
  steps: {
    entries: { tables: ["audit_entries"], kept, atOnce, audited: true },
    postings: { tables: ["audit_postings"], kept, atOnce },
    words: { tables: ["audit_words", "audit_suffixes"], kept, atOnce },
  },
});

export function auditRetentionOf(service: AuditRetention, retentionDays: number): RetentionHandler {
  const keptMs = () => days(retentionDays);
  return bindRetention(auditRetention, {
    entries: { keptMs, remove: async (tx, before, limit) => await service.removeEntries(tx, before, limit) },
    postings: { keptMs, remove: async (tx, before, limit) => await service.removePostings(tx, before, limit) },
    words: { keptMs, remove: async (tx, before, limit) => await service.removeWords(tx, before, limit) },
  });
}
