import { AppError } from "#core/errors.ts";
import type { Clock, Tracing } from "#core/ports/index.ts";
import { type BrowserSpan, tracesErrors } from "./traces.contract.ts";
import { foreignSpan, relays, type TracingOptions } from "./traces.policy.ts";

export interface TracesDeps {
  readonly otlp: TracingOptions;
  readonly tracing: Tracing;
  readonly clock: Clock;
}

export function createTracesService({ otlp, tracing, clock }: TracesDeps) {
  return {
    /** All of them or, when the times of one cannot be true, none. */
    relay(spans: readonly BrowserSpan[]): void {
      if (!relays(otlp)) throw new AppError(tracesErrors.off);
      const now = clock.now();
      const passed = spans.map((span) => {
        const found = foreignSpan(span, now);
        if (found === null) throw new AppError(tracesErrors.notNow, { params: { name: span.name } });
        return found;
      });
      tracing.forward(passed);
    },
  };
}

export type TracesService = ReturnType<typeof createTracesService>;
