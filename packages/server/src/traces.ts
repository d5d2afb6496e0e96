import type { Config } from "#config/index.ts";
import { relayTraces } from "#features/traces/traces.contract.ts";

type Otlp = Pick<Config["otlp"], "enabled" | "frontend">;

/** The collector that the browser calls by itself, for the policy of its pages. */
export function tracesOrigins({ enabled, frontend: { url } }: Otlp): string[] {
  return !enabled || url === null || url.startsWith("/") ? [] : [new URL(url).origin];
}

/** The path under which the server takes spans of browsers, where it is another one than the operation's. */
export function tracesAlias({ enabled, frontend: { url } }: Otlp): { from: string; to: string } | null {
  const { path } = relayTraces;
  return !enabled || url === null || !url.startsWith("/") || url === path ? null : { from: url, to: path };
}
