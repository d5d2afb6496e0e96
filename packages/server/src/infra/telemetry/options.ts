import type { Clock, Log, Metrics, Tracing } from "#core/ports/index.ts";

/** `otlp.*` of the configuration. Durations in milliseconds. */
export interface TracingSettings {
  readonly enabled: boolean;
  readonly type: "stdout" | "otlptracegrpc" | "otlptracehttp";
  readonly url: string;
  readonly timeout: number;
  readonly environment: string;
  readonly ratio: number;
  readonly attributes: readonly { readonly key: string; readonly value: string }[];
  readonly headers: Readonly<Record<string, string>>;
  readonly compression: "gzip" | "none" | null;
}

export interface TracingOptions {
  readonly settings: TracingSettings;
  readonly version: string;
  /** Identifies this process among those of the same instance. */
  readonly instance: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

export interface OpenedTracing {
  readonly tracing: Tracing;
  /** Sends the remaining spans, within a time limit. */
  close(): Promise<void>;
}
