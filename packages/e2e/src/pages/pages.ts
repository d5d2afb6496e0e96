import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendTo } from "@rollcall/testkit/api.ts";
import type { TestedBrowser } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { accessibility, complaints, overflow, screenshot } from "@rollcall/testkit/inspect.ts";
import { unreachable } from "@rollcall/testkit/keyboard.ts";
import { changeVariant, drawn, type PageVariant, openContext, signInPage } from "@rollcall/testkit/pages.ts";
import { shownTexts, untranslated } from "@rollcall/testkit/texts.ts";
import { loadPageStates, longest, longestVehicle, narrow, type PageState, wide } from "@rollcall/testkit/states.ts";

const pageStates = await loadPageStates();
const heights: Readonly<Record<number, number>> = { [wide]: 900, [narrow]: 844 };
const textKey = /\{\{|\}\}|\b(?:web|auth|citizens|vehicles|home|search|system|jobs)\.[a-z]\w*(?:\.\w+)+/g;

/** Jobs, grades and logins of the demo city that are also texts of the interface. */
const gameNames = new Set(["Mechanic", "Owner", "citizen"]);

/** Checks every page state in one browser, in both themes, both widths and both languages. */
export function describePages({ name: browserName, available, launch }: TestedBrowser): void {
  describe.skipIf(!available)(`every page in Chromium ${browserName}`, () => {
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
    async function contextOf(as: string | undefined): Promise<BrowserContext> {
      const key = as ?? "";
      if (!contexts.has(key)) contexts.set(key, signedIn(as));
      return await contexts.get(key)!;
    }

    /** The checks of every page in every language. */
    async function inspect(page: Page, look: PageVariant, width: number, about: "everything" | "colours"): Promise<void> {
      const place = `${width} px, ${look.scheme}, ${look.language}`;
      await page.setViewportSize({ width, height: heights[width]! });
      await changeVariant(page, look);
      await drawn(page);
      expect([place, await overflow(page)]).toEqual([place, []]);
      expect([place, await accessibility(page, about)]).toEqual([place, []]);
      const text = await page.evaluate(() => document.body.innerText);
      expect([place, text.match(textKey)]).toEqual([place, null]);
      if (look.language === "de") expect([place, untranslated(await shownTexts(page), gameNames)]).toEqual([place, []]);
    }

    /** Checks both themes. All of axe runs at the first width only, as others show the same elements. */
    async function look(page: Page, { name, language = "en" }: PageState, width: number, first: boolean): Promise<void> {
      for (const scheme of ["light", "dark"] as const) {
        await inspect(page, { scheme, language }, width, first && scheme === "dark" ? "everything" : "colours");
        await screenshot(page, `${name}-${browserName}-${scheme}-${width}`);
      }
    }

    test.each(pageStates)("$name is complete, accessible and inside the window", async (pageState) => {
      const { widths = [wide, narrow], language = "en" } = pageState;
      const context = await contextOf(pageState.as);
      const page = await context.newPage();
      const found = complaints(page);
      await page.setViewportSize({ width: widths[0]!, height: heights[widths[0]!]! });
      await pageState.before?.(page);
      await page.goto(`${city.instance.url}${pageState.path}`);
      await page.waitForSelector("#root > *", { state: "attached" });
      await changeVariant(page, { scheme: "dark", language });
      await page.waitForSelector(pageState.ready);
      await pageState.lead?.(page);
      for (const width of widths) await look(page, pageState, width, width === widths[0]);
      expect(await unreachable(page)).toEqual([]);
      if (language === "en") {
        await inspect(page, { scheme: "dark", language: "de" }, widths.at(-1)!, "everything");
        expect(await unreachable(page)).toEqual([]);
      }
      await changeVariant(page, { scheme: "dark", language: "en" });
      await page.close();
      expect(found).toEqual([]);
    });
  });
}
