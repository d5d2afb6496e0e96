import type { BrokerUrl } from "#core/dsn.ts";
import type { Clock, Log, Metrics } from "#core/ports/index.ts";
import type { Namespace } from "./namespace.ts";

/** Timings of the adapters. Defaults suit production; tests shorten them. */
export interface BrokerTuning {
  /** How long one request may take before it counts as an outage. */
  readonly requestTimeoutMs: number;
  /** Pause between attempts to reach the broker. */
  readonly reconnectMs: number;
  /** How long a process may work on a message of a durable consumer without a sign of progress. */
  readonly ackWaitMs: number;
  /** Delay before a message whose handler threw is delivered again: doubles from `first` up to `max`. */
  readonly redeliveryMs: { readonly first: number; readonly max: number };
}

export const defaultTuning: BrokerTuning = {
  requestTimeoutMs: 4000,
  reconnectMs: 1000,
  ackWaitMs: 30_000,
  redeliveryMs: { first: 500, max: 60_000 },
};

export interface BrokerInput<U extends BrokerUrl = BrokerUrl> {
  readonly url: U;
  /** `nats.replicas`; the embedded broker has one copy. */
  readonly replicas: number;
  /** Prefix on a shared server, which cannot be used while it is unknown. */
  readonly namespace?: Namespace;
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics?: Metrics;
  readonly tuning?: Partial<BrokerTuning>;
  /**
   * `required` (the default): fails with `BrokerUnavailable` when the broker cannot be used.
   * `background`: returns at once and keeps trying; `state` shows the progress.
   */
  readonly start?: "required" | "background";
}

export function redeliveryDelay(tuning: BrokerTuning, attempt: number): number {
  const { first, max } = tuning.redeliveryMs;
  return Math.min(max, first * 2 ** Math.min(attempt - 1, 20));
}
