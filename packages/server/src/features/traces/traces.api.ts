import { apiToken } from "#core/feature.ts";
import type { BrowserTracing } from "./traces.browser.contract.ts";

export interface TracesApi {
  /** The configuration for browsers, with or without a session. */
  forBrowsers(): BrowserTracing;
}

export const tracesApi = apiToken<TracesApi>("traces");
