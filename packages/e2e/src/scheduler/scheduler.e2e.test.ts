import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { currentOnly, noCurrent } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { accessibility, complaints, overflow } from "@rollcall/testkit/inspect.ts";
import { openContext, signInPage } from "@rollcall/testkit/pages.ts";

const words = {
  en: {
    failures: "Counters of failed sign-ins: 1 day after the last failed one",
    audit: "Audit log entries: 90 days (set by audit.retentionDays)",
    never: "Content and rows of deleted files: until the next run",
    run: "Run now: Remove ended sessions and old counters of failed sign-ins",
    nothing: "Nothing to remove",
  },
  de: {
    failures: "Zähler fehlgeschlagener Anmeldungen: 1 Tag nach der letzten fehlgeschlagenen",
    audit: "Protokolleinträge: 90 Tage (gesetzt durch audit.retentionDays)",
    never: "Inhalt und Zeilen gelöschter Dateien: bis zum nächsten Lauf",
    run: "Jetzt ausführen: Beendete Sitzungen und alte Zähler fehlgeschlagener Anmeldungen entfernen",
    nothing: "Nichts zu entfernen",
  },
};

describe("the page of schedules", () => {
  let city: City;
  beforeAll(async () => {
    city = await startCity("embedded");
  }, 120_000);
  afterAll(async () => await city?.stop());

  describe.skipIf(noCurrent).each(currentOnly)("in Chromium $name", ({ launch }) => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launch();
    }, 90_000);
    afterAll(async () => await browser?.close());

    test.each(["en", "de"] as const)("shows what is removed after how long, and how much was removed (%s)", async (language) => {
      const page: Page = await (await openContext(browser, { language }, { width: 390, height: 844 })).newPage();
      page.setDefaultTimeout(20_000);
      const found = complaints(page);
      await signInPage(page, city.instance.url, "admin", city.login("admin").password);
      await page.goto(`${city.instance.url}/panel/schedule`);
      const said = words[language];
      for (const sentence of [said.failures, said.audit, said.never])
        await page.waitForSelector(`main li:text-is("${sentence}")`);
      await page.click(`main button[aria-label="${said.run}"]`);
      await page.waitForSelector(`main article:has-text("auth.cleanUp") summary:has-text("${said.nothing}")`);
      expect(await overflow(page)).toEqual([]);
      expect(await accessibility(page)).toEqual([]);
      expect(found).toEqual([]);
      await page.close();
    });
  });
});
