import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browsers } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { complaints } from "@rollcall/testkit/inspect.ts";
import { openContext, signInPage } from "@rollcall/testkit/pages.ts";

const dialog = "[role=dialog]";
const option = `${dialog} [role=option]`;
const active = `${option}[aria-selected=true]`;
const group = (name: string) => `${dialog} [role=group][aria-label="${name}"]`;

describe.each(browsers.filter(({ available }) => available))("the global search in Chromium $name", ({ launch }) => {
  let city: City;
  let browser: Browser;
  let page: Page;
  let found: string[];

  const open = async (text = "") => {
    await page.keyboard.press("Control+k");
    await page.waitForSelector(dialog);
    if (text !== "") await page.keyboard.type(text);
  };
  const close = async () => {
    await page.keyboard.press("Escape");
    await page.waitForSelector(dialog, { state: "detached" });
  };
  const home = async () => {
    await page.goto(`${city.instance.url}/`);
    await page.waitForSelector("main h1");
  };

  beforeAll(async () => {
    [city, browser] = await Promise.all([startCity("embedded"), launch()]);
    page = await (await openContext(browser)).newPage();
    page.setDefaultTimeout(20_000);
    found = complaints(page);
    await signInPage(page, city.instance.url, "police.chief", city.login("police.chief").password);
    await page.waitForSelector("main h1");
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await city?.stop();
  });

  test("what is misspelt stands under a line of its own, below what is meant", async () => {
    await home();
    await open("mara lind");
    await page.waitForSelector(`${group("Citizens")} [role=option] >> text=Mara Lind`);
    await page.keyboard.press("Control+a");
    await page.keyboard.type("mara lnid");
    await page.waitForSelector(`${group("Similar spelling")} [role=option] >> text="Mara Lind"`);
    await page.waitForSelector(`${group("Citizens")} [role=option] >> text="Mara Lind"`, { state: "detached" });
    await close();
  });

  test("a kind narrows what is searched; the delete key in the empty field shows everything again", async () => {
    await home();
    await open("lind");
    await page.waitForSelector(`${group("Citizens")} [role=option]`);
    const asked = page.waitForResponse((response) => new URL(response.url()).searchParams.get("kind") === "vehicles");
    await page.click(`${group("Search only in")} >> text=Vehicles`);
    expect((await (await asked).json()).results.every((one: { kind: string }) => one.kind === "vehicles")).toBe(true);
    await page.waitForSelector(group("Citizens"), { state: "detached" });
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Backspace");
    await page.waitForSelector(`${group("Search only in")} [aria-pressed=true] >> text=Everything`);
    await close();
  });

  test("where nothing is found, the list of citizens is offered with the same text", async () => {
    await home();
    await open("Qqqq & Zzzz");
    await page.waitForSelector(
      `${group("Actions")} ${active.replace(`${dialog} `, "")} >> text="Search citizens for “Qqqq & Zzzz”"`,
    );
    await page.waitForSelector(`${dialog} [role=status] >> text=No matches for “Qqqq & Zzzz”`);
    await page.click(`${group("Search only in")} >> text=Vehicles`);
    await page.waitForSelector(option, { state: "detached" });
    await page.click(`${group("Search only in")} >> text=Everything`);
    await page.waitForSelector(active);
    await page.keyboard.press("Enter");
    await page.waitForURL(({ pathname, searchParams }) => pathname === "/citizens" && searchParams.get("q") === "Qqqq & Zzzz");
    expect(await page.inputValue("main [role=search] input")).toBe("Qqqq & Zzzz");
  });

  test("actions of a hit are reached and left with the keyboard", async () => {
    await home();
    await open("mara lind");
    await page.waitForSelector(`${active} >> text=Mara Lind`);
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector(`${group("Actions for Mara Lind")} ${active.replace(`${dialog} `, "")} >> text=Open`);
    await page.keyboard.press("Escape");
    await page.waitForSelector(`${active} >> text=Mara Lind`);
    await page.keyboard.press("ArrowRight");
    await page.waitForSelector(`${active} >> text=Open`);
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/citizens\/\d+$/);
    await page.waitForSelector(dialog, { state: "detached" });
  });

  test("without a text the latest stand first", async () => {
    const isKept = async () =>
      await page.evaluate(() => Object.keys(localStorage).some((name) => name.startsWith("rollcall.recent.")));
    await expect.poll(isKept).toBe(true);
    await open();
    await page.waitForSelector(`${group("Recently opened")} [role=option] >> text=Mara Lind`);
    expect(await page.textContent(active)).toContain("Mara Lind");
    await close();
    expect(found).toEqual([]);
  });
});
