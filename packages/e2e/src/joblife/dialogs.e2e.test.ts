import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browsers } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { openSignedIn } from "@rollcall/testkit/pages.ts";

const dialog = "[role=dialog]";
const row = "main [role=row][data-index]";
const question = `${dialog}:has-text("Leave without saving?")`;

/** Where the keyboard is, and what of a page of the job is in view. */
describe.each(browsers.filter(({ available }) => available))("pages of a job in Chromium $name", ({ launch }) => {
  let city: City;
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    [city, browser] = await Promise.all([startCity("embedded"), launch()]);
    page = await openSignedIn(browser, city.instance.url, city.login("police.chief"), []);
  }, 150_000);
  afterAll(async () => {
    await browser?.close();
    await city?.stop();
  });

  const go = async (path: string, ready: string, width = 1280) => {
    await page.setViewportSize({ width, height: 768 });
    await page.goto(`${city.instance.url}${path}`);
    await page.waitForSelector(ready);
  };
  const focused = async (selector: string) =>
    await expect
      .poll(async () => await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector))
      .toBe(true);
  const gone = async (selector: string) => await page.waitForSelector(selector, { state: "detached" });

  test("the question before leaving gives the focus back to the field", async () => {
    await go("/calls?new=1", `${dialog} form textarea`);
    await page.fill(`${dialog} form textarea`, "Smoke above the harbour");
    for (const stay of ["Escape", "button"]) {
      await page.keyboard.press("Escape");
      await page.waitForSelector(question);
      if (stay === "Escape") await page.keyboard.press("Escape");
      else await page.click(`${question} button >> text=Stay here`);
      await gone(question);
      await focused("[role=dialog] form textarea");
    }
    await page.keyboard.press("Escape");
    await page.click(`${question} button >> text=Discard`);
    await gone(dialog);
  });

  test("a dialog opens with the focus in its first field, also when its form comes later", async () => {
    await go("/calls?new=1", `${dialog} form`);
    await focused("[role=dialog] form input");
    await go("/absences", "main h1");
    await page.click('main button[aria-haspopup=dialog]:has-text("an absence")');
    await page.waitForSelector(`${dialog} form`);
    await focused("[role=dialog] form input");
  });

  test("a call without a message says so at the field, in words", async () => {
    await go("/calls?new=1", `${dialog} form`);
    await page.click(`${dialog} button[type=submit]`);
    await page.waitForSelector(`${dialog} form >> text=Say what happened. This type has no usual message.`);
    expect(await page.getAttribute(`${dialog} textarea`, "aria-invalid")).toBe("true");
  });

  test("after a new call the focus is in the panel of the call", async () => {
    await go("/calls?new=1", `${dialog} form`);
    await page.fill(`${dialog} form textarea`, "A boat drifts out of the harbour");
    await page.click(`${dialog} button[type=submit]`);
    await gone(dialog);
    await page.waitForSelector("aside h2");
    await focused("aside, aside *");
  });

  test("a time that is on no clock is refused at its field", async () => {
    await go("/jobs/timeclock", "main button[data-missing]");
    await page.click("main button[data-missing]");
    for (const [at, time] of [
      ["from", "04:10"],
      ["to", "25:99"],
    ] as const)
      await page.locator(`${dialog} [data-path=${at}] input`).nth(1).fill(time);
    await page.fill(`${dialog} textarea`, "Forgotten");
    await page.click(`${dialog} button[type=submit]`);
    await page.waitForSelector(`${dialog} [data-path=to] >> text=Enter a time between 00:00 and 23:59:59`);
  });

  test("the list of calls on the tablet has the state, and the number of reports is not cut off", async () => {
    await go("/calls?q=rob", row, 1024);
    expect(await page.textContent("main [role=columnheader] >> text=State")).toBe("State");
    const cut = await page.$$eval("[data-alerts]", (badges) =>
      badges.some(
        (badge) => badge.getBoundingClientRect().right > badge.closest("[role=gridcell]")!.getBoundingClientRect().right,
      ),
    );
    expect(await page.locator("[data-alerts]").count()).toBeGreaterThan(0);
    expect(cut).toBe(false);
  });

  test("the calendar of a month begins with today in view, and is no wider than the window", async () => {
    await go("/absences", "main table[data-calendar]", 1024);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
    const inView = await page.$eval("main table[data-calendar] th[aria-current]", (cell) => {
      const [box, around] = [cell.getBoundingClientRect(), cell.closest(".rc-scroll")!.getBoundingClientRect()];
      return box.left >= around.left && box.right <= around.right + 1;
    });
    expect(inView).toBe(true);
  });

  test("after labels of several people were changed, and after the way back, the focus stays on the list", async () => {
    await go("/jobs/colleagues", row);
    for (const at of [0, 1]) await page.click(`${row} >> nth=${at}`, { modifiers: ["Control"], position: { x: 200, y: 6 } });
    await page.click("main [role=group] button >> text=Labels");
    await page.waitForSelector(`${dialog} form`);
    await page.click(`${dialog} input >> nth=0`);
    await page.click("[role=option] >> nth=0");
    await page.keyboard.press("Escape");
    await page.locator(`${dialog} label:has-text("Reason") ~ div input`).fill("Course passed");
    await page.click(`${dialog} button[type=submit]`);
    await gone(dialog);
    await focused("main *");
    await page.click("[role=log] button >> text=Undo");
    await page.waitForSelector("[role=log] >> text=The change was undone.");
    await focused("main *");
  });
});
