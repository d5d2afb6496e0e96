import type { Page } from "playwright-core";
import type { Look } from "#kit/pages.ts";

/** One state of one page that is looked at. */
export interface Sight {
  readonly name: string;
  readonly path: string;
  /** Login of the demo city; nobody when left out. */
  readonly as?: string;
  readonly language?: Look["language"];
  /** Both when left out. Pixels. */
  readonly widths?: readonly number[];
  /** Before the page is opened. */
  readonly before?: (page: Page) => Promise<unknown>;
  /** There when the page is complete. */
  readonly ready: string;
  /** Leads from the complete page to the state that is looked at. */
  readonly lead?: (page: Page) => Promise<unknown>;
}

export const wide = 1440;
export const narrow = 390;
