import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { currentOnly, noCurrent } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { complaints } from "@rollcall/testkit/inspect.ts";
import { openContext, signInPage } from "@rollcall/testkit/pages.ts";
import { until } from "@rollcall/testkit/until.ts";

const profile = "Open a citizen's profile";
const listing = "List and search citizens";
const row = "[role=row][data-index]";
const forbidden = "text=You do not have access to this page";
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
  /** Whether an entry of the open menu is red, and how far below the one before it. */
  const look = async (entry: string) =>
    await page.locator(`[role=menuitem]:has-text("${entry}")`).evaluate((node) => {
      const [red = 0, green = 0, blue = 0] = getComputedStyle(node)
        .color.match(/[\d.]+/g)!
        .map(Number);
      const all = [...node.ownerDocument.querySelectorAll("[role=menuitem]")];
      const before = all[all.indexOf(node) - 1]!;
      const gap = node.getBoundingClientRect().top - before.getBoundingClientRect().bottom;
      return { red: red > green + 50 && red > blue + 50, apart: gap > 4 };
    });
  const verdict = async (right: string) => await page.getAttribute(`[data-decision]:has-text("${right}")`, "data-decision");

  test("a role is created by its first choice, changed with the keyboard and takes effect, and the change is undone", async () => {
    await open("/panel/roles?grade=4");
    await page.waitForSelector(toggle(listing));
    expect(await chosen(listing)).toBe("inherit");
    await page.focus(`${toggle(listing)} input:checked`);
    await page.keyboard.press("ArrowLeft");
    expect(await chosen(listing)).toBe("deny");
    await page.waitForSelector("[role=status] >> text=1 unsaved change");
    await page.waitForSelector("[role=status] >> text=/affected/");

    await page.reload();
    await page.waitForSelector("text=1 unsaved change");
    expect(await chosen(listing)).toBe("deny");
    await page.keyboard.press("Control+s");
    await page.waitForSelector("[role=log] >> text=/^Saved, .* affected$/");
    expect(await chosen(listing)).toBe("deny");

    await open("/panel/rights?who=g4");
    await page.waitForSelector("text=/denied, from .*\\(4\\) up/");
    expect([await verdict(listing), await verdict(profile)]).toEqual(["false", "true"]);

    await open("/panel/roles?grade=4");
    await page.waitForSelector(toggle(listing));
    await menu("History");
    await page.waitForSelector(`${dialog} del`);
    await page.click(`${dialog} button >> text=Undo`);
    await page.waitForSelector(`${dialog} ol > li >> nth=1`);
    await page.keyboard.press("Escape");
    await page.waitForSelector(dialog, { state: "detached" });
    expect(await chosen(listing)).toBe("inherit");
  });

  test("deleting a role names what changes and whom it hits, asks first, and is undone from the message", async () => {
    await open("/panel/roles?grade=4");
    await page.click(`${toggle(listing)} label[data-said=deny]`);
    await page.click("main button >> text=Save");
    await page.waitForSelector("main button >> text=Save", { state: "detached" });
    await page.click("main button[aria-haspopup=menu]");
    await page.waitForSelector("[role=menuitem]");
    expect([await look("Delete this role"), await look("Copy as text")]).toEqual([
      { red: true, apart: true },
      { red: false, apart: false },
    ]);
    await page.click("[role=menuitem] >> text=Delete this role");
    await page.waitForSelector(`${dialog} >> text=/(person gains|people gain) 1 permission/`);
    await page.waitForSelector(`${dialog} li >> text=${listing}`);
    await page.click(`${dialog} button >> text=Cancel`);
    expect(await chosen(listing)).toBe("deny");
    await menu("Delete this role");
    await page.waitForSelector(`${dialog} li`);
    await page.click(`${dialog} button >> text=Delete this role`);
    await expect.poll(async () => await chosen(listing)).toBe("inherit");
    const message = "[role=log] > div:has-text('was deleted')";
    await page.click(`${message} >> button >> text=Undo`);
    await expect.poll(async () => await chosen(listing)).toBe("deny");
    await page.click(`${toggle(listing)} label[data-said=inherit]`);
    await page.click("main button >> text=Save");
    await page.waitForSelector("main button >> text=Save", { state: "detached" });
  });

  test.each([
    [390, 844],
    [1024, 768],
  ])("the bar that saves is in view wherever the page is scrolled, at %i x %i", async (width, height) => {
    const before = page.viewportSize()!;
    try {
      await page.setViewportSize({ width, height });
      await open("/panel/roles?grade=0");
      await page.click(`${toggle(listing)} label[data-said=deny]`);
      const save = page.locator("main button:has-text('Save')");
      await save.waitFor();
      const last = page.locator("main fieldset").last();
      for (const end of [toggle(listing), last]) {
        await (typeof end === "string" ? page.locator(end) : end).scrollIntoViewIfNeeded();
        const shown = await save.evaluate((node) => {
          const { bottom, height, left, right, top, width } = node.getBoundingClientRect();
          const inside = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
          return inside && node.contains(document.elementFromPoint(left + width / 2, top + height / 2));
        });
        expect(shown).toBe(true);
      }
      expect(
        await page
          .locator("main fieldset")
          .first()
          .evaluate((node) => node.getBoundingClientRect().top),
      ).toBeLessThan(0);
      await page.click("main button >> text=Discard");
    } finally {
      await page.setViewportSize(before);
    }
  });

  test.each([
    [390, 844],
    [1440, 900],
  ])("the message with the way back covers nothing that one can scroll to, at %i x %i", async (width, height) => {
    const before = page.viewportSize()!;
    const message = "[role=log] > div:has-text('Saved')";
    try {
      await page.setViewportSize({ width, height });
      await open("/panel/roles?grade=4");
      await page.click(`${toggle(listing)} label[data-said=deny]`);
      await page.click("main button >> text=Save");
      await page.hover(`${message} >> text=Undo`);
      const covered = await page.evaluate(async () => {
        const last = [...document.querySelectorAll("main fieldset label")].at(-1)!;
        for (let one = last.parentElement; one; one = one.parentElement)
          if (getComputedStyle(one).overflowY === "auto") one.scrollTop = one.scrollHeight;
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        return last.getBoundingClientRect().bottom - document.querySelector("[role=log]")!.getBoundingClientRect().top;
      });
      expect(covered).toBeLessThanOrEqual(0);
      await page.click(`${message} >> button >> text=Undo`);
      await expect.poll(async () => await chosen(listing)).toBe("inherit");
    } finally {
      await page.setViewportSize(before);
    }
  });

  test("a bundle is chosen, looked at and applied to the draft, or cancelled before or after the choice", async () => {
    await open("/panel/roles?grade=0");
    await page.waitForSelector(toggle(listing));
    const apply = `${dialog} button:has-text("Apply to draft")`;
    for (const chooses of [false, true]) {
      await page.click("main button >> text=Apply a bundle");
      await page.waitForSelector(`${dialog} input:focus`);
      expect(await page.isDisabled(apply)).toBe(true);
      if (chooses) {
        await page.click(`${dialog} input`);
        await page.click("[role=option] >> text=Medics");
        await page.waitForSelector(`${dialog} del`);
        expect(await page.isDisabled(apply)).toBe(false);
      }
      await page.click(`${dialog} button >> text=Cancel`);
      await page.waitForSelector(dialog, { state: "detached" });
      expect(await page.$("main button >> text=Save")).toBeNull();
    }
    await page.click("main button >> text=Apply a bundle");
    await page.click(`${dialog} input`);
    await page.click("[role=option] >> text=Medics");
    await page.click(apply);
    await page.waitForSelector("text=/unsaved change/");
    await page.click("main button >> text=Discard");
  });

  test("entering admin mode leaves the choice of other jobs, and its address", async () => {
    const admin = await signedIn("admin");
    try {
      await admin.goto(`${city.instance.url}/panel/roles?grade=jobs`);
      await admin.click("main button >> text=Enter admin mode");
      await admin.fill(`${dialog} textarea`, "Ticket 4711");
      await admin.click(`${dialog} button[type=submit]`);
      await admin.waitForSelector("text=Leave admin mode");
      await admin.waitForURL(`${city.instance.url}/panel/roles`);
      await admin.goBack();
      expect(admin.url()).not.toContain("grade=jobs");
    } finally {
      await admin.context().close();
    }
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

  test("a role that could not be saved for lack of a server stays on screen with its draft", async () => {
    await open("/panel/roles?grade=4");
    await page.waitForSelector(toggle(profile));
    await page.focus(`${toggle(profile)} input:checked`);
    await page.keyboard.press("ArrowLeft");
    await page.waitForSelector("text=1 unsaved change");
    let reads = 0;
    await page.route("**/api/**", async (route) => {
      if (route.request().url().includes("/api/access/") && route.request().method() === "GET") reads += 1;
      await route.abort("connectionrefused");
    });
    await page.keyboard.press("Control+s");
    await page.waitForSelector("main [role=alert]");
    // The role is read again after the failed save, and twice more before that has failed too.
    await until("the role is read three times", () => reads >= 3);
    await page.waitForSelector("[role=status] >> text=1 unsaved change");
    expect(await page.isVisible(toggle(profile))).toBe(true);
    await page.unroute("**/api/**");
    await page.click("main button >> text=Discard");
    await page.waitForSelector("text=1 unsaved change", { state: "detached" });
    found.splice(0);
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
    await page.waitForSelector("text=This is not the text of a role. Copy it again with “Copy as text”.");
    await page.fill(`${dialog} textarea`, text);
    await page.click(`${dialog} button >> text=Apply to draft`);
    await page.waitForSelector("text=unsaved change");
    expect(await chosen(profile)).toBe("allow");
    await page.click("main button >> text=Discard");
    await expect.poll(async () => await chosen(profile)).toBe("inherit");
  });

  test("viewed as a lower grade the page is that of the grade, until the view is ended", async () => {
    await open("/panel/roles?grade=2");
    await page.waitForSelector(toggle(profile));
    await menu("See as this grade");
    await page.waitForSelector("text=You see Rollcall as grade 2 Senior Officer");
    await page.waitForSelector('nav a[href="/panel/roles"]', { state: "detached" });
    await page.waitForSelector(forbidden);
    await page.reload();
    await page.waitForSelector("text=You see Rollcall as grade 2 Senior Officer");
    await page.click("text=Stop");
    await page.waitForSelector('nav a[href="/panel/roles"]');
    await page.waitForSelector(toggle(profile));
    expect(await page.$("text=You see Rollcall as grade")).toBeNull();
  });

  test("another person's open page closes when the role loses the right, and opens again with it", async () => {
    const officer = await signedIn("police.officer");
    await officer.goto(`${city.instance.url}/citizens`);
    await officer.waitForSelector(row);
    await open("/panel/roles?grade=1");
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

  test("admin mode is offered once to somebody who needs it for the roles of a job", async () => {
    const admin = await signedIn("admin");
    await admin.goto(`${city.instance.url}/panel/roles?grade=jobs`);
    await admin.waitForSelector("main h2");
    expect(await admin.locator("main >> text='Enter admin mode'").count()).toBe(1);
    await admin.context().close();
  });

  test("there were no errors", () => expect(found).toEqual([]));
});
