import { defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RemoveOld, type RetentionHandler } from "#core/retention.ts";
import { assignmentsKeptMs } from "./assignments.contract.ts";

export const purgeAssignments = defineRetention({
  id: "assignments.purge",
  cron: "57 4 * * *",
  jitterMs: 600_000,
  steps: {
    ended: { tables: ["assignments"], kept: { ms: assignmentsKeptMs } },
    moves: { tables: ["assignments_moves"], kept: { ms: assignmentsKeptMs } },
  },
});

export function assignmentsRetention(remove: Readonly<Record<"ended" | "moves", RemoveOld>>): RetentionHandler {
  return bindRetention(purgeAssignments, remove);
}
