import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, sendTo } from "@rollcall/testkit/api.ts";
import { currentOnly, noCurrent } from "@rollcall/testkit/browsers.ts";
import { accessibility, complaints, overflow } from "@rollcall/testkit/inspect.ts";
import { changeVariant, drawn, frame, openContext } from "@rollcall/testkit/pages.ts";
import { makeInstance, type Instance, type Program, secrets, serve, usualConfig } from "@rollcall/testkit/program.ts";

const username = "mara";
const password = "a quiet harbour at night";
const person = { identifier: "char1:first-licence", firstName: "Mara", lastName: "Lind", jobs: [{ name: "police", grade: 1 }] };

const withoutSync = (text: string) => text.replace(/^sync: .*$/m, "sync: { enabled: false }");

describe.skipIf(noCurrent).each(currentOnly)("the first steps with Chromium $name", ({ launch }) => {
  let instance: Instance;
  let program: Program;
  let browser: Browser;
  let page: Page;
  let found: string[];
  let address: string;
  let token: string;
  const url = (path: string) => `${instance.url}${path}`;
  /** As pasting it into the address bar: a change of the fragment alone loads no page. */
  const paste = async (href: string) => await page.evaluate((to) => location.assign(to), href);
  const statusOf = async (path: string) => await page.evaluate(async (at) => (await fetch(at)).status, path);

  /** Every step in both themes and widths, one of them German. */
  async function look(step: string, language: "en" | "de" = "en"): Promise<void> {
    for (const [width, scheme] of [
      [1440, "dark"],
      [390, "light"],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await changeVariant(page, { scheme, language });
      await drawn(page);
      expect([step, width, await overflow(page)]).toEqual([step, width, []]);
      expect([step, scheme, await accessibility(page)]).toEqual([step, scheme, []]);
    }
    await page.setViewportSize({ width: 1440, height: 844 });
    await changeVariant(page, { scheme: "dark", language: "en" });
  }

  beforeAll(async () => {
    instance = await makeInstance({ config: (ports) => withoutSync(usualConfig(ports)) });
    [program, browser] = await Promise.all([serve(instance), launch()]);
    address = (await program.seen(/nobody can sign in yet: open (\S+\/setup#[\w-]+)/))[1] ?? "";
    page = await (await openContext(browser)).newPage();
    page.setDefaultTimeout(10_000);
    found = complaints(page);
  }, 110_000);
  afterAll(async () => {
    await browser?.close();
    await program?.stop();
    instance?.remove();
  });

  test("without the token it says where to find it; with a wrong one too, before a password is chosen", async () => {
    await page.goto(url("/"));
    expect(page.url()).toBe(url("/setup"));
    await page.waitForSelector("text=Open the setup address from the log");
    await look("without-token");
    await paste(url("/setup#not-the-token"));
    await page.waitForSelector("h2:focus >> text=This setup address is no longer valid");
    await page.waitForSelector("[role=alert] >> text=not the setup address that the server printed at its latest start");
    expect(await page.locator("main form").count()).toBe(0);
    await look("refused", "de");
    expect(found).toEqual([]);
  });

  test("the printed address creates the first admin and signs in", async () => {
    expect(address.startsWith(url("/setup#"))).toBe(true);
    await paste(address);
    await page.fill("input[name=username]", username);
    await page.fill("input[name=password]", "password");
    await page.waitForSelector("text=Weak: easy to guess");
    await page.fill("input[name=password]", password);
    await page.waitForSelector("[role=status] >> text=Strong");
    await page.fill("input[name=licence]", "license:first-licence");
    await look("first", "de");
    await page.press("input[name=licence]", "Enter");
    await page.waitForSelector("input[name=name]");
    expect(page.url()).toBe(url("/setup"));
    expect(await statusOf("/api/system/status")).toBe(200);
  });

  test("the printed address works once", async () => {
    const other = await (await openContext(browser)).newPage();
    other.setDefaultTimeout(10_000);
    await other.goto(address);
    await other.waitForSelector("text=This instance already has an admin");
    await other.click("text=Go to sign-in");
    await other.waitForSelector("input[name=password]");
    await other.context().close();
    const body = { token: address.split("#")[1], username: "eve", password };
    expect(await call(instance.url, "/api/setup", { body })).toMatchObject({ status: 409, body: { code: "setup.notNeeded" } });
  });

  test("names the community and shows what the game server needs", async () => {
    await page.fill("input[name=name]", "Harbour City");
    await look("community");
    await page.press("input[name=name]", "Enter");
    await page.waitForSelector("text=The Sync API is off.");
    token = /apiTokens: \["([0-9a-f]{64})"\]/.exec((await page.textContent("main pre")) ?? "")?.[1] ?? "";
    expect(token).not.toBe("");
    await page.waitForSelector("main >> text=Harbour City");
    await look("sync-off", "de");
  });

  test("works with the lines as they are shown, and notices the first data", async () => {
    const lines = (await page.textContent("main pre")) ?? "";
    await program.stop();
    const before = usualConfig({ ...instance, folder: instance.folder }).replace(/^sync: .*$/m, "");
    instance.write(`${before}${lines}`);
    program = await serve(instance);
    await page.click('main button:has-text("Check again")');
    await page.waitForSelector("text=Waiting for the first data");
    expect(await page.textContent("main")).toContain("curl -H");
    expect(await page.textContent("main")).not.toContain(token);
    await look("sync-waiting");
    expect((await sendTo(instance.url, "users", [person], secrets.sync)).status).toBe(401);
    expect(await sendTo(instance.url, "users", [person], token)).toMatchObject({ status: 200, body: { accepted: 1 } });
    await page.waitForSelector("text=Received: 1 citizen.");
    expect(await page.getAttribute("main a[target=_blank]", "href")).toBe("/api/docs");
  });

  test("ends on the start page, with the character of the licence", async () => {
    await page.click('main button:has-text("Continue")');
    await page.waitForSelector("text=Setup is finished");
    await look("done");
    const steps = await page.$$eval("main li strong a", (links) => links.map((link) => link.getAttribute("href")));
    expect(steps).toEqual(["/panel/accounts", "/panel/roles", "/panel/status"]);
    await page.click("main >> text=Go to the home page");
    await page.waitForSelector("main h1 >> text=Mara");
    const settings = await page.evaluate(async () => (await fetch("/api/settings")).json());
    expect(settings).toMatchObject({ settings: { general: { name: "Harbour City", setupComplete: true } } });
  });

  test("links to privacy policy and imprint are on the sign-in page and in the menu, but not in the tablet", async () => {
    const website = { privacyPolicyUrl: "https://city.example/privacy", imprintUrl: "https://city.example/imprint" };
    const saved = await page.evaluate(async (links) => {
      const { version, settings } = (await (await fetch("/api/settings")).json()) as { version: number; settings: object };
      const body = JSON.stringify({ version, settings: { ...settings, website: links } });
      const headers = { "x-rollcall": "1", "content-type": "application/json" };
      return (await fetch("/api/settings", { method: "PUT", headers, body })).status;
    }, website);
    expect(saved).toBe(200);
    const linksOf = async (target: Page) =>
      await target.$$eval("a[target=_blank]", (links) =>
        links.map((link) => [link.getAttribute("href"), link.getAttribute("rel")]),
      );
    const both = [
      [website.privacyPolicyUrl, "noreferrer"],
      [website.imprintUrl, "noreferrer"],
    ];
    const other = await (await openContext(browser)).newPage();
    await other.goto(url("/"));
    await other.waitForSelector("main >> text=Imprint");
    expect(await linksOf(other)).toEqual(both);
    expect(await accessibility(other)).toEqual([]);
    await other.goto(url("/?tablet=1"));
    await other.waitForSelector("text=Rollcall 0");
    expect(await linksOf(other)).toEqual([]);
    await other.context().close();
    await page.reload();
    await page.click(frame);
    await page.waitForSelector("header [role=dialog] >> text=Imprint");
    expect(await linksOf(page)).toEqual(both);
    expect(found).toEqual([]);
  });
});
