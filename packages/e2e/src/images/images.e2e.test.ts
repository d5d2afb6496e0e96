import { cpSync } from "node:fs";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { currentOnly, noCurrent } from "@rollcall/testkit/browsers.ts";
import { type ChatPlatform, startChat } from "@rollcall/testkit/chat.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { shippedIcons, shippedSet } from "@rollcall/testkit/icons.ts";
import { accessibility, complaints, overflow } from "@rollcall/testkit/inspect.ts";
import { drawn, frame, openContext, signInPage } from "@rollcall/testkit/pages.ts";
import { until } from "@rollcall/testkit/until.ts";

const button = (label: string) => `main a:has-text("Sign in with ${label}")`;
const dialog = "[role=dialog]";
const firstPath = (name: string) => / d="([^"]+)"/.exec(shippedSet().icons[name]?.body ?? "")?.[1];

describe("icons and pictures", () => {
  let city: City;
  let site: ChatPlatform;

  beforeAll(async () => {
    [city, site] = await Promise.all([startCity("embedded"), startChat()]);
    // The default of icons.path.
    cpSync(shippedIcons, path.join(city.instance.folder, "icons"), { recursive: true });
    const provider = (name: string, label: string, icon: string) => ({
      name,
      label,
      icon,
      type: "generic",
      redirectURL: `${city.instance.url}/api/oauth2/callback/${name}`,
      clientID: "rollcall",
      clientSecret: `client-secret-of-the-provider-${name}`,
      endpoints: { authURL: `${site.url}/auth`, tokenURL: `${site.url}/token`, userInfoURL: `${site.url}/me` },
      mapping: { id: "id" },
    });
    const providers = [
      provider("chat", "Chat", "tabler:brand-discord"),
      provider("forum", "Forum", "i-tabler-messages"),
      provider("odd", "Odd", "nope:nope"),
      provider("picture", "Picture", `${site.url}/pictures/icon.png`),
    ];
    const options = { allowHosts: ["127.0.0.1"], denyHosts: ["127.0.0.2"] };
    city.instance.configure(`oauth2: ${JSON.stringify({ providers })}\nimageProxy: ${JSON.stringify({ options })}\n`);
    await city.halt();
    await city.start();
  }, 120_000);
  afterAll(async () => {
    await city?.stop();
    site?.stop();
  });

  describe.skipIf(noCurrent).each(currentOnly)("in Chromium $name", ({ launch }) => {
    let browser: Browser;
    let page: Page;
    let found: string[];
    const url = (route: string) => `${city.instance.url}${route}`;
    const icon = { query: "shield check", name: "shield-check" };

    beforeAll(async () => {
      browser = await launch();
      page = await (await openContext(browser)).newPage();
      page.setDefaultTimeout(20_000);
      found = complaints(page);
    }, 60_000);
    afterAll(async () => await browser?.close());

    test("the sign-in buttons show icons of the local set, pictures, and a neutral symbol for missing ones", async () => {
      const policy = (await page.goto(url("/")))?.headers()["content-security-policy"] ?? "";
      expect(policy).toMatch(/img-src 'self' data: blob:;/);
      for (const [label, drawing] of [
        ["Chat", "brand-discord"],
        ["Forum", "messages"],
      ] as const) {
        await page.waitForSelector(`${button(label)} svg g path`);
        expect(await page.getAttribute(`${button(label)} svg g path`, "d")).toBe(firstPath(drawing));
      }
      const colour = async (selector: string) => await page.$eval(selector, (element) => getComputedStyle(element).color);
      expect(await colour(`${button("Chat")} svg`)).toBe(await colour(button("Chat")));
      await page.waitForSelector(`${button("Odd")} svg.tabler-icon-world`);
      const width = async () => await page.$eval("main a img", (image) => (image as HTMLImageElement).naturalWidth);
      await until("the picture", async () => (await width()) === 2);
    });

    test("an icon of a job is found and chosen with the keyboard, and shown beside its name", async () => {
      const { username, password } = city.login("police.chief");
      await signInPage(page, city.instance.url, username, password);
      await page.goto(url("/panel/jobs"));
      await page.focus('main button:has-text("Choose icon")');
      await page.keyboard.press("Enter");
      await page.waitForSelector(`${dialog} [role=option] svg`);
      expect(await page.$$eval(`${dialog} [role=option]`, (all) => all.length)).toBe(96);
      await drawn(page);
      expect([await overflow(page), await accessibility(page)]).toEqual([[], []]);
      await page.keyboard.type("no such icon at all");
      await page.waitForSelector(`${dialog} >> text=No icon has this name`);
      await page.keyboard.press("Control+a");
      await page.keyboard.type(icon.query);
      // Of the whole query: a slow machine shows the icons of its first letters before.
      await page.waitForSelector(`${dialog} [role=option][title="tabler:${icon.name}"]:first-child`);
      await page.keyboard.press("ArrowDown");
      await page.waitForSelector(`${dialog} [role=option][title="tabler:${icon.name}"]:focus`);
      await page.keyboard.press("End");
      await page.keyboard.press("Home");
      await page.waitForSelector(`${dialog} [role=option][title="tabler:${icon.name}"]:focus`);
      await page.keyboard.press("Enter");
      await page.waitForSelector(dialog, { state: "detached" });
      await page.waitForSelector(`main >> text=tabler:${icon.name}`);
      await Promise.all([
        page.waitForResponse((answer) => answer.request().method() === "PUT" && answer.url().includes("/properties")),
        page.click('main button:has-text("Save")'),
      ]);
      await page.goto(url("/"));
      await page.waitForSelector(frame);
      await page.waitForSelector("main svg g path");
      expect(await page.$$eval("main svg g path", (all) => all.map((one) => one.getAttribute("d")))).toContain(
        firstPath(icon.name),
      );
    });

    test("Escape keeps the previous icon, and an icon can be removed", async () => {
      await page.goto(url("/panel/jobs"));
      await page.click('main button:has-text("Choose icon")');
      await page.waitForSelector(`${dialog} [role=option]`);
      await page.keyboard.press("Escape");
      await page.waitForSelector(dialog, { state: "detached" });
      await page.waitForSelector(`main >> text=tabler:${icon.name}`);
      await page.click('main button:has-text("Remove icon")');
      await Promise.all([
        page.waitForResponse((answer) => answer.request().method() === "PUT" && answer.url().includes("/properties")),
        page.click('main button:has-text("Save")'),
      ]);
      await page.waitForSelector('main button:has-text("Remove icon")', { state: "detached" });
    });

    test("a picture of an allowed site is served from Rollcall's origin, and no other is", async () => {
      const shown = await page.evaluate(
        async (urls) => {
          const answer = await fetch("/api/image-proxy/addresses", {
            method: "POST",
            headers: { "x-rollcall": "1", "content-type": "application/json" },
            body: JSON.stringify({ size: 256, urls }),
          });
          const { addresses } = (await answer.json()) as { addresses: (string | null)[] };
          const image = new Image();
          image.src = addresses[0] ?? "";
          await image.decode();
          return { width: image.naturalWidth, others: addresses.slice(1) };
        },
        [`${site.url}/pictures/map.png`, "http://127.0.0.2/x.png", "https://elsewhere.example/x.png"],
      );
      expect(shown).toEqual({ width: 2, others: [null, null] });
    });

    test("there were no errors", () => expect(found).toEqual([]));
  });
});
