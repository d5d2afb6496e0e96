import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { person, type Person } from "@rollcall/testkit/api.ts";
import { currentOnly, noCurrent } from "@rollcall/testkit/browsers.ts";
import { complaints } from "@rollcall/testkit/inspect.ts";
import { openContext, signInPage } from "@rollcall/testkit/pages.ts";
import { makeInstance, type Instance, type Program, run, serve } from "@rollcall/testkit/program.ts";
import { ageLastLook } from "./age.ts";
import { type Feed, startFeed } from "./feed.ts";

describe("a new version", () => {
  let feed: Feed;
  let instance: Instance;
  let program: Program;
  let admin: Person;
  const env = () => ({ ROLLCALL_UPDATECHECK_FEEDURL: feed.url });

  beforeAll(async () => {
    feed = await startFeed("0.1.0");
    instance = await makeInstance();
    program = await serve(instance, { env: env() });
    admin = await person(instance, { username: "keeper", groups: "admin", env: env() });
    await program.stop();
    // Restarted, so that there is an admin to notify.
    feed.versions = ["0.0.9", "7.0.0-rc.1", "6.1.0"];
    instance.configure("updateCheck: { interval: 1m }\n");
    ageLastLook(instance.folder, 60 * 60_000);
    program = await serve(instance, { env: env() });
  }, 60_000);
  afterAll(async () => {
    await program?.stop();
    instance?.remove();
    await feed?.close();
  });

  test("is known to the doctor", async () => {
    for (;;) {
      const { stdout } = await run(["doctor"], instance, { env: env() });
      if (/Version 6\.1\.0 is available; you are running 0\.1\.0/.test(stdout)) break;
      expect(program.child.exitCode).toBeNull();
    }
  }, 30_000);

  describe.skipIf(noCurrent).each(currentOnly)("in Chromium $name", ({ launch }) => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launch();
    }, 60_000);
    afterAll(async () => await browser?.close());

    test("is on the status page with its notes as text, and in the bell, once", async () => {
      const page = await (await openContext(browser)).newPage();
      page.setDefaultTimeout(20_000);
      const found = complaints(page);
      await signInPage(page, instance.url, admin.username, admin.password);
      await page.goto(`${instance.url}/panel/status`);
      await page.waitForSelector("main section >> text=Rollcall 6.1.0 is available; you are running 0.1.0.");
      expect(await page.textContent("main pre")).toBe("What is new in 6.1.0: <b>nothing bold</b>");
      expect(await page.$("main pre b")).toBeNull();
      await page.goto(`${instance.url}/notifications`);
      await page.waitForSelector("main >> text=Rollcall 6.1.0 is available");
      expect(await page.locator("main >> text=Rollcall 6.1.0 is available").count()).toBe(1);
      expect(found).toEqual([]);
      await page.context().close();
    }, 60_000);
  });
});
