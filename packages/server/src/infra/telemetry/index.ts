import { noTracing } from "#core/ports/index.ts";
import type { OpenedTracing, TracingOptions } from "./options.ts";

export type { OpenedTracing, TracingOptions, TracingSettings } from "./options.ts";

/** Loads the tracing libraries only when tracing is on. */
export async function openTracing(options: TracingOptions): Promise<OpenedTracing> {
  if (!options.settings.enabled) return { tracing: noTracing, close: async () => undefined };
  const { startTracing } = await import("./provider.ts");
  return await startTracing(options);
}
