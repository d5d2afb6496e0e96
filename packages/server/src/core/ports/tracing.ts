export type SpanKind = "internal" | "server" | "client" | "producer" | "consumer";

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  /** `internal` unless said. */
  readonly kind?: SpanKind;
  /** Shapes and names, never values that people entered. */
  readonly attributes?: SpanAttributes;
  /** W3C `traceparent` of what caused it; what runs around it unless given. */
  readonly parent?: string;
  /** Begins no trace of its own: outside one, the work runs without a span. */
  readonly within?: boolean;
}

/** One span while its work runs. */
export interface Span {
  set(attributes: SpanAttributes): void;
  /** Marks it as failed; what `span` throws is marked by itself. */
  fail(reason: string): void;
}

/** A span whose end no promise tells: whoever begins it ends it, once. */
export interface OpenSpan extends Span {
  /** 32 hex digits. */
  readonly traceId: string;
  /** Runs `work`, and what it starts, inside the span. */
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

/** Who waits for whom, told to a collector; does nothing unless `otlp.enabled`. */
export interface Tracing {
  readonly enabled: boolean;
  span<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T>;
  /** Null when tracing is off. */
  begin(name: string, options: SpanOptions): OpenSpan | null;
  /** Something that has just ended, `ms` long, inside what runs now; nothing outside a trace. */
  ended(name: string, options: SpanOptions & { readonly ms: number; readonly failed?: boolean }): void;
  /** Of what runs now; null outside a trace. */
  traceId(): string | null;
  /** W3C `traceparent` of what runs now, to be carried to others; null outside a trace. */
  traceparent(): string | null;
  /** Runs `work` as a continuation of what `traceparent` names; as it is without one. */
  from<T>(traceparent: string | null | undefined, work: () => T): T;
  /** Sends spans of browsers on, under the same limits as our own. */
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
