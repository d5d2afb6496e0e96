import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { currentOnly, noCurrent } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { complaints } from "@rollcall/testkit/inspect.ts";
import { openContext, signInPage } from "@rollcall/testkit/pages.ts";

const dialog = "[role=dialog]";
const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("notices and the message of the day", () => {
  let city: City;
  beforeAll(async () => {
    city = await startCity("embedded");
  }, 120_000);
  afterAll(async () => await city?.stop());

  describe.skipIf(noCurrent).each(currentOnly)("in Chromium $name", ({ launch, name }) => {
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
      await signInPage(page, city.instance.url, username, city.login(username).password);
      await page.waitForSelector("main h1");
      return page;
    }

    beforeAll(async () => {
      browser = await launch();
      [chief, officer, medic] = [await open("police.chief"), await open("police.officer"), await open("medic")];
    }, 90_000);
    afterAll(async () => await browser?.close());

    test("a notice reaches the open pages of viewers on its access list, and no others", async () => {
      await chief.click("main button >> text=New notice");
      await chief.fill(`${dialog} label:has-text("Title") ~ div input`, title);
      await chief.fill(`${dialog} textarea`, "Channel 3, all units.");
      await chief.click(`${dialog} button[type=submit]`);
      await officer.waitForSelector(card);
      await chief.waitForSelector(card);
      expect(await officer.$(`${card} button >> nth=1`)).toBeNull();
      expect(await medic.$(card)).toBeNull();
      await officer.click(`${card} button`);
      await officer.waitForSelector(`${dialog} >> text=because of the entry “Police Department · Cadet”`);
      await officer.keyboard.press("Escape");
    });

    test("the search opens the editor of a new notice from any page, for those who may write one", async () => {
      const command = `${dialog} [role=option]:has-text("New notice")`;
      const search = async (page: Page) => {
        await page.keyboard.press("Control+k");
        await page.waitForSelector(dialog);
        await page.keyboard.type("notice");
      };
      await search(officer);
      await officer.waitForSelector(`${dialog} [role=status] >> text=/No matches|entr/`);
      expect(await officer.$(command)).toBeNull();
      await officer.keyboard.press("Escape");
      await chief.goto(`${city.instance.url}/citizens`);
      await chief.waitForSelector("[role=row][data-index]");
      for (const place of ["another page", "the home page"]) {
        await search(chief);
        await chief.click(command);
        await chief.waitForSelector(`${dialog} label:has-text("Title") ~ div input:focus`);
        await chief.keyboard.press("Escape");
        await chief.waitForSelector(dialog, { state: "detached" });
        expect([place, new URL(chief.url()).pathname + new URL(chief.url()).search]).toEqual([place, "/"]);
      }
    });

    test("a removed notice disappears from them, and returns when that is undone", async () => {
      await chief.click(`${card} button >> nth=2`);
      await officer.waitForSelector(card, { state: "detached" });
      await chief.click(`text=Undo`);
      await officer.waitForSelector(card);
    });

    test("a notice cannot be put up while its file is being sent", async () => {
      const sent = Promise.withResolvers<void>();
      await chief.route("**/api/files/**", async (route) => {
        if (route.request().method() !== "GET") await sent.promise;
        await route.continue();
      });
      const submit = `${dialog} button[type=submit]`;
      await chief.click("main button >> text=New notice");
      await chief.fill(`${dialog} label:has-text("Title") ~ div input`, `With a map ${name}`);
      await chief.waitForSelector(`${submit}:not(:disabled)`);
      await chief.setInputFiles(`${dialog} input[type=file]`, { name: "map.png", mimeType: "image/png", buffer: pixel });
      await chief.waitForSelector(`${submit}:disabled`);
      sent.resolve();
      await chief.click(`${submit}:not(:disabled)`);
      await chief.waitForSelector(`main article:has-text("With a map ${name}") >> text=map.png`);
    });

    test("a viewer who may not search citizens is offered none, and sees the missing right", async () => {
      const boss = await open("mechanic.boss");
      const own = `main article:has-text("Dinner ${name}")`;
      await boss.click("main button >> text=New notice");
      await boss.waitForSelector(`${dialog} >> text=To add people, you need the permission “`);
      expect(await boss.$(`${dialog} button >> text=Add a person`)).toBeNull();
      await boss.click(`${dialog} button >> text=Add a job`);
      await boss.fill(`${dialog} label:has-text("Title") ~ div input`, `Dinner ${name}`);
      await boss.fill(`${dialog} label:has-text("Job") ~ div input >> nth=1`, "Police");
      await boss.click("[role=option]:visible >> text=Police Department");
      await boss.click(`${dialog} button[type=submit]`);
      await boss.click(`${own} button`);
      await boss.waitForSelector(`${dialog} >> text=To see how many people of other jobs can open it`);
      // Head counts come after the explanation.
      await boss.waitForSelector(`${dialog} section li >> text=/ people| person/`);
      const rows = await boss.$$eval(`${dialog} section li`, (all) => all.map((one) => one.textContent));
      expect(rows.filter((row) => row?.includes("Police Department"))).toEqual([expect.not.stringMatching(/ people| person/)]);
      expect(rows.some((row) => / people| person/.test(row ?? ""))).toBe(true);
      expect(await boss.$(`${dialog} >> text=Check a person's access`)).toBeNull();
      await boss.keyboard.press("Escape");
    });

    test("the message of the day is shown at once to the members", async () => {
      await chief.goto(`${city.instance.url}/panel/jobs`);
      await chief.fill("main textarea", `Briefing at 20:00 (${name})`);
      await chief.click("main button[type=submit]");
      await officer.waitForSelector(`main section >> text=Briefing at 20:00 (${name})`);
      expect(await medic.$("text=Briefing at 20:00")).toBeNull();
    });

    test("there were no errors", () => expect(found.flat()).toEqual([]));
  });
});
