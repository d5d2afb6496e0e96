import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exampleStrings } from "@rollcall/testkit/answers.ts";
import { currentChromium } from "@rollcall/testkit/browsers.ts";
import { complaints } from "@rollcall/testkit/inspect.ts";
import { checkState } from "@rollcall/testkit/pageChecks.ts";
import { openRouted, type RoutedPage } from "@rollcall/testkit/routed.ts";
import { explains } from "@rollcall/testkit/signs.ts";
import { pagePaths } from "@rollcall/testkit/webPages.ts";

const { available, launch } = currentChromium;
const paths = await pagePaths();

/** Pages for everyone, which leave out what the server refuses: cards, hints for config admins, marks and additions of names. */
const withHints = new Set(["/groups/12", "/", "/duty", "/jobs/overview", "/units", "/conduct/mine"]);

/** Every page while its data loads, without entries, when the server fails and when it refuses. No server runs. */
describe.skipIf(!available)("every page without its data", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => await browser?.close());

  describe.each(["silent", "empty", "failed", "refused"] as const)("%s", (mode) => {
    let routed: RoutedPage;
    let found: string[];
    beforeAll(async () => {
      routed = await openRouted(browser, mode);
      found = complaints(routed.page);
    });
    afterAll(async () => await routed?.close());

    test.each(paths)("%s says so", async (path) => {
      await routed.open(path);
      const nothingToSay = mode === "refused" && withHints.has(path);
      const unsaid = nothingToSay ? [] : await explains(routed, mode);
      expect([...unsaid, ...(await checkState(routed.page, exampleStrings)), ...found.splice(0)]).toEqual([]);
    });
  });
});
