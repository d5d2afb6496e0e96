import type { Browser, Page } from "playwright-core";
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

interface Opened {
  readonly page: Page;
  /** Its errors so far. */
  readonly found: string[];
}

/** Every page state in the current Chromium: both schemes, both widths and both languages. */
describe.skipIf(!available)("every page", () => {
  let city: City;
  let browser: Browser;
  const pages = new Map<string, Opened>();

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

  async function openAs(as: string): Promise<Opened> {
    const page = await (await openContext(browser)).newPage();
    const opened = { page, found: complaints(page) };
    if (as === "") return opened;
    const { username, password } = city.login(as);
    await signInPage(page, city.instance.url, username, password);
    return opened;
  }

  /** A page for each account is kept, as a new one costs a process; not after a failure, so that others start clean. */
  async function take(as = ""): Promise<Opened> {
    const opened = pages.get(as) ?? (await openAs(as));
    pages.delete(as);
    return opened;
  }

  /** A new page for a state that changes what its page can do. */
  async function openBeside(kept: Opened, before: (page: Page) => Promise<unknown>): Promise<Opened> {
    const page = await kept.page.context().newPage();
    await before(page);
    return { page, found: complaints(page) };
  }

  test.each(pageStates)("$name is complete, accessible and inside the window", async (pageState) => {
    const { widths = [wide, narrow], language = "en" } = pageState;
    const kept = await take(pageState.as);
    const { page, found } = pageState.before ? await openBeside(kept, pageState.before) : kept;
    await resize(page, widths[0]!);
    await page.goto(`${city.instance.url}${pageState.path}`);
    await page.waitForSelector("#root > *", { state: "attached" });
    await changeVariant(page, { scheme: "dark", language });
    await page.waitForSelector(pageState.ready);
    await pageState.lead?.(page);
    expect([...(await checkPage(page, { language, widths })), ...found.splice(0)]).toEqual([]);
    if (pageState.before) await page.close();
    else await page.unrouteAll();
    pages.set(pageState.as ?? "", kept);
  });
});
