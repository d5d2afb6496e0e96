import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";
import { browsers } from "@rollcall/testkit/browsers.ts";

/** The tests of `suite` in each browser. `open` opens a page of somebody who was never here; it is closed with the browser. */
export function describeInBrowsers(suite: (open: () => Promise<Page>) => void): void {
  describe.each(browsers.filter(({ available }) => available))("in Chromium $name", ({ launch }) => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launch();
    }, 60_000);
    afterAll(async () => await browser?.close());

    suite(async () => await (await browser.newContext({ locale: "en-US" })).newPage());
  });
}
