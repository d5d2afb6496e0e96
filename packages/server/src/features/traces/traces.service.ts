import { AppError } from "#core/errors.ts";
import type { Clock, Tracing } from "#core/ports/index.ts";
import { type BrowserSpan, tracesErrors } from "./traces.contract.ts";
import { foreignSpan, relays, type TracingOptions } from "./traces.policy.ts";

export interface TracesDeps {
  readonly otlp: TracingOptions;
  readonly tracing: Tracing;
  readonly clock: Clock;
}

/** Forwards spans of browsers to the collector. */
export class TracesService {
  readonly #deps: TracesDeps;

  constructor(deps: TracesDeps) {
    this.#deps = deps;
  }

  /** All of them, or none when the times of one are implausible. */
  relay(spans: readonly BrowserSpan[]): void {
    const { otlp, tracing, clock } = this.#deps;
    if (!relays(otlp)) throw new AppError(tracesErrors.off);
    const now = clock.now();
    const foreign = spans.map((span) => {
      const converted = foreignSpan(span, now);
      if (converted === null) throw new AppError(tracesErrors.notNow, { params: { name: span.name } });
      return converted;
    });
    tracing.forward(foreign);
  }
}
