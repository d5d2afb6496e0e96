import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { currentOnly, noCurrent } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { openSignedIn } from "@rollcall/testkit/pages.ts";

const dialog = "[role=dialog]";
const path = "/absences";
const officerName = "Mateo Hernández";
const waiting = `main [data-waiting] li:has-text("${officerName}")`;
const field = (label: string) => `${dialog} label:has-text("${label}") ~ div input`;

describe("absences", () => {
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

    test("one is asked for by keyboard, approved in another window, and shown live in calendar, list and profile", async () => {
      await chief.goto(`${city.instance.url}${path}`);
      await chief.waitForSelector("main [data-calendar]");
      await officer.goto(`${city.instance.url}${path}?ask=1`);
      await officer.waitForSelector(`${dialog} form`);
      await officer.focus(field("Kind"));
      await officer.keyboard.press("ArrowDown");
      // The list opens a moment after the key.
      await officer.waitForSelector("[role=option][data-combobox-selected]");
      for (const key of ["ArrowDown", "Enter"]) await officer.keyboard.press(key);
      await officer.waitForSelector(`${dialog} >> text=Somebody of a higher grade has to approve it.`);
      await officer.focus(`${dialog} textarea`);
      await officer.keyboard.type("Family visit");
      await officer.focus(`${dialog} button[type=submit]`);
      await officer.keyboard.press("Enter");
      await officer.waitForSelector(dialog, { state: "detached" });
      await officer.waitForSelector("main li >> text=Waiting for approval");

      await chief.waitForSelector(`${waiting} >> text=Family visit`);
      await officer.goto(`${city.instance.url}/jobs/colleagues?q=Mateo`);
      const row = `main [role=row][data-index]:has-text("${officerName}")`;
      await officer.waitForSelector(row);
      expect(await officer.$(`${row} [data-absent]`)).toBeNull();
      await chief.click(`${waiting} button >> text=Approve`);
      await chief.waitForSelector(waiting, { state: "detached" });
      await officer.waitForSelector(`${row} [data-absent] >> text=Absent until`);
      await chief.waitForSelector(`main table tr:has(th:has-text("${officerName}")) td span[data-state=approved]`);
      await chief.goto(`${city.instance.url}/jobs/colleagues?absent=yes`);
      await chief.click(row);
      await chief.waitForSelector("aside [data-absent] >> text=Absent until");
      await officer.goto(`${city.instance.url}${path}`);
      await officer.click("main button >> text=Cancel absence");
      await officer.click(`${dialog} button >> text=Cancel absence`);
      await chief.waitForSelector("aside [data-absent]", { state: "detached" });
      expect(found.flat()).toEqual([]);
    }, 90_000);
  });
});
