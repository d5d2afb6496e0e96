import { Type } from "typebox";
import { defineJob } from "#core/contract/index.ts";
import type { JobHandler } from "#core/feature.ts";
import type { FilesCleaner } from "./files.clean.service.ts";

const jitterMs = 60_000;

/** Takes away what nothing has referred to for a day, and what was deleted. */
export const cleanFiles = defineJob({ id: "files.clean", payload: Type.Object({}), schedule: "23 * * * *", jitterMs });

/** Looks through the whole storage for objects that belong to no file. */
export const sweepFiles = defineJob({ id: "files.sweep", payload: Type.Object({}), schedule: "17 4 * * *", jitterMs });

/** Recurs as `storage.metricsInterval` says, while `storage.metricsEnabled` does. */
export const measureFiles = defineJob({ id: "files.measure", payload: Type.Object({}), missed: "skip" });

export function filesJobs(
  cleaner: FilesCleaner,
  measure: () => Promise<void>,
  { metricsEnabled, metricsInterval }: { readonly metricsEnabled: boolean; readonly metricsInterval: number },
): JobHandler[] {
  return [
    { job: cleanFiles, run: async (_payload, signal) => await cleaner.clean(signal) },
    { job: sweepFiles, run: async (_payload, signal) => await cleaner.sweep(signal) },
    { job: measureFiles, ...(metricsEnabled ? { everyMs: metricsInterval } : {}), run: async () => await measure() },
  ];
}
