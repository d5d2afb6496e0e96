import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { currentOnly, noCurrent } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { openSignedIn } from "@rollcall/testkit/pages.ts";

const dialog = "[role=dialog]";
const row = "main [role=row][data-index]";
const path = "/jobs/colleagues";

describe("colleagues", () => {
  let city: City;
  beforeAll(async () => {
    city = await startCity("embedded");
  }, 120_000);
  afterAll(async () => await city?.stop());

  describe.skipIf(noCurrent).each(currentOnly)("in Chromium $name", ({ launch }) => {
    let browser: Browser;
    let chief: Page;
    let officer: Page;
    const found: string[][] = [];

    const open = async (username: string) => await openSignedIn(browser, city.instance.url, city.login(username), found);

    beforeAll(async () => {
      browser = await launch();
      [chief, officer] = [await open("police.chief"), await open("police.officer")];
    }, 90_000);
    afterAll(async () => await browser?.close());

    const labelled = async (page: Page) =>
      await page.$$eval(row, (rows) => rows.map((one) => one.textContent?.includes("Night shift")));

    test("a label is created, given to two at once, shown to others live, and taken back", async () => {
      await chief.goto(`${city.instance.url}${path}/labels`);
      await chief.click("main button >> text=New label");
      await chief.fill(`${dialog} label:has-text("Name") ~ div input`, "Night shift");
      await chief.click(`${dialog} button[type=submit]`);
      await chief.waitForSelector("main li >> text=Night shift");

      await officer.goto(`${city.instance.url}${path}`);
      await officer.waitForSelector(row);
      await chief.goto(`${city.instance.url}${path}`);
      await chief.waitForSelector(row);
      for (const at of [0, 1]) await chief.click(`${row} >> nth=${at}`, { modifiers: ["Control"], position: { x: 200, y: 6 } });
      await chief.click("main [role=group] button >> text=Labels");
      await chief.click(`${dialog} label:has-text("Give") ~ div input`);
      await chief.click("[role=option] >> text=Night shift");
      await chief.fill(`${dialog} label:has-text("Reason") ~ div input`, "Late in November");
      await chief.click(`${dialog} button[type=submit]`);
      await expect.poll(async () => (await labelled(officer)).filter(Boolean).length, { timeout: 20_000 }).toBe(2);
      await chief.click("button >> text=Undo");
      await expect.poll(async () => (await labelled(officer)).filter(Boolean).length, { timeout: 20_000 }).toBe(0);
    });

    test("a note is written with a reason, and is not there for who may not read it", async () => {
      await chief.goto(`${city.instance.url}${path}`);
      await chief.click(`${row} >> nth=0`);
      await chief.click("aside button >> text=Note and name");
      await chief.fill(`${dialog} textarea`, "Has the keys of the garage");
      await chief.fill(`${dialog} label:has-text("Suffix") ~ div input`, "FTO");
      await chief.fill(`${dialog} label:has-text("Reason") ~ div input`, "New duties");
      await chief.click(`${dialog} button[type=submit]`);
      await chief.waitForSelector("aside >> text=Has the keys of the garage");
      await chief.waitForSelector("aside li >> text=New duties");
      await officer.click(`${row}:has-text("FTO")`);
      await officer.waitForSelector("aside >> text=Hidden from you for this colleague: Note");
      expect(await officer.$("aside >> text=Has the keys of the garage")).toBeNull();
    });

    test("without a complaint of the browser", () => expect(found.flat()).toEqual([]));
  });
});
