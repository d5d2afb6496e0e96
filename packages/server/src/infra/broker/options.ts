import type { BrokerUrl } from "#core/dsn.ts";
import type { Clock, Log, Metrics } from "#core/ports/index.ts";

/** Timings of the adapters. Defaults suit production; tests shorten them. */
export interface BrokerTuning {
  /** How long one request may take before it counts as an outage. */
  readonly requestTimeoutMs: number;
  /** Pause between attempts to reach the broker. */
  readonly reconnectMs: number;
  /** How long another process may hold a message of a durable consumer without a sign of life. */
  readonly ackWaitMs: number;
  /** Delay before a message whose handler threw comes again: doubles from `first` up to `most`. */
  readonly redeliveryMs: { readonly first: number; readonly most: number };
}

export const defaultTuning: BrokerTuning = {
  requestTimeoutMs: 4000,
  reconnectMs: 1000,
  ackWaitMs: 30_000,
  redeliveryMs: { first: 500, most: 60_000 },
};

export interface BrokerInput<U extends BrokerUrl = BrokerUrl> {
  readonly url: U;
  /** `nats.replicas`; the embedded broker has one copy. */
  readonly replicas: number;
  /** Prefix of every stream, bucket and subject on a shared server; `rollcall` unless said. */
  readonly namespace?: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics?: Metrics;
  readonly tuning?: Partial<BrokerTuning>;
  /**
   * `required` (unless said): fails with `BrokerUnavailable` when the broker cannot be used.
   * `background`: answers at once and keeps trying; the state tells.
   */
  readonly start?: "required" | "background";
}

export function redeliveryDelay(tuning: BrokerTuning, attempt: number): number {
  const { first, most } = tuning.redeliveryMs;
  return Math.min(most, first * 2 ** Math.min(attempt - 1, 20));
}
