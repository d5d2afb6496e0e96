import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { person } from "@rollcall/testkit/api.ts";
import { currentOnly, noCurrent } from "@rollcall/testkit/browsers.ts";
import { complaints } from "@rollcall/testkit/inspect.ts";
import { openContext, signInPage } from "@rollcall/testkit/pages.ts";
import { createScope } from "@rollcall/testkit/settings.ts";

const scope = createScope();
let url = "";
let login: { username: string; password: string };
beforeAll(async () => {
  const instance = await scope.instance();
  await scope.serve(instance);
  url = instance.url;
  login = await person(instance, { username: "curious" });
}, 60_000);
afterAll(async () => await scope.end());

const pages = ["status", "settings", "accounts", "accounts/1", "files", "schedule"] as const;

describe.skipIf(noCurrent).each(currentOnly)("somebody who is no config admin, in Chromium $name", ({ launch }) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => await browser?.close());

  describe.each([
    {
      language: "en",
      title: "You do not have access to this page",
      reason: "powers of a config admin",
      home: "Go to the home page",
    },
    { language: "de", title: "Du hast keinen Zugriff auf diese Seite", reason: "eines Config-Admins", home: "Zur Startseite" },
  ] as const)("in $language", ({ language, title, reason, home }) => {
    let page: Page;
    let complained: readonly string[];
    beforeAll(async () => {
      page = await (await openContext(browser, { language })).newPage();
      page.setDefaultTimeout(20_000);
      complained = complaints(page);
      await signInPage(page, url, login.username, login.password);
    });

    test.each(pages)("is refused once at /panel/%s, with the reason and a way out", async (name) => {
      const refused: string[] = [];
      const note = (response: { status(): number; url(): string }) =>
        void (response.status() === 403 && refused.push(response.url()));
      page.on("response", note);
      await page.goto(`${url}/panel/${name}`);
      await page.waitForSelector(`main h1:text-is("${title}")`);
      await page.waitForLoadState("networkidle");
      page.off("response", note);
      expect(await page.innerText("main")).toContain(reason);
      expect(await page.locator("main [role=alert]").count()).toBe(0);
      expect(await page.locator("main h1").count()).toBe(1);
      expect(await page.locator(`main a >> text=${home}`).count()).toBe(1);
      expect([refused, complained]).toEqual([[], []]);
    });
  });
});
