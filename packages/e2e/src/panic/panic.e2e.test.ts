import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browsers } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { changeVariant, openSignedIn } from "@rollcall/testkit/pages.ts";

const button = "main button:has-text('PANIC')";
const alarm = "[role=alert] [data-panic]";

describe("the panic button", () => {
  let city: City;
  const found: (readonly string[])[] = [];
  beforeAll(async () => {
    city = await startCity("embedded");
  }, 120_000);
  afterAll(async () => await city?.stop());

  /** Signed in and on duty by hand. */
  async function onDuty(browser: Browser, login: string): Promise<Page> {
    const page = await openSignedIn(browser, city.instance.url, city.login(login), found);
    await changeVariant(page, { language: "en", scheme: "dark" });
    await page.goto(`${city.instance.url}/duty`);
    await page.click("main [data-own-duty] button >> text=Go on duty");
    await page.waitForSelector("main [data-own-duty] >> text=Go off duty");
    return page;
  }

  describe.each(browsers.filter(({ available, name }) => available && name === "current"))("in Chromium $name", ({ launch }) => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launch();
    });
    afterAll(async () => await browser?.close());

    test("alarms colleagues when it is held, until one of them acknowledges, and is ended by a dispatcher", async () => {
      const [officer, chief] = [await onDuty(browser, "police.officer"), await onDuty(browser, "police.chief")];
      await officer.goto(`${city.instance.url}/`);
      const { x, y, width, height } = (await (await officer.waitForSelector(button)).boundingBox())!;
      await officer.mouse.move(x + width / 2, y + height / 2);
      await officer.mouse.down();
      await officer.mouse.up();
      await officer.waitForSelector("text=Nothing was sent");
      await officer.mouse.down();
      await officer.waitForSelector(`${alarm} button >> text=Cancel`);
      await officer.mouse.up();

      await chief.waitForSelector(`${alarm}[data-ringing]`);
      await expect.poll(async () => await chief.title()).toContain("PANIC");
      // Also on another page.
      await chief.click("nav a >> text=Units");
      await chief.click(`${alarm} button >> text=Acknowledge`);
      await chief.waitForSelector(`${alarm}:not([data-ringing])`);
      await expect.poll(async () => await chief.title()).not.toContain("PANIC");
      await officer.waitForSelector(`${alarm} >> text=is responding`);

      await chief.click(`${alarm} a >> text=Open`);
      await chief.click("aside button >> text=End the panic");
      await chief.fill("[role=dialog] label:has-text('Note') ~ div input", "Officer is safe");
      await chief.click("[role=dialog] button[type=submit]");
      await chief.waitForSelector(alarm, { state: "detached" });
      await chief.waitForSelector("aside >> text=Officer is safe");
      await officer.waitForSelector(alarm, { state: "detached" });
      expect(found.flat()).toEqual([]);
    });
  });
});
