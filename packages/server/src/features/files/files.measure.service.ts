import type { Clock, Database, Metrics } from "#core/ports/index.ts";
import type { NamespaceUsage } from "./files.contract.ts";
import * as repo from "./files.repo.ts";

export interface MeasureDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** `storage.metricsEnabled`. */
  readonly enabled: boolean;
  /** `storage.metricsInterval`, milliseconds. */
  readonly everyMs: number;
}

/** Sums up what the rows say; nothing is listed in the storage. One worker measures and shows it. */
export function createFilesMeasure({ db, clock, metrics, enabled, everyMs }: MeasureDeps) {
  let last: { readonly at: number; readonly usage: readonly NamespaceUsage[] } | null = null;

  /** What was measured here, as long as this process still is the one that does. */
  const shown = (pick: (usage: NamespaceUsage) => number) => () => {
    if (last === null || clock.now() - last.at > 3 * everyMs + 60_000) return [];
    return last.usage.map((one) => ({ labels: { namespace: one.namespace }, value: pick(one) }));
  };
  if (enabled) {
    metrics.gauge(
      "rollcall_storage_bytes",
      "Bytes of uploaded files",
      shown(({ bytes }) => bytes),
      ["namespace"],
    );
    metrics.gauge(
      "rollcall_storage_files",
      "Uploaded files",
      shown(({ files }) => files),
      ["namespace"],
    );
  }

  return async function measure(): Promise<void> {
    const usage = await db.read("files.measure", repo.usage);
    last = { at: clock.now(), usage };
  };
}
