import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { currentOnly, noCurrent } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { atNowhere, nowhere, pushPath } from "@rollcall/testkit/inPlace.ts";
import { openContext, signInPage } from "@rollcall/testkit/pages.ts";
import { run } from "@rollcall/testkit/program.ts";

const row = "[role=row][data-index]";

describe.skipIf(noCurrent).each(currentOnly)("pages behave, in Chromium $name", ({ launch }) => {
  let city: City;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    [city, browser] = await Promise.all([startCity("embedded"), launch()]);
    page = await (await openContext(browser)).newPage();
    page.setDefaultTimeout(20_000);
    const { username, password } = city.login("police.chief");
    await signInPage(page, city.instance.url, username, password);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await city?.stop();
  });

  test.each([
    ["exports", "/panel/audit", `main button:has-text("Export")`],
    ["saved views", "/citizens", `main button[aria-haspopup=dialog]:has-text("Views")`],
    ["a new notice", "/", `main button:has-text("New notice")`],
  ])("the dialog of %s gives the focus back to its button", async (_what, path, button) => {
    await page.goto(`${city.instance.url}${path}`);
    await page.focus(button);
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=dialog]:focus-within");
    await page.keyboard.press("Escape");
    await page.waitForSelector("[role=dialog]", { state: "detached" });
    await page.waitForSelector(`${button}:focus`);
  });

  const openCitizens = async () => {
    await page.goto(city.instance.url);
    await page.waitForSelector("main h1");
    await page.focus("nav a[href='/citizens']");
    await page.keyboard.press("Enter");
    await page.waitForSelector(row);
  };
  const announced = async (text: string) =>
    await page.waitForSelector(`[role=status].rc-hidden:text-is("${text}")`, { state: "attached" });

  test("a page that opens is announced, and so is a record that opens on it", async () => {
    await openCitizens();
    await announced("Citizens");
    await page.click(row);
    await page.waitForURL(/\/citizens\/\d+/);
    await announced(`${(await page.textContent("aside h2"))!} · Citizens`);
  });

  test("a page without a name takes back what was announced before it", async () => {
    await openCitizens();
    await announced("Citizens");
    await pushPath(page, nowhere);
    await page.waitForSelector(atNowhere);
    await page.waitForSelector("[role=status].rc-hidden:text-is('Citizens')", { state: "detached" });
  });

  test("the heading of a page that opens has the focus; a record that opens leaves it in the list", async () => {
    await openCitizens();
    await page.waitForSelector("main h1:focus");
    await page.click(row);
    await page.waitForURL(/\/citizens\/\d+/);
    await page.waitForSelector("aside h2");
    await page.waitForSelector(`${row}:focus`);
  });

  test("the error of a field has the colour of errors, also before the sign-in", async () => {
    const context = await openContext(browser);
    try {
      const outside = await context.newPage();
      await outside.goto(`${city.instance.url}/register#not-a-token`);
      await outside.fill("input[name=username]", "mara");
      await outside.fill("input[name=password]", "a fine password");
      await outside.press("input[name=password]", "Enter");
      await outside.waitForSelector("input[name=token][aria-invalid=true]");
      const colours = await outside.evaluate(() => {
        const probe = document.body.appendChild(document.createElement("i"));
        probe.style.color = "var(--mantine-color-error)";
        const error = document.querySelector("main form p[id$=-error]")!;
        return [getComputedStyle(error).color, getComputedStyle(probe).color];
      });
      expect(colours[0]).toBe(colours[1]);
    } finally {
      await context.close();
    }
  });

  describe("for a config admin", () => {
    let admin: Page;
    beforeAll(async () => {
      admin = await (await openContext(browser)).newPage();
      admin.setDefaultTimeout(20_000);
      const { username, password } = city.login("admin");
      await signInPage(admin, city.instance.url, username, password);
    }, 60_000);
    afterAll(async () => await admin?.context().close());

    test("a phone's list of accounts says who is an admin", async () => {
      await admin.setViewportSize({ width: 390, height: 844 });
      await admin.goto(`${city.instance.url}/panel/accounts?only=admins`);
      expect(await admin.innerText(row)).toContain("config admin");
      await admin.goto(`${city.instance.url}/panel/accounts?q=police.chief`);
      await admin.waitForSelector(`${row} >> text=police.chief`);
      expect(await admin.innerText(row)).not.toContain("admin");
      await admin.setViewportSize({ width: 1440, height: 900 });
    });

    test("the home page says who has admin powers, and when the last backup was made that was read back", async () => {
      const card = "section[aria-label='This installation'] li";
      await admin.goto(city.instance.url);
      await admin.waitForSelector(`${card} >> text="1 account has admin powers: admin."`);
      await admin.waitForSelector(`${card} >> text=There is no verified backup in the audit log.`);
      expect(await run(["backup", path.join(city.instance.folder, "kept.tar.gz")], city.instance)).toMatchObject({ code: 0 });
      await admin.reload();
      await admin.waitForSelector(`${card}:has-text("Last verified backup:") >> text=just now`);
    });

    test("a form has the button that does it last, in a dialog and in a page", async () => {
      const buttons = async (form: string) => (await admin.locator(`${form} button`).allInnerTexts()).slice(-2);
      await admin.goto(city.instance.url);
      await admin.click("header [aria-haspopup=dialog]");
      await admin.click("text=Enter admin mode");
      await admin.waitForSelector("[role=dialog] textarea");
      expect(await buttons("[role=dialog] form")).toEqual(["Cancel", "Enter"]);
      await admin.click("[role=dialog] form button >> text=Cancel");
      await admin.goto(`${city.instance.url}/panel/accounts`);
      await admin.click("main button >> text=New account");
      await admin.waitForSelector("main form input");
      expect(await buttons("main form[aria-label='New account']")).toEqual(["Close", "Create"]);
    });
  });

  test("nothing of a list moves while it is loaded on a phone", async () => {
    const phone = await browser.newContext({
      viewport: { width: 390, height: 844 },
      storageState: await page.context().storageState(),
    });
    try {
      const narrow = await phone.newPage();
      await narrow.addInitScript(() => {
        const moved = { sum: 0 };
        Object.assign(globalThis, { moved });
        new PerformanceObserver((list) => {
          for (const { value } of list.getEntries() as unknown as { value: number }[]) moved.sum += value;
        }).observe({ type: "layout-shift", buffered: true });
      });
      await narrow.goto(`${city.instance.url}/citizens`);
      await narrow.waitForSelector(row);
      await narrow.waitForLoadState("networkidle");
      expect(await narrow.evaluate(() => (globalThis as unknown as { moved: { sum: number } }).moved.sum)).toBeLessThan(0.01);
    } finally {
      await phone.close();
    }
  });
});

/** Only React's build for production has short messages; the one for development is twice as large and much slower. */
test("the tests run the build that people get", () => {
  const dist = path.resolve(import.meta.dirname, "../../../web/dist/assets");
  const scripts = globSync("*.js", { cwd: dist }).map((name) => readFileSync(path.join(dist, name), "utf8"));
  expect(scripts.filter((script) => script.includes("Minified React error"))).not.toEqual([]);
});
