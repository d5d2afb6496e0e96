import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { currentOnly, noCurrent } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { complaints } from "@rollcall/testkit/inspect.ts";
import { openContext, signInPage } from "@rollcall/testkit/pages.ts";

const profile = "Open a citizen's profile";
const listing = "List and search citizens";
const row = "[role=row][data-index]";
const forbidden = "text=Your role does not open this";
const dialog = "[role=dialog]";

describe.skipIf(noCurrent).each(currentOnly)("roles in Chromium $name", ({ launch }) => {
  let city: City;
  let browser: Browser;
  let page: Page;
  let found: string[];

  beforeAll(async () => {
    [city, browser] = await Promise.all([startCity("embedded"), launch()]);
    page = await signedIn("police.chief");
    found = complaints(page);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await city?.stop();
  });

  async function signedIn(login: string): Promise<Page> {
    const opened = await (await openContext(browser)).newPage();
    const { username, password } = city.login(login);
    await signInPage(opened, city.instance.url, username, password);
    return opened;
  }

  const open = async (path: string) => {
    await page.goto(`${city.instance.url}${path}`);
    await page.waitForSelector("main h1");
  };
  const toggle = (right: string) => `fieldset:has(legend:text-is("${right}"))`;
  const chosen = async (right: string) => await page.getAttribute(`${toggle(right)} label[data-on=true]`, "data-said");
  const menu = async (entry: string) => {
    await page.click("main button[aria-haspopup=menu]");
    await page.click(`[role=menuitem] >> text=${entry}`);
  };
  const verdict = async (right: string) => await page.getAttribute(`[data-decision]:has-text("${right}")`, "data-decision");

  test("a role is created, changed with the keyboard and takes effect, and the change is undone", async () => {
    await open("/panel/roles?grade=4");
    await page.click("main button >> text=Create a role");
    await page.waitForSelector("text=Create a role", { state: "detached" });
    expect(await chosen(listing)).toBe("inherit");
    await page.focus(`${toggle(listing)} input:checked`);
    await page.keyboard.press("ArrowLeft");
    expect(await chosen(listing)).toBe("deny");
    await page.waitForSelector("text=1 unsaved change");

    await page.reload();
    await page.waitForSelector("text=1 unsaved change");
    expect(await chosen(listing)).toBe("deny");
    await page.click("main button >> text=Save");
    await page.waitForSelector("text=1 unsaved change", { state: "detached" });
    expect(await chosen(listing)).toBe("deny");

    await open("/panel/rights?who=g4");
    await page.waitForSelector("text=denied from grade 4");
    expect([await verdict(listing), await verdict(profile)]).toEqual(["false", "true"]);

    await open("/panel/roles?grade=4");
    await page.waitForSelector(toggle(listing));
    await menu("History");
    await page.waitForSelector(`${dialog} del`);
    await page.click(`${dialog} button >> text=Undo`);
    await page.waitForSelector(`${dialog} ol > li >> nth=2`);
    await page.keyboard.press("Escape");
    await page.waitForSelector(dialog, { state: "detached" });
    expect(await chosen(listing)).toBe("inherit");
    await menu("Delete this role");
    await page.waitForSelector("main button >> text=Create a role");
  });

  test("removing a right from oneself is refused with a message, and the draft stays", async () => {
    await open("/panel/roles?grade=5");
    await page.click(`${toggle(profile)} label[data-said=deny]`);
    await page.click("main button >> text=Save");
    await page.waitForSelector("[role=alert] >> text=This would take");
    expect(await chosen(profile)).toBe("deny");
    await page.click("main button >> text=Discard");
    expect(await chosen(profile)).toBe("inherit");
    expect(await page.$("[role=alert]")).toBeNull();
  });

  test("a role is copied as text, pasted into another as a proposal, and discarded", async () => {
    await open("/panel/roles?grade=0");
    await page.waitForSelector(toggle(profile));
    await menu("Copy as text");
    const text = await page.inputValue(`${dialog} textarea[readonly]`);
    expect(JSON.parse(text)).toMatchObject({ rollcall: "role", grants: { "citizens.view": { allow: true } } });
    await page.keyboard.press("Escape");
    await open("/panel/roles?grade=5");
    await page.waitForSelector(toggle(profile));
    await menu("Paste a role");
    await page.fill(`${dialog} textarea`, "not a role");
    await page.waitForSelector("text=This is not the text of a role.");
    await page.fill(`${dialog} textarea`, text);
    await page.click(`${dialog} button >> text=Take over as a draft`);
    await page.waitForSelector("text=unsaved change");
    expect(await chosen(profile)).toBe("allow");
    await page.click("main button >> text=Discard");
    await expect.poll(async () => await chosen(profile)).toBe("inherit");
  });

  test("viewed as a lower grade the page is that of the grade, until the view is ended", async () => {
    await open("/panel/roles?grade=2");
    await page.waitForSelector(toggle(profile));
    await menu("See as this grade");
    await page.waitForSelector("text=You see as grade 2 Senior Officer");
    await page.waitForSelector('nav a[href="/panel/roles"]', { state: "detached" });
    await page.waitForSelector(forbidden);
    await page.reload();
    await page.waitForSelector("text=You see as grade 2 Senior Officer");
    await page.click("text=Stop");
    await page.waitForSelector('nav a[href="/panel/roles"]');
    await page.waitForSelector(toggle(profile));
    expect(await page.$("text=You see as grade")).toBeNull();
  });

  test("another person's open page closes when the role loses the right, and opens again with it", async () => {
    const officer = await signedIn("police.officer");
    await officer.goto(`${city.instance.url}/citizens`);
    await officer.waitForSelector(row);
    await open("/panel/roles?grade=1");
    await page.click("main button >> text=Create a role");
    await page.waitForSelector("text=Create a role", { state: "detached" });
    await page.click(`${toggle(listing)} label[data-said=deny]`);
    await page.click("main button >> text=Save");
    await officer.waitForSelector(forbidden);
    expect(await officer.$(row)).toBeNull();
    await page.waitForSelector("text=unsaved change", { state: "detached" });
    await page.click(`${toggle(listing)} label[data-said=inherit]`);
    await page.click("main button >> text=Save");
    await officer.waitForSelector(row);
    await officer.context().close();
  });

  test("there were no errors", () => expect(found).toEqual([]));
});
