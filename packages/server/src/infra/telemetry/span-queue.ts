import { ExportResultCode } from "@opentelemetry/core";
import type { ReadableSpan, Span, SpanExporter, SpanProcessor } from "@opentelemetry/sdk-trace";
import type { Clock, Log, Metrics } from "#core/ports/index.ts";

/** Largest number of unsent spans, including those being sent. */
export const maxWaiting = 2048;
/** Spans of one export. */
const batchSize = 512;
/** How long a span waits for its batch to fill. Milliseconds. */
const batchDelayMs = 2000;
const warnEveryMs = 60_000;

export interface SpanQueueOptions {
  readonly exporter: SpanExporter;
  /** Creates the library's batch processor around an exporter. */
  readonly batches: (exporter: SpanExporter, limits: { queue: number; batch: number; delayMs: number }) => SpanProcessor;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * Wraps the library's batch processor and counts the spans in it: beyond the limit spans are dropped and
 * counted, so that a collector that hangs costs bounded memory.
 */
export class SpanQueue implements SpanProcessor {
  readonly #options: SpanQueueOptions;
  readonly #batches: SpanProcessor;
  readonly #spans;
  #waiting = 0;
  #lost = 0;
  #reason = "";
  #warnedAt = Number.NEGATIVE_INFINITY;

  constructor(options: SpanQueueOptions) {
    this.#options = options;
    const { exporter } = options;
    const counted: SpanExporter = {
      export: (spans, done) =>
        exporter.export(spans, (result) => {
          this.#left(
            spans.length,
            result.code === ExportResultCode.SUCCESS ? null : (result.error?.message ?? "the export failed"),
          );
          done(result);
        }),
      shutdown: async () => await exporter.shutdown(),
      forceFlush: async () => await exporter.forceFlush?.(),
    };
    this.#batches = options.batches(counted, { queue: maxWaiting, batch: batchSize, delayMs: batchDelayMs });
    this.#spans = options.metrics.counter("rollcall_tracing_spans_total", "Spans by outcome", ["outcome"]);
    options.metrics.gauge("rollcall_tracing_waiting_spans", "Spans that wait for the collector", () => this.#waiting);
  }

  #left(count: number, failure: string | null): void {
    this.#waiting -= count;
    this.#spans.inc({ outcome: failure === null ? "sent" : "failed" }, count);
    if (failure !== null) this.#lose(count, failure);
  }

  /** Logs at most one line per minute. */
  #lose(count: number, reason: string): void {
    this.#lost += count;
    this.#reason = reason;
    const now = this.#options.clock.monotonic();
    if (now - this.#warnedAt < warnEveryMs) return;
    this.#warnedAt = now;
    this.#options.log.warn({ lost: this.#lost, reason: this.#reason }, "spans could not be sent to the collector");
    this.#lost = 0;
  }

  onStart(span: Span, context: Parameters<SpanProcessor["onStart"]>[1]): void {
    this.#batches.onStart(span, context);
  }

  onEnd(span: ReadableSpan): void {
    if (this.#waiting >= maxWaiting) {
      this.#spans.inc({ outcome: "dropped" });
      this.#lose(1, `${maxWaiting} spans are waiting for the collector`);
      return;
    }
    this.#waiting += 1;
    this.#batches.onEnd(span);
  }

  async forceFlush(): Promise<void> {
    await this.#batches.forceFlush();
  }

  async shutdown(): Promise<void> {
    await this.#batches.shutdown();
  }
}
