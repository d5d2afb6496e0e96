import { systemClock } from "#core/clock.ts";
import type { TracingSettings } from "#core/tracing.types.ts";
import type { Fetch } from "#core/transport.ts";

let traced: Fetch | null = null;
let begun = false;

/** `fetch`, with a span for each call once tracing has begun. */
export const fetchTraced: Fetch = (url, init, operation) => (traced === null ? fetch(url, init) : traced(url, init, operation));

/** Loads what tracing needs, once. `signedIn`: whether the server would take spans now. */
export function beginTracing(settings: TracingSettings, version: string, signedIn: () => boolean): void {
  if (begun) return;
  begun = true;
  import("./tracing.spans.ts")
    .then(({ createTracer }) => {
      const tracer = createTracer({ settings, version, signedIn, clock: systemClock, send: (url, init) => fetch(url, init) });
      traced = tracer.fetch;
      document.addEventListener("visibilitychange", () => {
        if (document.visibilityState === "hidden") tracer.flush();
      });
    })
    .catch(() => {
      begun = false;
    });
}
