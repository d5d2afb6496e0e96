import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendTo } from "@rollcall/testkit/api.ts";
import { browsers } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { complaints } from "@rollcall/testkit/inspect.ts";
import { checkPage, resize } from "@rollcall/testkit/pageChecks.ts";
import { changeVariant, openContext, signInPage } from "@rollcall/testkit/pages.ts";
import { loadPageStates, longest, longestVehicle, narrow, wide } from "@rollcall/testkit/states.ts";

const { available, launch } = browsers.find(({ name }) => name === "current")!;
const pageStates = await loadPageStates();

/** Every page state in the current Chromium: both schemes, both widths and both languages. */
describe.skipIf(!available)("every page", () => {
  let city: City;
  let browser: Browser;
  const contexts = new Map<string, Promise<BrowserContext>>();

  beforeAll(async () => {
    [city, browser] = await Promise.all([startCity("embedded"), launch()]);
    for (const [kind, item] of [
      ["users", longest],
      ["vehicles", longestVehicle],
    ] as const)
      expect((await sendTo(city.instance.url, kind, [item])).body).toMatchObject({ accepted: 1 });
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await city?.stop();
  });

  async function signedIn(as: string | undefined): Promise<BrowserContext> {
    const context = await openContext(browser);
    if (as === undefined) return context;
    const page = await context.newPage();
    const { username, password } = city.login(as);
    await signInPage(page, city.instance.url, username, password);
    await page.close();
    return context;
  }

  /** One context for each account, so that it signs in once. */
  async function pageOf(as: string | undefined): Promise<Page> {
    const key = as ?? "";
    if (!contexts.has(key)) contexts.set(key, signedIn(as));
    return await (await contexts.get(key)!).newPage();
  }

  test.each(pageStates)("$name is complete, accessible and inside the window", async (pageState) => {
    const { widths = [wide, narrow], language = "en" } = pageState;
    const page = await pageOf(pageState.as);
    const found = complaints(page);
    await resize(page, widths[0]!);
    await pageState.before?.(page);
    await page.goto(`${city.instance.url}${pageState.path}`);
    await page.waitForSelector("#root > *", { state: "attached" });
    await changeVariant(page, { scheme: "dark", language });
    await page.waitForSelector(pageState.ready);
    await pageState.lead?.(page);
    expect(await checkPage(page, { language, widths })).toEqual([]);
    await changeVariant(page, { scheme: "dark", language: "en" });
    await page.close();
    expect(found).toEqual([]);
  });
});
