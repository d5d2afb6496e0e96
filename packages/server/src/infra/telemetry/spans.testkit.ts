export type Value = string | number | boolean;

/** A span as received by a collector. */
export interface ReceivedSpan {
  readonly name: string;
  /** Numbers of the protocol: 2 server, 3 client, 4 producer, 5 consumer. */
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly startMs: number;
  readonly endMs: number;
  readonly failed: boolean;
  readonly attributes: Readonly<Record<string, Value>>;
  readonly resource: Readonly<Record<string, Value>>;
  /** Trace ids of the links; only by HTTP. */
  readonly links?: readonly string[];
}
