import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span as OtelSpan,
  type SpanContext,
  SpanStatusCode,
  trace,
  TraceFlags,
} from "@opentelemetry/api";
import { millisToHrTime } from "@opentelemetry/core";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { ForeignSpan, OpenSpan, Span, SpanOptions, Tracing } from "#core/ports/index.ts";
import { createExporter } from "./exporters.ts";
import type { OpenedTracing, TracingOptions } from "./options.ts";
import { kinds } from "./kinds.ts";
import { SpanQueue } from "./span-queue.ts";

/** Longest wait for the collector at a stop. Milliseconds. */
const maxFlushMs = 5000;

const traceparentShape = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;

function parentOf(traceparent: string): SpanContext | null {
  const [, version, traceId = "", spanId = "", flags = ""] = traceparentShape.exec(traceparent) ?? [];
  if (version === undefined || version === "ff") return null;
  const found = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true };
  return isSpanContextValid(found) ? found : null;
}

function resourceOf({ settings, version, instance }: TracingOptions, service: string) {
  return resourceFromAttributes({
    "service.name": service,
    "service.version": version,
    "service.instance.id": instance,
    "deployment.environment.name": settings.environment,
    ...Object.fromEntries(settings.attributes.map(({ key, value }) => [key, value])),
  });
}

function handleOf(span: OtelSpan): Span {
  return {
    set: (attributes) => void span.setAttributes(attributes),
    fail: (message) => void span.setStatus({ code: SpanStatusCode.ERROR, message }),
  };
}

/** Converts a span of a browser to the format of the exporters. */
function readable(span: ForeignSpan, resource: ReadableSpan["resource"], version: string): ReadableSpan {
  const { traceId, spanId, parentSpanId, startMs, endMs } = span;
  const context = (id: string): SpanContext => ({ traceId, spanId: id, traceFlags: TraceFlags.SAMPLED });
  return {
    name: span.name,
    kind: kinds[span.kind],
    spanContext: () => context(spanId),
    ...(parentSpanId === null ? {} : { parentSpanContext: context(parentSpanId) }),
    startTime: millisToHrTime(startMs),
    endTime: millisToHrTime(endMs),
    duration: millisToHrTime(endMs - startMs),
    status: { code: span.failed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes: { ...span.attributes },
    links: [],
    events: [],
    ended: true,
    resource,
    instrumentationScope: { name: "rollcall-web", version },
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** Tracing with an own context instead of the library's global one, so that several instances in one process stay separate. */
function tracingOf(provider: TracerProvider, options: TracingOptions, spanQueue: SpanQueue): Tracing {
  const { version, clock } = options;
  const tracer = provider.getTracer("rollcall", version);
  const running = new AsyncLocalStorage<Context>();
  const around = () => running.getStore() ?? ROOT_CONTEXT;
  const browsers = resourceOf(options, "rollcall-web");

  function contextOf({ parent, link }: SpanOptions): Context {
    if (link !== undefined) return ROOT_CONTEXT;
    if (parent === undefined) return around();
    const remote = parentOf(parent);
    return remote === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote);
  }

  function open(name: string, options: SpanOptions): { span: OtelSpan; context: Context } {
    const context = contextOf(options);
    const { kind = "internal", attributes = {}, link } = options;
    const linked = link === undefined ? null : parentOf(link);
    const links = linked === null ? {} : { links: [{ context: linked }] };
    const span = tracer.startSpan(name, { kind: kinds[kind], attributes, ...links }, context);
    return { span, context: trace.setSpan(context, span) };
  }

  return {
    enabled: true,
    async span(name, options, work) {
      if (options.within === true && !trace.getSpanContext(contextOf(options)))
        return await work({ set: () => undefined, fail: () => undefined });
      const { span, context } = open(name, options);
      try {
        return await running.run(context, async () => await work(handleOf(span)));
      } catch (error) {
        // The kind of the error, not its message, which may quote user input.
        span.setAttribute("error.type", error instanceof Error ? error.name : typeof error);
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
    begin(name, options): OpenSpan {
      const { span, context } = open(name, options);
      return {
        ...handleOf(span),
        traceId: span.spanContext().traceId,
        run: (work) => running.run(context, work),
        end: () => span.end(),
      };
    },
    ended(name, { ms, failed = false, ...options }) {
      const context = around();
      if (trace.getSpan(context)?.isRecording() !== true) return;
      const end = clock.now();
      const { kind = "internal", attributes = {} } = options;
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes, startTime: end - ms }, context);
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(end);
    },
    traceId: () => trace.getSpanContext(around())?.traceId ?? null,
    traceparent() {
      const found = trace.getSpanContext(around());
      if (!found) return null;
      return `00-${found.traceId}-${found.spanId}-${(found.traceFlags & TraceFlags.SAMPLED).toString(16).padStart(2, "0")}`;
    },
    from(traceparent, work) {
      const parent = traceparent ? parentOf(traceparent) : null;
      return parent === null ? work() : running.run(trace.setSpanContext(ROOT_CONTEXT, parent), work);
    },
    forward(spans) {
      for (const span of spans) spanQueue.onEnd(readable(span, browsers, version));
    },
  };
}

export async function startTracing(options: TracingOptions): Promise<OpenedTracing> {
  const { settings, clock, log, metrics } = options;
  const spanQueue = new SpanQueue({
    clock,
    log,
    metrics,
    exporter: await createExporter(settings, process.stdout),
    batches: (exporter, { queue, batch, delayMs }) =>
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: queue,
        maxExportBatchSize: batch,
        scheduledDelayMillis: delayMs,
        // The exporter has its own timeout; this one only protects the queue if the exporter ignores it.
        exportTimeoutMillis: settings.timeout + 1000,
      }),
  });
  const provider = new TracerProvider({
    resource: resourceOf(options, "rollcall"),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(settings.ratio) }),
    spanProcessors: [spanQueue],
  });
  return {
    tracing: tracingOf(provider, options, spanQueue),
    async close() {
      const late = new AbortController();
      const bound = clock.sleep(maxFlushMs, late.signal).catch(() => undefined);
      await Promise.race([provider.shutdown().catch(() => undefined), bound]);
      late.abort();
    },
  };
}
