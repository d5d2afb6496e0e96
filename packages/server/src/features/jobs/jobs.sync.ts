import { bind, type Binding, type SyncKind } from "#core/feature.ts";
import { syncJobs } from "./jobs.contract.ts";
import type { JobsService } from "./jobs.service.ts";

export function jobsSync(service: JobsService): { routes: Binding[]; kinds: SyncKind[] } {
  return {
    routes: [bind(syncJobs, async (call, { body }) => await service.sync(call, body))],
    kinds: [{ kind: "jobs", count: service.count }],
  };
}
