import { createRequire } from "node:module";
import { SpanStatusCode } from "@opentelemetry/api";
import { ExportResultCode, hrTimeToMilliseconds } from "@opentelemetry/core";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";
import type { TracingSettings } from "./options.ts";
import { kindNames } from "./kinds.ts";

/** More than the number of batches in the queue, because at a stop all are sent concurrently. */
const concurrencyLimit = 8;

/** The URL of a collector; without a path the protocol's default path is added. */
export function httpEndpoint(url: string): string {
  const parsed = new URL(url);
  if (parsed.pathname === "/" && parsed.search === "") parsed.pathname = "/v1/traces";
  return parsed.href;
}

/** Formats a span as one line of JSON. */
function format(span: ReadableSpan): string {
  const { traceId, spanId } = span.spanContext();
  return JSON.stringify({
    span: span.name,
    kind: kindNames[span.kind],
    traceId,
    spanId,
    parentSpanId: span.parentSpanContext?.spanId ?? null,
    start: new Date(hrTimeToMilliseconds(span.startTime)).toISOString(),
    ms: Math.round(hrTimeToMilliseconds(span.duration) * 1000) / 1000,
    failed: span.status.code === SpanStatusCode.ERROR,
    attributes: span.attributes,
    resource: span.resource.attributes,
  });
}

/** Writes to standard output; a slow reader delays only the exporter. */
function standardOutput(stream: NodeJS.WritableStream): SpanExporter {
  return {
    export(spans, done) {
      stream.write(`${spans.map(format).join("\n")}\n`, (error) =>
        done(error ? { code: ExportResultCode.FAILED, error } : { code: ExportResultCode.SUCCESS }),
      );
    },
    forceFlush: async () => undefined,
    shutdown: async () => undefined,
  };
}

async function overHttp(settings: TracingSettings): Promise<SpanExporter> {
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http");
  return new OTLPTraceExporter({
    url: httpEndpoint(settings.url),
    headers: { ...settings.headers },
    timeoutMillis: settings.timeout,
    concurrencyLimit,
    compression: (settings.compression ?? "none") as never,
  });
}

/** Creates metadata with the class of the library copy that the exporter uses. */
function metadataOf(headers: Readonly<Record<string, string>>): never {
  const { Metadata } = createRequire(import.meta.resolve("@opentelemetry/exporter-trace-otlp-grpc"))("@grpc/grpc-js") as {
    Metadata: new () => { set(name: string, value: string): void };
  };
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
  return metadata as never;
}

async function overGrpc(settings: TracingSettings): Promise<SpanExporter> {
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-grpc");
  return new OTLPTraceExporter({
    url: settings.url,
    metadata: metadataOf(settings.headers),
    timeoutMillis: settings.timeout,
    concurrencyLimit,
    compression: (settings.compression ?? "none") as never,
  });
}

/** The exporter for `otlp.type`. */
export async function createExporter(settings: TracingSettings, stdout: NodeJS.WritableStream): Promise<SpanExporter> {
  if (settings.type === "stdout") return standardOutput(stdout);
  return settings.type === "otlptracehttp" ? await overHttp(settings) : await overGrpc(settings);
}
