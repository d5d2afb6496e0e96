import { Type } from "typebox";
import { defineJob, defineRetention } from "#core/contract/index.ts";
import type { JobHandler } from "#core/feature.ts";
import { bindRetention, type RetentionHandler } from "#core/retention.ts";
import { type FilesCleaner, graceMs } from "./files.clean.service.ts";

const jitterMs = 60_000;

/** Takes away what nothing has referred to for a day, and then the bytes and rows of what was deleted. */
export const cleanFiles = defineRetention({
  id: "files.clean",
  schedule: "23 * * * *",
  jitterMs,
  steps: {
    loose: { tables: ["files"], kept: { ms: graceMs }, atOnce: 100, audited: true },
    deleted: { tables: ["files"], kept: { ms: 0 }, atOnce: 100 },
  },
});

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
    { job: sweepFiles, run: async (_payload, signal) => await cleaner.sweep(signal) },
    { job: measureFiles, ...(metricsEnabled ? { everyMs: metricsInterval } : {}), run: async () => await measure() },
  ];
}

export function filesRetention(cleaner: FilesCleaner): RetentionHandler {
  return bindRetention(cleanFiles, { loose: cleaner.condemn, deleted: { removeApart: cleaner.bury } });
}
