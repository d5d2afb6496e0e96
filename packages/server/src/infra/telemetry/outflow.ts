import { ExportResultCode } from "@opentelemetry/core";
import type { ReadableSpan, Span, SpanExporter, SpanProcessor } from "@opentelemetry/sdk-trace";
import type { Clock, Log, Metrics } from "#core/ports/index.ts";

/** Spans that may wait for the collector, those being sent among them. */
export const mostWaiting = 2048;
/** Spans of one export. */
const batchSize = 512;
/** How long a span waits for others to go with. Milliseconds. */
const batchDelayMs = 2000;
const complainEveryMs = 60_000;

export interface OutflowParts {
  readonly exporter: SpanExporter;
  /** The library's batches, made around the exporter that it is given. */
  readonly batches: (exporter: SpanExporter, limits: { queue: number; batch: number; delayMs: number }) => SpanProcessor;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
}

/**
 * Stands before and behind the library's batches and knows how many spans are between: beyond the
 * limit they are dropped and counted, so that a collector that hangs costs bounded memory.
 */
export class Outflow implements SpanProcessor {
  readonly #parts: OutflowParts;
  readonly #batches: SpanProcessor;
  readonly #spans;
  #waiting = 0;
  #lost = 0;
  #reason = "";
  #complainedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: OutflowParts) {
    this.#parts = parts;
    const { exporter } = parts;
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
    this.#batches = parts.batches(counted, { queue: mostWaiting, batch: batchSize, delayMs: batchDelayMs });
    this.#spans = parts.metrics.counter("rollcall_tracing_spans_total", "Spans of traces by what became of them", ["outcome"]);
    parts.metrics.gauge("rollcall_tracing_waiting_spans", "Spans that wait for the collector", () => this.#waiting);
  }

  #left(count: number, failure: string | null): void {
    this.#waiting -= count;
    this.#spans.inc({ outcome: failure === null ? "sent" : "failed" }, count);
    if (failure !== null) this.#lose(count, failure);
  }

  /** One line a minute, whatever is lost. */
  #lose(count: number, reason: string): void {
    this.#lost += count;
    this.#reason = reason;
    const now = this.#parts.clock.monotonic();
    if (now - this.#complainedAt < complainEveryMs) return;
    this.#complainedAt = now;
    this.#parts.log.warn({ lost: this.#lost, reason: this.#reason }, "spans were lost on the way to the collector");
    this.#lost = 0;
  }

  onStart(span: Span, context: Parameters<SpanProcessor["onStart"]>[1]): void {
    this.#batches.onStart(span, context);
  }

  onEnd(span: ReadableSpan): void {
    if (this.#waiting >= mostWaiting) {
      this.#spans.inc({ outcome: "dropped" });
      this.#lose(1, `${mostWaiting} spans wait for the collector already`);
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
