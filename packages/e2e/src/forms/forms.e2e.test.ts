import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browsers } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { openPath } from "@rollcall/testkit/inPlace.ts";
import { complaints } from "@rollcall/testkit/inspect.ts";
import { openContext, signInPage } from "@rollcall/testkit/pages.ts";

const dialog = "[role=dialog]";
const conflict = `${dialog}:has-text("Somebody else changed this in the meantime")`;
const question = `${dialog}:has-text("Leave without saving?")`;

interface TestedForm {
  readonly what: string;
  readonly as: string;
  /** The form is in a dialog, which is closed instead of leaving the page. */
  readonly inDialog: boolean;
  /** The field that the test changes. */
  readonly field: string;
  /** What the banner of a found draft and the bar are in. */
  readonly form: string;
  open(page: Page, url: string): Promise<void>;
}

const title = "Radio check";

const forms: readonly TestedForm[] = [
  {
    what: "a notice",
    as: "police.chief",
    inDialog: true,
    field: `${dialog} form textarea`,
    form: `${dialog} form`,
    async open(page, url) {
      if (new URL(page.url()).pathname !== "/") await page.goto(`${url}/`);
      await page.click(`button[aria-label="Edit “${title}”"]`);
      await page.waitForSelector(`${dialog} form textarea`);
    },
  },
  {
    what: "the properties of a job",
    as: "police.chief",
    inDialog: false,
    field: "main form textarea",
    form: "main form",
    async open(page, url) {
      await openPath(page, url, "/panel/jobs");
      await page.waitForSelector("main form textarea");
    },
  },
  {
    what: "the settings",
    as: "admin",
    inDialog: false,
    field: 'main label:text-is("Name of the community") ~ div input',
    form: "main form",
    async open(page, url) {
      await openPath(page, url, "/panel/settings");
      await page.waitForSelector("main form");
    },
  },
];

describe.each(browsers.filter(({ available }) => available))("forms in Chromium $name", ({ launch, name }) => {
  let city: City;
  let browser: Browser;
  beforeAll(async () => {
    [city, browser] = await Promise.all([startCity("embedded"), launch()]);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await city?.stop();
  });

  describe.each(forms)("$what", ({ as, inDialog, field, form, open: openForm }) => {
    let desk: Page;
    let phone: Page;
    const found: string[][] = [];

    async function device(): Promise<Page> {
      const page = await (await openContext(browser)).newPage();
      page.setDefaultTimeout(20_000);
      found.push(complaints(page));
      await signInPage(page, city.instance.url, as, city.login(as).password);
      await page.waitForSelector("main h1");
      return page;
    }

    beforeAll(async () => {
      [desk, phone] = [await device(), await device()];
      if (!inDialog) return;
      await desk.click("main button >> text=New notice");
      await desk.fill(`${dialog} label:has-text("Title") ~ div input`, title);
      await desk.click(`${dialog} button[type=submit]`);
      await desk.waitForSelector(dialog, { state: "detached" });
      await phone.waitForSelector(`main article:has-text("${title}")`);
    }, 90_000);
    afterAll(async () => {
      await desk?.context().close();
      await phone?.context().close();
    });

    const open = async (page: Page) => await openForm(page, city.instance.url);
    const value = async (page: Page) => await page.inputValue(field);
    const shows = async (page: Page, text: string) => await expect.poll(async () => await value(page)).toBe(text);
    /** Saved, so that nothing is unsaved: the dialog closes, the bar goes. */
    const saved = async (page: Page) =>
      await page.waitForSelector(inDialog ? dialog : `${form} button[type=submit]`, { state: "detached" });
    const save = async (page: Page) => {
      await page.click(`${form} button[type=submit]`);
      await saved(page);
    };
    /** Types, and waits until the server has the draft. */
    const draft = async (page: Page, text: string) => {
      const kept = page.waitForResponse((one) => one.url().includes("/api/drafts/") && one.request().method() === "PUT");
      await page.fill(field, text);
      expect((await kept).status()).toBe(200);
    };
    const close = async (page: Page) => {
      if (inDialog) await page.keyboard.press("Escape");
      else await page.click('nav a[href="/"]');
    };
    const text = (what: string) => `${what} (${name})`;

    test("a conflict shows both versions, and the chosen one is saved; by mouse", async () => {
      await open(desk);
      await desk.fill(field, text("From the desk"));
      await open(phone);
      await phone.fill(field, text("From the phone"));
      await save(phone);
      await desk.click(`${form} button[type=submit]`);
      await desk.waitForSelector(`${conflict} >> text=From the desk`);
      await desk.waitForSelector(`${conflict} >> text=From the phone`);
      expect(await desk.isDisabled(`${conflict} button >> text=Save selection`)).toBe(true);
      await desk.click(`${conflict} label:has-text("Your version")`);
      await desk.click(`${conflict} button >> text=Save selection`);
      await desk.waitForSelector(conflict, { state: "detached" });
      await saved(desk);
      await open(phone);
      await shows(phone, text("From the desk"));
      if (inDialog) await close(phone);
    });

    test("and by keyboard, where the version of the other is kept", async () => {
      await open(desk);
      await desk.focus(field);
      await desk.keyboard.press("End");
      await desk.keyboard.type("!");
      await open(phone);
      await phone.focus(field);
      await phone.keyboard.press("End");
      await phone.keyboard.type("?");
      await phone.keyboard.press("Control+s");
      await saved(phone);
      await desk.focus(field);
      await desk.keyboard.press("Control+s");
      await desk.waitForSelector(conflict);
      await desk.focus(`${conflict} input[type=radio]`);
      await desk.keyboard.press("ArrowRight");
      expect(await desk.isChecked(`${conflict} label:has-text("Saved version") input`)).toBe(true);
      await desk.focus(`${conflict} button:has-text("Save selection")`);
      await desk.keyboard.press("Enter");
      await desk.waitForSelector(conflict, { state: "detached" });
      await saved(desk);
      await open(desk);
      await shows(desk, `${text("From the desk")}?`);
      if (inDialog) await close(desk);
    });

    test("leaving asks; staying keeps the text, and a kept draft is back with a banner", async () => {
      await open(desk);
      const before = await value(desk);
      await desk.fill(field, text("Half a thought"));
      await close(desk);
      // The question closes by a key once it has the focus.
      await desk.waitForSelector(`${question}:focus-within`);
      await desk.keyboard.press("Escape");
      await desk.waitForSelector(question, { state: "detached" });
      expect(await value(desk)).toBe(text("Half a thought"));
      await close(desk);
      await desk.click(`${question} button >> text=Keep as draft`);
      await desk.waitForSelector(field, { state: "detached" });
      if (!inDialog) await desk.waitForSelector("nav a:has-text('Unsaved draft')", { state: "attached" });
      await open(desk);
      await desk.waitForSelector(`${form} >> text=Your draft from`);
      await shows(desk, text("Half a thought"));
      await desk.click(`${form} [role=status] button >> text=Discard`);
      await shows(desk, before);
      await close(desk);
      await desk.waitForSelector(field, { state: "detached" });
      expect(await desk.$(question)).toBeNull();
      expect(await desk.$("nav a:has-text('Unsaved draft')")).toBeNull();
    });

    test("a draft is offered on another device, and used", async () => {
      await open(desk);
      await draft(desk, text("Begun at the desk"));
      await open(phone);
      await phone.waitForSelector(`${form} >> text=on another device`);
      expect(await value(phone)).not.toBe(text("Begun at the desk"));
      await phone.focus(`${form} button:has-text("Use draft")`);
      await phone.keyboard.press("Enter");
      await shows(phone, text("Begun at the desk"));
      await save(phone);
    });

    test("a draft that somebody's change has overtaken is not put over it", async () => {
      // A browser asks about unsaved text only where the page was used by hand, and complains elsewhere.
      await desk.click(field);
      await desk.reload();
      await open(desk);
      await shows(desk, text("Begun at the desk"));
      await desk.fill(field, text("Typed before"));
      await close(desk);
      await desk.click(`${question} button >> text=Keep as draft`);
      await desk.waitForSelector(field, { state: "detached" });
      await open(phone);
      await phone.fill(field, text("Saved meanwhile"));
      await save(phone);
      await open(desk);
      await desk.waitForSelector(`${form} >> text=but this was changed since then`);
      await shows(desk, text("Saved meanwhile"));
      await desk.click(`${form} button >> text=Use draft`);
      await desk.click(`${conflict} label:has-text("Your version")`);
      await desk.click(`${conflict} button >> text=Use selection`);
      await shows(desk, text("Typed before"));
      await save(desk);
      await open(phone);
      await shows(phone, text("Typed before"));
      if (inDialog) await close(phone);
    });

    test("without a connection the text stays, survives a reload, and is saved afterwards", async () => {
      await open(desk);
      await desk.context().setOffline(true);
      await desk.fill(field, text("Written offline"));
      await desk.click(`${form} button[type=submit]`);
      await desk.waitForSelector(`${form} [role=alert] >> text=The server cannot be reached`);
      expect(await value(desk)).toBe(text("Written offline"));
      await desk.context().setOffline(false);
      await desk.waitForSelector(`${form} [role=status] >> text=The server is back`);
      expect(await desk.$(`${form} [role=alert]`)).toBeNull();
      await desk.reload();
      await open(desk);
      await shows(desk, text("Written offline"));
      await save(desk);
      await open(phone);
      await shows(phone, text("Written offline"));
    });

    test("there were no errors", () => {
      const expected = /409|ERR_INTERNET_DISCONNECTED/;
      expect(found.flat().filter((one) => !expected.test(one))).toEqual([]);
    });
  });

  test("the settings ask before a job with members means being off duty", async () => {
    const page = await (await openContext(browser)).newPage();
    page.setDefaultTimeout(20_000);
    await signInPage(page, city.instance.url, "admin", city.login("admin").password);
    await page.goto(`${city.instance.url}/panel/settings`);
    const names = page.locator('main label:text-is("Other names for off duty") ~ div input').first();
    await names.fill("taxi:ambulance");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+s");
    const asked = page.locator(`${dialog}:has-text("Does taxi mean ambulance, off duty?")`);
    await asked.locator("text=characters have the job taxi").waitFor();
    await asked.locator("button", { hasText: "Cancel" }).click();
    await asked.waitFor({ state: "detached" });
    await page.waitForSelector("main form [role=alert] >> text=taxi");
    await page.keyboard.press("Control+s");
    await asked.locator("button", { hasText: "Yes, it means off duty" }).click();
    await page.waitForSelector("main form button[type=submit]", { state: "detached" });
    await page.reload();
    await page.waitForSelector("main form >> text=taxi:ambulance");
    await page.context().close();
  });
});
