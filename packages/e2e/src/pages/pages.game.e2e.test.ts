import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browsers } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { complaints } from "@rollcall/testkit/inspect.ts";
import { openContext, signInPage } from "@rollcall/testkit/pages.ts";
import { loadPageStates } from "@rollcall/testkit/states.ts";
import { pagePatterns, unvisited } from "@rollcall/testkit/webPages.ts";

const { available, launch } = browsers.find(({ name }) => name === "103")!;
const walked = (await loadPageStates()).filter(({ flow }) => flow !== undefined);
const patterns = await pagePatterns();

/** The window of the in-game tablet. */
const tablet = { width: 1024, height: 700 };

interface Opened {
  readonly page: Page;
  readonly found: string[];
}

/** The main task of every page in the game's browser; what its pages look like is checked in the current one. */
describe.skipIf(!available)("every page in Chromium 103", () => {
  let city: City;
  let browser: Browser;
  const pages = new Map<string, Promise<Opened>>();
  const visited: string[] = [];

  beforeAll(async () => {
    [city, browser] = await Promise.all([startCity("embedded"), launch()]);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await city?.stop();
  });

  async function openAs(as: string | undefined): Promise<Opened> {
    const page = await (await openContext(browser, {}, tablet)).newPage();
    // Shorter than that of a test, so that the failure names the selector.
    page.setDefaultTimeout(20_000);
    const found = complaints(page);
    page.on("framenavigated", () => visited.push(new URL(page.url()).pathname));
    if (as === undefined) return { page, found };
    const { username, password } = city.login(as);
    await signInPage(page, city.instance.url, username, password);
    return { page, found };
  }

  async function pageFor(as: string | undefined): Promise<Opened> {
    const key = as ?? "";
    if (!pages.has(key)) pages.set(key, openAs(as));
    return await pages.get(key)!;
  }

  test.each(walked)("$name: its main task can be done", async ({ as, path, before, ready, flow }) => {
    const { page, found } = await pageFor(as);
    await before?.(page);
    await page.goto(`${city.instance.url}${path}`);
    await page.waitForSelector(ready);
    await flow?.(page);
    expect(found.splice(0)).toEqual([]);
  });

  test("a flow leads to every page that the web registers", () => expect(unvisited(patterns, visited)).toEqual([]));
});

test("a page that no flow leads to is found", () => {
  expect(unvisited(["/", "/citizens", "/citizens/$id", "/panel/new"], ["/", "/citizens/3", "/citizens", "/panel"])).toEqual([
    "/panel/new",
  ]);
});
