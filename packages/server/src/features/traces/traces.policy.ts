import type { ForeignSpan, SpanAttributes, SpanKind } from "#core/ports/index.ts";
import type { BrowserTracing } from "./traces.browser.contract.ts";
import type { BrowserSpan } from "./traces.contract.ts";

/** Largest difference of a span from the server's clock, because browsers send late and their clocks differ. Milliseconds. */
const mostAgeMs = 60 * 60_000;

const kindOf: readonly SpanKind[] = ["internal", "internal", "server", "client", "producer", "consumer"];

/** The options of `otlp.*` that a browser needs. */
export interface TracingOptions {
  readonly enabled: boolean;
  readonly ratio: number;
  readonly environment: string;
  readonly frontend: { readonly url: string | null; readonly headers: Readonly<Record<string, string>> };
}

/** Whether this instance receives spans of browsers. */
export function relays({ enabled, frontend: { url } }: TracingOptions): boolean {
  return enabled && url !== null && url.startsWith("/");
}

/** The configuration for browsers. */
export function browserTracing({ enabled, ratio, environment, frontend }: TracingOptions): BrowserTracing {
  if (!enabled || frontend.url === null) return null;
  return { url: frontend.url, headers: { ...frontend.headers }, ratio, environment };
}

function attributesOf(given: BrowserSpan["attributes"]): SpanAttributes {
  return Object.fromEntries(
    (given ?? []).flatMap(({ key, value: { stringValue, intValue, doubleValue, boolValue } }) => {
      const value = stringValue ?? (intValue === undefined ? undefined : Number(intValue)) ?? doubleValue ?? boolValue;
      return value === undefined ? [] : [[key, value]];
    }),
  );
}

const millis = (nanoseconds: string) => Number(BigInt(nanoseconds) / 1000n) / 1000;

/** The span to forward; null when its times are implausible. */
export function foreignSpan(span: BrowserSpan, now: number): ForeignSpan | null {
  const [startMs, endMs] = [millis(span.startTimeUnixNano), millis(span.endTimeUnixNano)];
  if (endMs < startMs || Math.abs(startMs - now) > mostAgeMs || Math.abs(endMs - now) > mostAgeMs) return null;
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    parentSpanId: span.parentSpanId ?? null,
    name: span.name,
    kind: kindOf[span.kind ?? 0] ?? "internal",
    startMs,
    endMs,
    attributes: attributesOf(span.attributes),
    failed: span.status?.code === 2,
  };
}
