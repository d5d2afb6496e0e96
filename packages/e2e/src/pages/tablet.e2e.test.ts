import type { BrowserContext, Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendTo } from "@rollcall/testkit/api.ts";
import { browsers } from "@rollcall/testkit/browsers.ts";
import { complaints } from "@rollcall/testkit/inspect.ts";
import { frame as menu } from "@rollcall/testkit/pages.ts";
import { freePort } from "@rollcall/testkit/ports.ts";
import { makeInstance, type Instance, type Program, run, serve, usualConfig } from "@rollcall/testkit/program.ts";
import { type Listener, startTabletPage, startTlsProxy } from "@rollcall/testkit/tablet.ts";

const options = {
  locale: "en-US",
  ignoreHTTPSErrors: true,
  viewport: { width: 1024, height: 700 },
  reducedMotion: "reduce",
} as const;
const row = "[role=row][data-index]";

/** The tablet: a page of another site frames the application over HTTPS. */
describe("in the game's tablet", () => {
  let instance: Instance;
  let program: Program;
  let proxy: Listener;
  let tablet: Listener;
  let otherSite: Listener;
  let password = "";
  let secureUrl = "";

  beforeAll(async () => {
    const [securePort, tabletPort] = [await freePort(), await freePort()];
    secureUrl = `https://localhost:${securePort}`;
    instance = await makeInstance({
      config: (ports) =>
        usualConfig(ports)
          .replace(/publicURL: .*/, `publicURL: ${secureUrl}`)
          .replace(/origins: .*/, `origins: ["${secureUrl}", "http://127.0.0.1:${tabletPort}"]`)
          .replace(/trustedProxies: .*/, "trustedProxies: [127.0.0.1/32]"),
    });
    program = await serve(instance);
    proxy = await startTlsProxy(securePort, instance.port);
    tablet = await startTabletPage(tabletPort, () => `${secureUrl}/citizens?tablet=1`);
    otherSite = await startTabletPage(0, () => `${secureUrl}/citizens?tablet=1`);
    await sendTo(instance.url, "jobs", [{ name: "police", label: "Police", grades: [{ grade: 0, label: "Cadet" }] }]);
    await sendTo(instance.url, "users", [
      { identifier: "char1:tablet", firstName: "Tabea", lastName: "Tablett", jobs: [{ name: "police", grade: 0 }] },
    ]);
    const created = await run(["account", "create", "tabea", "--licence", "tablet"], instance);
    password = /Password: (\S+)/.exec(created.stdout)?.[1] ?? "";
    for (const right of ["citizens.list", "citizens.view"])
      await run(["role", "allow", right, "--job", "police", "--grade", "0"], instance);
  }, 60_000);
  afterAll(async () => {
    tablet?.close();
    otherSite?.close();
    proxy?.close();
    await program?.stop();
    instance?.remove();
  });

  describe.each(browsers.filter(({ available }) => available))("in Chromium $name", ({ launch, launchProfile, name }) => {
    let context: BrowserContext;
    let page: Page;
    let found: string[];

    beforeAll(async () => {
      context = await launchProfile(options);
      page = await context.newPage();
      page.setDefaultTimeout(20_000);
      found = complaints(page);
    }, 60_000);
    afterAll(async () => await context?.close());

    async function typeLogin(frame: Frame): Promise<void> {
      await frame.fill("input[name=username]", "tabea");
      await frame.fill("input[name=password]", password);
      await frame.press("input[name=password]", "Enter");
    }

    async function framed(of = page): Promise<Frame> {
      const frame = await (await of.waitForSelector("iframe")).contentFrame();
      if (!frame) throw new Error("the page has no frame");
      return frame;
    }

    test("signing in works in the frame, and survives a reload of the outer page", async () => {
      await page.goto(`http://127.0.0.1:${tablet.port}/`);
      let frame = await framed();
      await typeLogin(frame);
      await frame.waitForSelector(`${menu}, main ul li button`);
      if ((await frame.$(menu)) === null) await frame.click("main ul li button");
      await frame.waitForSelector(`${row} >> text=Tabea Tablett`);
      await frame.waitForSelector("header button[data-state=up]");
      const [cookie] = (await context.cookies(secureUrl)).filter(({ domain }) => domain.endsWith("localhost"));
      expect(cookie).toMatchObject({ httpOnly: true, secure: true, sameSite: "None" });
      await page.reload();
      frame = await framed();
      await frame.waitForSelector(menu);
      await frame.waitForSelector(`${row} >> text=Tabea Tablett`);
      await frame.waitForSelector("header button[data-state=up]");
      expect(await page.evaluate(() => location.origin)).not.toBe(await frame.evaluate(() => location.origin));
    });

    test("targets are large and there are no external links", async () => {
      const frame = await framed();
      const heights = await frame.$$eval("nav a, main button, header button, [role=row][data-index]", (elements) =>
        elements.map((element) => element.getBoundingClientRect().height),
      );
      expect(heights.length).toBeGreaterThan(4);
      expect(Math.min(...heights)).toBeGreaterThanOrEqual(40);
      const links = await frame.$$eval("a[href]", (elements) => elements.map((element) => (element as HTMLAnchorElement).origin));
      expect(new Set(links)).toEqual(new Set([secureUrl]));
      await frame.click("nav a[href^='/'] >> nth=0");
      await frame.waitForSelector("main h1:has-text('Hello')");
      expect(found).toEqual([]);
    });

    test.runIf(name === "current")("when the browser stores no cookies in frames, the refusal says so", async () => {
      const browser = await launch();
      const outside = await (await browser.newContext(options)).newPage();
      await outside.goto(`http://127.0.0.1:${tablet.port}/`);
      const frame = await framed(outside);
      await typeLogin(frame);
      await frame.waitForSelector("[role=alert] >> text=/third-party cookies/");
      await browser.close();
    });

    test("in the game's chain of three frames, the tablet of the own resource shows it, that of another does not", async () => {
      // Only the game's browser knows nui://game: a listed origin stands for the outermost frame.
      const game = `http://127.0.0.1:${tablet.port}`;
      const page = (address: string) => ({
        contentType: "text/html",
        body: `<!doctype html><title>Frame</title><iframe src="${address}" style="width:1024px;height:700px"></iframe>`,
      });
      const ofResource = /^https:\/\/cfx-nui-[a-z]+\/$/;
      await context.route(ofResource, async (route) => await route.fulfill(page(`${secureUrl}/citizens?tablet=1`)));
      const chains = [
        { outer: game, resource: "rollcall", shown: true },
        { outer: game, resource: "other", shown: false },
        { outer: `http://127.0.0.1:${otherSite.port}`, resource: "rollcall", shown: false },
      ];
      for (const { outer, resource, shown } of chains) {
        const top = await context.newPage();
        const refusals = complaints(top);
        await top.route(`${outer}/chain`, async (route) => await route.fulfill(page(`https://cfx-nui-${resource}/`)));
        await top.goto(`${outer}/chain`);
        const middle = await framed(top);
        const inner = await (await middle.waitForSelector("iframe")).contentFrame();
        if (!inner) throw new Error("the resource's page has no frame");
        if (shown) await inner.waitForSelector("#root button");
        else await expect.poll(() => refusals.join("\n")).toContain("frame-ancestors");
        expect([outer, resource, (await inner.$("#root")) !== null]).toEqual([outer, resource, shown]);
        expect(refusals.filter((text) => text.includes("source list"))).toEqual([]);
        await top.close();
      }
    });

    test("a page of another origin may not frame it", async () => {
      await page.goto(`http://127.0.0.1:${otherSite.port}/`);
      const frame = await framed();
      await expect.poll(() => found.join("\n")).toContain("frame-ancestors");
      expect(await frame.$("#root")).toBeNull();
    });
  });
});
