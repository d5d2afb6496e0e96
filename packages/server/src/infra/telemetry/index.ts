import { type Clock, type Log, type Metrics, noTracing, type Tracing } from "#core/ports/index.ts";

/** `otlp.*` as the exporters need it. Durations in milliseconds. */
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

export interface TracingParts {
  readonly settings: TracingSettings;
  readonly version: string;
  /** Names this process among those that serve the same instance. */
  readonly instance: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

export interface OpenedTracing {
  readonly tracing: Tracing;
  /** Sends what is left, for a bounded time. */
  close(): Promise<void>;
}

/** The libraries are loaded only when tracing is on. */
export async function openTracing(parts: TracingParts): Promise<OpenedTracing> {
  if (!parts.settings.enabled) return { tracing: noTracing, close: async () => undefined };
  const { startTracing } = await import("./provider.ts");
  return await startTracing(parts);
}
