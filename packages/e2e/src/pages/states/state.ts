import type { Page } from "playwright-core";
import type { PageVariant } from "@rollcall/testkit/pages.ts";

/** One state of one page, as the tests render it. */
export interface PageState {
  readonly name: string;
  readonly path: string;
  /** Login of the demo city; signed out when omitted. */
  readonly as?: string;
  readonly language?: PageVariant["language"];
  /** Widths in pixels; both when omitted. */
  readonly widths?: readonly number[];
  /** Called before the page is opened. */
  readonly before?: (page: Page) => Promise<unknown>;
  /** Selector of an element that appears when the page is complete. */
  readonly ready: string;
  /** Leads from the complete page to the tested state. */
  readonly lead?: (page: Page) => Promise<unknown>;
}

export const wide = 1440;
export const narrow = 390;
