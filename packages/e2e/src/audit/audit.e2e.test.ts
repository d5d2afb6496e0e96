import type { Browser, Page } from "playwright-core";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { currentOnly, noCurrent } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { complaints } from "@rollcall/testkit/inspect.ts";
import { changeVariant, frame, openContext, signInPage } from "@rollcall/testkit/pages.ts";
import { until } from "@rollcall/testkit/until.ts";

const row = "[role=row][data-index]";
const box = "main [role=search] input";
const bell = "header button[aria-keyshortcuts=b]";
const dialog = "[role=dialog]";
const toast = "[role=log] [data-tone]";

let city: City;
beforeAll(async () => {
  city = await startCity("embedded");
}, 120_000);
afterAll(async () => await city?.stop());

describe.skipIf(noCurrent).each(currentOnly)("audit and notifications in Chromium $name", ({ launch }) => {
  let browser: Browser;
  let page: Page;
  let other: Page;
  let found: string[];
  const url = (path: string) => `${city.instance.url}${path}`;

  beforeAll(async () => {
    browser = await launch();
    const open = async (login: string) => {
      const { username, password } = city.login(login);
      const opened = await (await openContext(browser)).newPage();
      opened.setDefaultTimeout(20_000);
      await signInPage(opened, city.instance.url, username, password);
      return opened;
    };
    page = await open("admin");
    found = complaints(page);
    other = await open("admin");
    if ((await page.$("text=Leave admin mode")) === null) {
      await page.click(frame);
      await page.click("text=Enter admin mode");
      await page.fill(`${dialog} textarea`, "Ticket 4711");
      await page.click(`${dialog} button[type=submit]`);
      await page.waitForSelector("text=Leave admin mode");
    }
  }, 90_000);
  afterAll(async () => await browser?.close());

  test("a notification arrives live in another browser: toast, count, title; reading it there clears the count here", async () => {
    await page.goto(url("/notifications"));
    await page.waitForSelector("table ~ button");
    await other.goto(url("/"));
    await other.waitForSelector("header button[data-state=up]");
    await page.click("table ~ button");
    await other.waitForSelector(`${toast} >> text=Test notification`);
    await other.waitForSelector(`${bell} >> text=/[1-9]/`);
    await until("a number in the title", async () => (await other.title()).startsWith("("));
    await page.waitForSelector("main [data-unread=true]");
    await other.keyboard.press("b");
    await other.waitForSelector("[role=dialog] [data-unread=true]");
    await other.keyboard.press("Shift+R");
    await other.waitForSelector("[role=dialog] [data-unread=true]", { state: "detached" });
    await page.waitForSelector("main [data-unread=true]", { state: "detached" });
    await until("no number in the title", async () => !(await page.title()).startsWith("("));
    await other.keyboard.press("Escape");
    await other.waitForSelector("[role=dialog]", { state: "detached" });
  });

  test("a disabled kind is no longer shown; its change is found by text and filter, opened and exported", async () => {
    await page.goto(url("/notifications"));
    const sound = page.locator("table tbody tr").first().locator("input").nth(2);
    await sound.waitFor();
    const [answered] = await Promise.all([
      page.waitForResponse((response) => response.request().method() === "PUT"),
      sound.click(),
    ]);
    expect(answered.status()).toBe(200);
    await page.goto(url("/panel/audit"));
    await page.waitForSelector(row);
    await page.fill(box, "notificat prefer");
    await page.waitForURL(/q=notificat/);
    await page.waitForSelector(`${row} >> text=Own notification preferences changed`);
    await page.click("text=Filters");
    await page.fill('main label:has-text("From") ~ div input', "2020-01-01");
    await page.waitForURL(/from=2020-01-01/);
    await page.click(`${row} >> text=Own notification preferences changed`);
    await page.waitForSelector("aside ins >> text=/Bell, Pop-up/");
    await page.waitForSelector("aside del >> text=/Bell, Pop-up/");
    await page.click("aside a >> text=/^History of Account/");
    await page.waitForURL(/kind=account/);
    await page.waitForSelector(`${row} >> text=Own notification preferences changed`);
    await page.click('main button:has-text("Export")');
    await page.click('[role=dialog] button:has-text("CSV")');
    await page.waitForSelector("[role=dialog] a[download]");
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("[role=dialog] a[download]")]);
    const remove = "[role=dialog] li button[aria-label^='Remove export']";
    const question = "[role=dialog]:has(h2:has-text('Remove export'))";
    await page.click(remove);
    await page.waitForSelector(`${question} button:has-text("Cancel"):focus`);
    await page.keyboard.press("Escape");
    await page.waitForSelector(question, { state: "detached" });
    await page.waitForSelector(`${remove}:focus`);
    await page.click(remove);
    await page.click(`${question} button >> text=Remove`);
    await page.waitForSelector(remove, { state: "detached" });
    await page.waitForSelector("[role=dialog] [role=group]:focus");
    await page.keyboard.press("Escape");
    await page.waitForSelector("[role=dialog]", { state: "detached" });
    const [head = "", ...lines] = readFileSync(await download.path(), "utf8").split("\r\n");
    expect(head).toMatch(/\bAction\b/);
    expect(lines.filter((line) => line.includes("notifications.putPreferences"))).not.toEqual([]);
  });

  test("every entry, the filter by action and the changes are readable text, in German too", async () => {
    await page.goto(url("/panel/limits?job=taxi"));
    await page.click("main input[role=switch] >> nth=0");
    const saved = page.waitForResponse((response) => response.request().method() === "PUT");
    await page.click("main button >> text=Save");
    expect((await saved).status()).toBe(200);
    await page.goto(url("/panel/audit"));
    await changeVariant(page, { scheme: "dark", language: "de" });
    await page.waitForSelector(`${row} >> text=Limits eines Jobs geändert`);
    const key = /\b[a-z]+\.[a-z]+[A-Z]?\w*\b/;
    const shown = await page.$$eval(row, (rows) => rows.map((one) => (one as HTMLElement).innerText));
    expect(
      shown.filter((text) => key.test(text.replaceAll(/\b(?:police|medic|mechanic|taxi|family)\.[a-z]+|127\.0\.0\.1/g, ""))),
    ).toEqual([]);
    await page.click("main button[aria-expanded]:has-text('Filter')");
    await page.click("main input[placeholder='Jede Aktion']");
    await page.waitForSelector("[role=option] >> text=Alle Aktionen: Rollen");
    const options = await page.$$eval("[role=option]", (all) => all.map((one) => (one as HTMLElement).innerText));
    expect(options.length).toBeGreaterThan(5);
    expect(options.filter((text) => key.test(text))).toEqual([]);
    await page.click("[role=option] >> text=Limits eines Jobs geändert");
    await page.waitForURL(/action=access\.putLimits/);
    await page.click(`${row} >> nth=0`);
    await page.waitForSelector("aside dt >> text=/^Limits/");
    const changed = await page.$$eval("aside dl dt", (all) => all.map((one) => (one as HTMLElement).innerText));
    expect(changed.filter((text) => key.test(text))).toEqual([]);
    await changeVariant(page, { scheme: "dark", language: "en" });
  });

  test("a search without results says so and can be cleared; there were no errors", async () => {
    await page.goto(url("/panel/audit?q=qqqqzzzzxx"));
    await page.click("main >> text=Clear all >> nth=0");
    await page.waitForSelector(row);
    expect(new URL(page.url()).search).toBe("");
    expect(found).toEqual([]);
  });
});
