import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { person, type Person } from "#kit/api.ts";
import { browsers } from "#kit/browsers.ts";
import { complaints } from "#kit/inspect.ts";
import { openContext, signInPage } from "#kit/pages.ts";
import { makePlace, type Place, type Program, run, serve } from "#kit/program.ts";
import { ageLastLook } from "./age.ts";
import { type Feed, startFeed } from "./feed.ts";

describe("a new version", () => {
  let feed: Feed;
  let place: Place;
  let program: Program;
  let admin: Person;
  const env = () => ({ ROLLCALL_UPDATE_FEED_URL: feed.url });

  beforeAll(async () => {
    feed = await startFeed("0.1.0");
    place = await makePlace();
    program = await serve(place, { env: env() });
    admin = await person(place, { username: "keeper", groups: "admin", env: env() });
    await program.stop();
    // Started anew there is an admin to be told.
    feed.versions = ["0.0.9", "7.0.0-rc.1", "6.1.0"];
    place.configure("updateCheck: { interval: 1m }\n");
    ageLastLook(place.folder, 60 * 60_000);
    program = await serve(place, { env: env() });
  }, 60_000);
  afterAll(async () => {
    await program?.stop();
    place?.remove();
    await feed?.close();
  });

  test("is known to the doctor", async () => {
    for (;;) {
      const { stdout } = await run(["doctor"], place, { env: env() });
      if (/Version 6\.1\.0 is there; 0\.1\.0 runs/.test(stdout)) break;
      expect(program.child.exitCode).toBeNull();
    }
  }, 30_000);

  describe.each(browsers.filter(({ available }) => available))("in Chromium $name", ({ launch }) => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launch();
    }, 60_000);
    afterAll(async () => await browser?.close());

    test("stands on the status page with its notes as text, and in the bell, once", async () => {
      const page = await (await openContext(browser)).newPage();
      page.setDefaultTimeout(20_000);
      const found = complaints(page);
      await signInPage(page, place.url, admin.username, admin.password);
      await page.goto(`${place.url}/panel/status`);
      await page.waitForSelector("main section >> text=Rollcall 6.1.0 is there; 0.1.0 runs.");
      expect(await page.textContent("main pre")).toBe("What is new in 6.1.0: <b>nothing bold</b>");
      expect(await page.$("main pre b")).toBeNull();
      await page.goto(`${place.url}/notifications`);
      await page.waitForSelector("main >> text=Rollcall 6.1.0 is there");
      expect(await page.locator("main >> text=Rollcall 6.1.0 is there").count()).toBe(1);
      expect(found).toEqual([]);
      await page.context().close();
    }, 60_000);
  });
});
