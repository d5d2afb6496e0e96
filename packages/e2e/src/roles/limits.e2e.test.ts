import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { currentOnly, noCurrent } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { complaints } from "@rollcall/testkit/inspect.ts";
import { chooseInMenu, frame, openContext, signInPage } from "@rollcall/testkit/pages.ts";

const dialog = "[role=dialog]";
const limited = "main label:has-text('This job has limits')";
const vehicles = "main section label:has-text('List and search vehicles')";
const profile = 'main section label:has-text("Open a citizen\'s profile")';
const newest = `${dialog} ol > li:first-child`;

describe.skipIf(noCurrent).each(currentOnly)("limits of a job in Chromium $name", ({ launch }) => {
  let city: City;
  let browser: Browser;
  let page: Page;
  let found: string[];

  beforeAll(async () => {
    [city, browser] = await Promise.all([startCity("embedded"), launch()]);
    page = await (await openContext(browser)).newPage();
    page.setDefaultTimeout(20_000);
    found = complaints(page);
    const { username, password } = city.login("admin");
    await signInPage(page, city.instance.url, username, password);
    await page.click(frame);
    await page.click("text=Enter admin mode");
    await page.fill(`${dialog} textarea`, "Ticket 4711");
    await page.click(`${dialog} button[type=submit]`);
    await page.waitForSelector("text=Leave admin mode");
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await city?.stop();
  });

  const save = async () => {
    await page.click("main button >> text=Save");
    await page.waitForSelector("main button >> text=Save", { state: "detached" });
  };
  const history = async () => {
    await page.click("main button >> text=History");
    await page.waitForSelector(dialog);
  };
  const close = async () => {
    await page.keyboard.press("Escape");
    await page.waitForSelector(dialog, { state: "detached" });
  };
  const entries = async (count: number) => {
    await page.waitForSelector(`${dialog} ol > li >> nth=${count - 1}`);
    expect(await page.locator(`${dialog} ol > li`).count()).toBe(count);
  };
  const ticked = async (label: string) =>
    await page.locator(label).locator("xpath=ancestor::*[.//input][1]//input").first().isChecked();

  test("every change is listed with what it was before, and is undone as a new change", async () => {
    await page.goto(`${city.instance.url}/panel/limits?job=taxi`);
    await page.waitForSelector(limited);
    await history();
    await page.waitForSelector("text=The limits of this job have never been changed.");
    await close();
    await page.click(limited);
    await page.click(vehicles);
    await save();
    await page.click(profile);
    await save();
    await history();
    await entries(2);
    expect(await page.innerText(newest)).toMatch(/Open a citizen's profile\s+can grant → cannot grant/);
    expect(await page.innerText(`${dialog} ol > li:last-child`)).toContain("Limits were turned on");
    await page.click(`${newest} button >> text=Undo`);
    await entries(3);
    expect(await page.innerText(newest)).toMatch(/Open a citizen's profile\s+cannot grant → can grant/);
    await close();
    await page.waitForSelector(profile);
    expect([await ticked(profile), await ticked(vehicles)]).toEqual([true, false]);
  });

  test("undoing a change that a later one overlaps is refused with a message, in both languages", async () => {
    await history();
    await page.click(`${dialog} ol > li:nth-child(2) button >> text=Undo`);
    await page.waitForSelector(`${dialog} [role=alert] >> text=“Open a citizen's profile” was changed again after that.`);
    await page.click(`${newest} button >> text=Undo`);
    await entries(4);
    await page.click(`${dialog} ol > li:last-child button >> text=Undo`);
    await page.waitForSelector(`${dialog} [role=alert] >> text=The limits of this job were changed again`);
    await entries(4);
    await close();
    await chooseInMenu(page, "Deutsch");
    await page.click("main button >> text=Verlauf");
    await page.click(`${dialog} ol > li:last-child button >> text=Rückgängig`);
    await page.waitForSelector(
      `${dialog} [role=alert] >> text=Die Limits dieses Jobs wurden nach dieser Änderung noch einmal geändert.`,
    );
    await close();
    await chooseInMenu(page, "English");
  });

  test("there were no errors", () => expect(found).toEqual([]));
});
