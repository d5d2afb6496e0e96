import type { Log, Logs } from "#core/ports/log.ts";
import type { Metrics } from "#core/ports/metrics.ts";

const nothing = () => undefined;

export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

export const silentLogs: Logs = { subsystem: () => silentLog };

export const noMetrics: Metrics = {
  counter: () => ({ inc: nothing }),
  gauge: nothing,
  histogram: () => ({ observe: nothing }),
};

export interface LogLine {
  readonly level: "debug" | "info" | "warn" | "error";
  readonly message: string;
  readonly fields: Record<string, unknown>;
}

/** A log that records its lines. */
export function recordingLog(): Log & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at = (level: LogLine["level"]) => (fields: object, message: string) =>
    void lines.push({ level, message, fields: fields as Record<string, unknown> });
  return { lines, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}
