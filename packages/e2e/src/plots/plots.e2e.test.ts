import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browsers } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { accessibility, complaints, overflow } from "@rollcall/testkit/inspect.ts";
import { drawn, openContext, signInPage } from "@rollcall/testkit/pages.ts";

const line = 'figure[data-kind="line"]';

describe("plots", () => {
  let city: City;
  beforeAll(async () => {
    city = await startCity("embedded");
    for (let i = 0; i < 3; i += 1)
      await fetch(`${city.instance.url}/api/auth/login`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-rollcall": "1", origin: city.instance.url },
        body: JSON.stringify({ username: "nobody", password: `not a password ${i}` }),
      });
  }, 120_000);
  afterAll(async () => await city?.stop());

  describe.each(browsers.map((one) => [one.name, one] as const))("in Chromium %s", (name, { available, launch }) => {
    let browser: Browser;
    beforeAll(async () => {
      if (available) browser = await launch();
    }, 90_000);
    afterAll(async () => await browser?.close());

    test.skipIf(!available).each([
      ["dark", 1440],
      ["light", 390],
    ] as const)("say their values by keyboard and as a table (%s, %i)", async (scheme, width) => {
      const page: Page = await (await openContext(browser, { language: "en", scheme }, { width, height: 900 })).newPage();
      page.setDefaultTimeout(20_000);
      const found = complaints(page);
      const shot = async (what: string) => {
        const folder = process.env["ROLLCALL_SHOTS"];
        if (folder !== undefined) await page.screenshot({ path: `${folder}/${what}-${name}-${scheme}-${width}.png` });
      };
      await signInPage(page, city.instance.url, "admin", city.login("admin").password);

      await page.goto(`${city.instance.url}/panel/schedule`);
      const run = 'main button[aria-label^="Run now: Remove ended sessions"]';
      await page.click(run);
      await page.click('main article:has-text("auth.cleanUp") summary:has-text("Done")');
      // A plot is drawn once it comes near the window, and a schedule that runs may move down the list.
      await page.locator(line).scrollIntoViewIfNeeded();
      const canvas = await page.waitForSelector(`${line} .uplot canvas`, { state: "attached" });
      const readAgain = page.waitForResponse((one) => new URL(one.url()).pathname === "/api/scheduler");
      await page.click(run);
      await readAgain;
      await drawn(page);
      expect(await canvas.evaluate((one) => one.isConnected)).toBe(true);
      await page.focus(`${line} [role=slider]`);
      await page.waitForSelector(`${line} [data-testid=readout]:has-text("ms")`);
      await shot("line");

      await page.goto(`${city.instance.url}/panel/status`);
      const bars = page.locator('figure[data-kind="bars"]');
      await bars.scrollIntoViewIfNeeded();
      const slider = bars.locator("[role=slider]");
      await slider.focus();
      const today = await slider.getAttribute("aria-valuetext");
      expect(today).toMatch(/Unknown user name [1-9]/);
      await page.keyboard.press("ArrowLeft");
      expect(await slider.getAttribute("aria-valuenow")).toBe("28");
      await page.keyboard.press("End");
      expect(await slider.getAttribute("aria-valuetext")).toBe(today);
      expect(await bars.locator("[data-testid=readout] a").count()).toBe(2);
      await shot("bars");
      await page.locator('figure[data-kind="heat"]').scrollIntoViewIfNeeded();
      await page.waitForSelector('figure[data-kind="heat"] canvas');
      await shot("heat");
      await bars.locator("button >> text=Show as table").click();
      await bars.locator("table").waitFor();
      expect(await bars.locator("tbody tr").count()).toBe(30);
      expect(await overflow(page)).toEqual([]);
      expect(await accessibility(page)).toEqual([]);
      expect(found).toEqual([]);
      await page.close();
    });
  });
});
