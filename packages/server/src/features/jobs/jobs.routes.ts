import { bind, type Binding } from "#core/feature.ts";
import { listJobs } from "./jobs.contract.ts";
import type { JobsService } from "./jobs.service.ts";

export function jobsRoutes(service: JobsService): Binding[] {
  return [bind(listJobs, async () => await service.list())];
}
