import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { person } from "@rollcall/testkit/api.ts";
import { signInPage } from "@rollcall/testkit/pages.ts";
import { createScope } from "@rollcall/testkit/settings.ts";
import { describeInBrowsers } from "./inBrowsers.ts";

describe("before scripts and styles have arrived", () => {
  const scope = createScope();
  let url = "";
  let login: { username: string; password: string };
  beforeAll(async () => {
    const instance = await scope.instance();
    await scope.serve(instance);
    url = instance.url;
    login = await person(instance, { username: "outlined" });
  }, 60_000);
  afterAll(async () => await scope.end());

  describeInBrowsers((open) => {
    test("an outline is there for somebody who is signed in, and is gone with the page; nothing is asked for twice", async () => {
      const page = await open();
      await page.goto(`${url}/login`);
      expect(await page.locator("#outline").isVisible()).toBe(false);
      await signInPage(page, url, login.username, login.password);
      await page.waitForSelector("main h1");
      // Otherwise this page may still be loading what is likely to come next.
      await page.goto("about:blank");

      const asked: string[] = [];
      page.on("request", (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
      let release = () => {};
      const held = new Promise<void>((resolve) => (release = resolve));
      await page.route("**/assets/first-*", async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(`${url}/citizens`, { waitUntil: "commit" });
      await page.waitForSelector("#outline", { state: "visible" });
      expect(await page.getAttribute("#outline", "aria-hidden")).toBe("true");
      release();
      await page.waitForSelector("main h1");
      expect(await page.locator("#outline").count()).toBe(0);
      expect(asked.filter((one) => one === "POST /api/auth/token")).toHaveLength(1);
      expect(asked).not.toContain("GET /api/auth/characters");
      const scripts = asked.filter((one) => one.endsWith(".js"));
      expect(scripts.toSorted()).toEqual([...new Set(scripts)].toSorted());
    });
  });
});
