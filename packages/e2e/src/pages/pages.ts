import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendTo } from "#kit/api.ts";
import type { TestedBrowser } from "#kit/browsers.ts";
import { type City, startCity } from "#kit/city.ts";
import { accessibility, complaints, overflow, shoot } from "#kit/inspect.ts";
import { unreachable } from "#kit/keyboard.ts";
import { changeLook, drawn, type Look, openContext, signInPage } from "#kit/pages.ts";
import { leftInEnglish } from "#kit/words.ts";
import { longest, longestVehicle } from "./sights/core.ts";
import { sights } from "./sights/index.ts";
import { narrow, type Sight, wide } from "./sights/sight.ts";

const heights: Readonly<Record<number, number>> = { [wide]: 900, [narrow]: 844 };
const textKey = /\{\{|\}\}|\b(?:web|auth|citizens|vehicles|home|search|system|jobs)\.[a-z]\w*(?:\.\w+)+/g;

/** Jobs, grades and logins of the demo city that are words of ours too. */
const gameNames = new Set(["Mechanic", "Owner", "citizen"]);

/** Looks at every sight in one browser, in both themes, both widths and both languages. */
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
        expect((await sendTo(city.place.url, kind, [item])).body).toMatchObject({ accepted: 1 });
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
      await signInPage(page, city.place.url, username, password);
      await page.close();
      return context;
    }

    /** One context for each account, so that it signs in once. */
    async function contextOf(as: string | undefined): Promise<BrowserContext> {
      const key = as ?? "";
      if (!contexts.has(key)) contexts.set(key, signedIn(as));
      return await contexts.get(key)!;
    }

    /** What holds of every page in every language. */
    async function inspect(page: Page, look: Look, width: number, about: "everything" | "colours"): Promise<void> {
      const place = `${width} px, ${look.scheme}, ${look.language}`;
      await page.setViewportSize({ width, height: heights[width]! });
      await changeLook(page, look);
      await drawn(page);
      expect([place, await overflow(page)]).toEqual([place, []]);
      expect([place, await accessibility(page, about)]).toEqual([place, []]);
      const text = await page.evaluate(() => document.body.innerText);
      expect([place, text.match(textKey)]).toEqual([place, null]);
      if (look.language === "de") expect([place, await leftInEnglish(page, gameNames)]).toEqual([place, []]);
    }

    /** In both themes. Another width shows the same elements elsewhere, so all of axe runs at the first one only. */
    async function look(page: Page, { name, language = "en" }: Sight, width: number, first: boolean): Promise<void> {
      for (const scheme of ["light", "dark"] as const) {
        await inspect(page, { scheme, language }, width, first && scheme === "dark" ? "everything" : "colours");
        await shoot(page, `${name}-${browserName}-${scheme}-${width}`);
      }
    }

    test.each(sights)("$name is complete, accessible and inside the window", async (sight) => {
      const { widths = [wide, narrow], language = "en" } = sight;
      const context = await contextOf(sight.as);
      const page = await context.newPage();
      const found = complaints(page);
      await page.setViewportSize({ width: widths[0]!, height: heights[widths[0]!]! });
      await sight.before?.(page);
      await page.goto(`${city.place.url}${sight.path}`);
      await page.waitForSelector("#root > *", { state: "attached" });
      await changeLook(page, { scheme: "dark", language });
      await page.waitForSelector(sight.ready);
      await sight.lead?.(page);
      for (const width of widths) await look(page, sight, width, width === widths[0]);
      expect(await unreachable(page)).toEqual([]);
      if (language === "en") {
        await inspect(page, { scheme: "dark", language: "de" }, widths.at(-1)!, "everything");
        expect(await unreachable(page)).toEqual([]);
      }
      await changeLook(page, { scheme: "dark", language: "en" });
      await page.close();
      expect(found).toEqual([]);
    });
  });
}
