export type SpanKind = "internal" | "server" | "client" | "producer" | "consumer";

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  /** `internal` by default. */
  readonly kind?: SpanKind;
  /** Shapes and names, never user input. */
  readonly attributes?: SpanAttributes;
  /** W3C `traceparent` of the parent; the current span by default. */
  readonly parent?: string;
  /** W3C `traceparent` of a caller whose trace this one does not continue: begins a new trace that refers to it. */
  readonly link?: string;
  /** Never starts a trace: outside of one, the work runs without a span. */
  readonly within?: boolean;
}

/** One span while its work runs. */
export interface Span {
  set(attributes: SpanAttributes): void;
  /** Marks the span as failed; done automatically when the work throws. */
  fail(reason: string): void;
}

/** A span that is not bound to a promise: the caller that begins it has to end it, once. */
export interface OpenSpan extends Span {
  /** 32 hex digits. */
  readonly traceId: string;
  /** Runs `work`, and everything it starts, inside the span. */
  run<T>(work: () => T): T;
  end(): void;
}

/** A span that a browser measured. Instants in milliseconds UTC. */
export interface ForeignSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: SpanAttributes;
  readonly failed: boolean;
}

/** Traces calls and sends the spans to a collector; does nothing unless `otlp.enabled`. */
export interface Tracing {
  readonly enabled: boolean;
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /** Null when tracing is off. */
  begin(name: string, options: SpanOptions): OpenSpan | null;
  /** Records a span that has just ended after `ms`, as a child of the current one; does nothing outside a trace. */
  ended(name: string, options: SpanOptions & { readonly ms: number; readonly failed?: boolean }): void;
  /** Id of the current trace; null outside a trace. */
  traceId(): string | null;
  /** W3C `traceparent` of the current span, to pass on; null outside a trace. */
  traceparent(): string | null;
  /** Runs `work` as a child of the span in `traceparent`; without one it just runs `work`. */
  from<T>(traceparent: string | null | undefined, work: () => T): T;
  /** Forwards spans of browsers, under the same limits as the server's own. */
  forward(spans: readonly ForeignSpan[]): void;
}

const silent: Span = { set: () => undefined, fail: () => undefined };

/** Tracing that is off. */
export const noTracing: Tracing = {
  enabled: false,
  span: async (_name, _options, work) => await work(silent),
  begin: () => null,
  ended: () => undefined,
  traceId: () => null,
  traceparent: () => null,
  from: (_traceparent, work) => work(),
  forward: () => undefined,
};
