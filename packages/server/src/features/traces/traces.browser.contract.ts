import { Type, type Static } from "typebox";
import { Nullable } from "#core/contract/index.ts";

/** What the browser does with its spans; null: nothing. */
export const BrowserTracing = Nullable(
  Type.Object({
    /** Where its spans go: an address, or a path of this instance. */
    url: Type.String(),
    headers: Type.Record(Type.String(), Type.String()),
    /** Share of traces that are kept, 0 to 1. */
    ratio: Type.Number(),
    environment: Type.String(),
  }),
);
export type BrowserTracing = Static<typeof BrowserTracing>;
