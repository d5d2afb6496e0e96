import { Type, type Static } from "typebox";
import { Nullable } from "#core/contract/index.ts";

/** How a browser sends its spans; null when it sends none. */
export const BrowserTracing = Nullable(
  Type.Object({
    /** Destination of the spans: a URL, or a path of this instance. */
    url: Type.String(),
    headers: Type.Record(Type.String(), Type.String()),
    /** Share of traces that are sampled, 0 to 1. */
    ratio: Type.Number(),
    environment: Type.String(),
  }),
);
export type BrowserTracing = Static<typeof BrowserTracing>;
