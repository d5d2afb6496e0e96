import { Type } from "typebox";
import { defineSchedule, defineRetention } from "#core/contract/index.ts";
import type { ScheduleHandler } from "#core/feature.ts";
import { bindRetention, type RetentionHandler } from "#core/retention.ts";
import { type FilesCleaner, graceMs } from "./files.clean.service.ts";
import type { UsageMeter } from "./files.measure.service.ts";

const jitterMs = 60_000;

/** Marks files as deleted that are orphaned for a day, then purges the objects and rows of deleted ones. */
export const cleanFiles = defineRetention({
  id: "files.clean",
  cron: "23 * * * *",
  jitterMs,
  steps: {
    loose: { tables: ["files"], kept: { ms: graceMs }, atOnce: 100, audited: true },
    deleted: { tables: ["files"], kept: { ms: 0 }, atOnce: 100 },
  },
});

/** Searches the whole storage for objects that belong to no file. */
export const sweepFiles = defineSchedule({ id: "files.sweep", payload: Type.Object({}), cron: "17 4 * * *", jitterMs });

/** Every `storage.metricsInterval`, if `storage.metricsEnabled`. */
export const measureFiles = defineSchedule({ id: "files.measure", payload: Type.Object({}), missed: "skip" });

export function filesSchedules(
  cleaner: FilesCleaner,
  meter: UsageMeter,
  { metricsEnabled, metricsInterval }: { readonly metricsEnabled: boolean; readonly metricsInterval: number },
): ScheduleHandler[] {
  return [
    { schedule: sweepFiles, run: async (_payload, signal) => await cleaner.sweep(signal) },
    { schedule: measureFiles, ...(metricsEnabled ? { everyMs: metricsInterval } : {}), run: async () => await meter.measure() },
  ];
}

export function filesRetention(cleaner: FilesCleaner): RetentionHandler {
  return bindRetention(cleanFiles, {
    loose: async (tx, before, limit) => await cleaner.markOrphansDeleted(tx, before, limit),
    deleted: { removeApart: async (before, limit) => await cleaner.purgeDeleted(before, limit) },
  });
}
