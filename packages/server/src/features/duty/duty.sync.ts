import { bind, type Binding, type SyncKind } from "#core/feature.ts";
import { syncDuty } from "./duty.contract.ts";
import { countOnDuty } from "./duty.reads.ts";
import type { DutyReports } from "./duty.reports.service.ts";

export function dutySync(reports: DutyReports): { routes: Binding[]; kinds: SyncKind[] } {
  return {
    routes: [bind(syncDuty, async (call, { body }) => await reports.sync(call, body))],
    kinds: [{ kind: "duty", count: countOnDuty }],
  };
}
