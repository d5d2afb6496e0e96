import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browsers } from "#kit/browsers.ts";
import { type City, startCity } from "#kit/city.ts";
import { complaints } from "#kit/inspect.ts";
import { openContext, signInPage } from "#kit/pages.ts";

const dialog = "[role=dialog]";

describe("notices and the message of the day", () => {
  let city: City;
  beforeAll(async () => {
    city = await startCity("embedded");
  }, 120_000);
  afterAll(async () => await city?.stop());

  describe.each(browsers.filter(({ available }) => available))("in Chromium $name", ({ launch, name }) => {
    const title = `Radio check ${name}`;
    const card = `main article:has-text("${title}")`;
    let browser: Browser;
    let chief: Page;
    let officer: Page;
    let medic: Page;
    const found: string[][] = [];

    async function open(username: string): Promise<Page> {
      const page = await (await openContext(browser)).newPage();
      page.setDefaultTimeout(20_000);
      found.push(complaints(page));
      await signInPage(page, city.place.url, username, city.login(username).password);
      await page.waitForSelector("main h1");
      return page;
    }

    beforeAll(async () => {
      browser = await launch();
      [chief, officer, medic] = [await open("police.chief"), await open("police.officer"), await open("medic")];
    }, 90_000);
    afterAll(async () => await browser?.close());

    test("a notice reaches the open pages of those whom its list names, and nobody else", async () => {
      await chief.click("main button >> text=New notice");
      await chief.fill(`${dialog} label:has-text("Title") ~ div input`, title);
      await chief.fill(`${dialog} textarea`, "Channel 3, all units.");
      await chief.click(`${dialog} button[type=submit]`);
      await officer.waitForSelector(card);
      await chief.waitForSelector(card);
      expect(await officer.$(`${card} button >> nth=1`)).toBeNull();
      expect(await medic.$(card)).toBeNull();
      await officer.click(`${card} button`);
      await officer.waitForSelector(`${dialog} >> text=by the entry “Police Department · Cadet”`);
      await officer.keyboard.press("Escape");
    });

    test("taken down it leaves them, and comes back when that is undone", async () => {
      await chief.click(`${card} button >> nth=2`);
      await officer.waitForSelector(card, { state: "detached" });
      await chief.click(`text=Undo`);
      await officer.waitForSelector(card);
    });

    test("the message of the day shows at once to the members", async () => {
      await chief.goto(`${city.place.url}/panel/jobs`);
      await chief.fill("main textarea", `Briefing at 20:00 (${name})`);
      await chief.click("main button[type=submit]");
      await officer.waitForSelector(`main section >> text=Briefing at 20:00 (${name})`);
      expect(await medic.$("text=Briefing at 20:00")).toBeNull();
    });

    test("nothing complained", () => expect(found.flat()).toEqual([]));
  });
});
