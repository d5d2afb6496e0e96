import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browsers } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { StatePages } from "@rollcall/testkit/statePages.ts";
import { loadPageStates } from "@rollcall/testkit/states.ts";
import { pagePatterns, unvisited } from "@rollcall/testkit/webPages.ts";

const { available, launch } = browsers.find(({ name }) => name === "103")!;
const walked = (await loadPageStates()).filter(({ flow }) => flow !== undefined);
const patterns = await pagePatterns();

/** The window of the in-game tablet. */
const tablet = { width: 1024, height: 700 };

/** The main task of every page in the game's browser; what its pages look like is checked in the current one. */
describe.skipIf(!available)("every page in Chromium 103", () => {
  let city: City;
  let browser: Browser;
  let pages: StatePages;
  const visited: string[] = [];

  const onOpen = (page: Page) => {
    // Shorter than that of a test, so that the failure names the selector.
    page.setDefaultTimeout(20_000);
    page.on("framenavigated", () => visited.push(new URL(page.url()).pathname));
  };

  beforeAll(async () => {
    [city, browser] = await Promise.all([startCity("embedded"), launch()]);
    pages = new StatePages({ browser, city, viewport: tablet, onOpen });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await city?.stop();
  });

  test.each(walked)("$name: its main task can be done", async (pageState) => {
    await pages.use(pageState, async ({ page, found }) => {
      await page.goto(`${city.instance.url}${pageState.path}`);
      await page.waitForSelector(pageState.ready);
      await pageState.flow?.(page);
      expect(found.splice(0)).toEqual([]);
    });
  });

  test("a flow leads to every page that the web registers", () => expect(unvisited(patterns, visited)).toEqual([]));
});

test("a page that no flow leads to is found", () => {
  expect(unvisited(["/", "/citizens", "/citizens/$id", "/panel/new"], ["/", "/citizens/3", "/citizens", "/panel"])).toEqual([
    "/panel/new",
  ]);
});
