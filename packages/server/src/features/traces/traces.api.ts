import { apiToken } from "#core/feature.ts";
import type { BrowserTracing } from "./traces.browser.contract.ts";

export interface TracesApi {
  /** What every browser is told, signed in or not. */
  forBrowsers(): BrowserTracing;
}

export const tracesApi = apiToken<TracesApi>("traces");
