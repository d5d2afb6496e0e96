import type { Config } from "#config/index.ts";
import { relayTraces } from "#features/traces/traces.contract.ts";

type Otlp = Pick<Config["otlp"], "enabled" | "frontend">;

/** Origins of a collector that browsers call directly, for the Content-Security-Policy. */
export function tracesOrigins({ enabled, frontend: { url } }: Otlp): string[] {
  return !enabled || url === null || url.startsWith("/") ? [] : [new URL(url).origin];
}

/** The configured path of browser spans, when it differs from the operation's; null otherwise. */
export function tracesAlias({ enabled, frontend: { url } }: Otlp): { from: string; to: string } | null {
  const { path } = relayTraces;
  return !enabled || url === null || !url.startsWith("/") || url === path ? null : { from: url, to: path };
}
