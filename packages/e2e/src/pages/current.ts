import { globSync } from "node:fs";
import path from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { currentChromium } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { sendLongest } from "@rollcall/testkit/longest.ts";
import { checkPage, resize } from "@rollcall/testkit/pageChecks.ts";
import { openPath } from "@rollcall/testkit/inPlace.ts";
import { changeVariant } from "@rollcall/testkit/pages.ts";
import { StatePages } from "@rollcall/testkit/statePages.ts";
import { loadPageStates, narrow, partOf, wide } from "@rollcall/testkit/states.ts";

const { available, launch } = currentChromium;
const allStates = await loadPageStates();

/** The test files that share the page states, so that they run side by side. */
const files = globSync("pages.current.*.e2e.test.ts", { cwd: import.meta.dirname }).toSorted();

/** The page states of one of these files in the current Chromium: both schemes, both widths and both languages. */
export function checkStates(file: string): void {
  const pageStates = partOf(allStates, files.indexOf(path.basename(file)), files.length);
  describe.skipIf(!available)("every page", () => {
    let city: City;
    let browser: Browser;
    let pages: StatePages;

    beforeAll(async () => {
      [city, browser] = await Promise.all([startCity("embedded"), launch()]);
      pages = new StatePages({ browser, city });
      await sendLongest(city.instance.url);
    }, 120_000);
    afterAll(async () => {
      await browser?.close();
      await city?.stop();
    });

    test.each(pageStates)("$name is complete, accessible and inside the window", async (pageState) => {
      const { widths = [wide, narrow], language = "en", path, ready, act } = pageState;
      await pages.use(pageState, async ({ page, found }) => {
        await resize(page, widths[0]!);
        await openPath(page, city.instance.url, path);
        await changeVariant(page, { scheme: "dark", language });
        await page.waitForSelector(ready);
        await act?.(page);
        expect([...(await checkPage(page, { language, widths })), ...found.splice(0)]).toEqual([]);
      });
    });
  });
}
