import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { exampleStrings } from "@rollcall/testkit/answers.ts";
import { currentChromium } from "@rollcall/testkit/browsers.ts";
import { checkPage, checkState, resize } from "@rollcall/testkit/pageChecks.ts";
import { openRouted, type RoutedPage } from "@rollcall/testkit/routed.ts";
import { explains } from "@rollcall/testkit/signs.ts";
import { combineStates, loadPageStates, narrow, partOf, wide } from "@rollcall/testkit/states.ts";
import { englishText } from "@rollcall/testkit/texts.ts";
import { pagePaths } from "@rollcall/testkit/webPages.ts";

const { available, launch } = currentChromium;

/** Adds elements to the start of the open page. */
const plant = async (page: Page, html: string) =>
  await page.evaluate(
    (added) => document.querySelector("main")!.insertAdjacentHTML("afterbegin", `<div data-planted>${added}</div>`),
    html,
  );

describe.skipIf(!available)("the checks of pages find a planted", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => await browser?.close());

  /** The frame calls operations beside every page. Were they taken for the page's, a page that reads nothing would pass. */
  test("page that calls nothing, whatever its frame and the session call", async () => {
    // The page of an unknown address.
    const routed = await openRouted(browser, "failed");
    try {
      expect(await explains(routed, "failed", 500)).toEqual(["called no operation"]);
    } finally {
      await routed.close();
    }
  });

  describe("fault of a page", () => {
    let routed: RoutedPage;
    beforeAll(async () => {
      routed = await openRouted(browser, "empty");
      await routed.open("/citizens");
      await routed.page.waitForSelector("main h1");
    });
    beforeEach(async () => await resize(routed.page, wide));
    afterEach(async () => {
      await routed.page.evaluate(() => document.querySelector("main [data-planted]")?.remove());
    });
    afterAll(async () => await routed?.close());

    test.each<[string, string, RegExp]>([
      ["nothing, and find nothing", "", /^$/],
      [
        "control that leaves before its turn, and find nothing",
        `<button onfocus="this.nextElementSibling.remove()">Stays</button><button>Leaves</button>`,
        /^$/,
      ],
      ["text key", "<p>notices.errors.absent</p>", /^en, text key: notices\.errors\.absent$/],
      ["text key in a label", '<p role="img" aria-label="updates.absent.key"></p>', /^en, text key: updates\.absent\.key$/],
      ["parameter that was not filled in", "<p>Hello {{name}}</p>", /^en, text key: \{\{$/],
      ["element wider than the window", '<p style="width: 1200px">wide</p>', /^390 px, en: outside: P/],
      ["text that is cut off", '<p style="width: 20px; overflow: hidden">Threehundred</p>', /^1440 px, en: cut off: P/],
      ["faint text", '<p style="color: #888; background: #777">faint</p>', /^light, lightest job colour: color-contrast/],
      [
        "colour that only the lightest job colour makes faint",
        '<p style="color: #fff; background: var(--mantine-color-accent-4)">faint</p>',
        /^dark, lightest job colour: color-contrast/,
      ],
      [
        "faint text that nothing around it belongs to",
        `<div style="position: relative; background: #fff; color: #777"><i style="position: absolute; inset: 0; background: #888"></i><b style="position: relative">faint</b></div>`,
        /^light, darkest job colour: color-contrast/,
      ],
      [
        "faint text on what is half transparent",
        '<div style="background: #000"><p style="color: #444; background: rgb(255 255 255 / 60%)">faint</p></div>',
        /^light, darkest job colour: color-contrast/,
      ],
      ["text that its block makes faint", '<p style="opacity: 0.4">faint</p>', /^dark, lightest job colour: color-contrast/],
      [
        "value of a field that is faint",
        '<input aria-label="Planted" value="faint" style="color: #888; background: #777">',
        /^dark, lightest job colour: color-contrast/,
      ],
      [
        "link that only its colour tells from the words around it",
        '<p style="color: #222; background: #fff">Read <a href="/" style="color: #333; text-decoration: none">this page</a> first.</p>',
        /^light, lightest job colour: link-in-text-block/,
      ],
      [
        "large text with enough contrast for its size, and find nothing",
        '<p style="font-size: 30px; color: #888; background: #fff">large</p>',
        /^$/,
      ],
      ["picture without a text", '<img src="/favicon.svg" width="40" height="40">', /^dark, darkest job colour: image-alt/],
      ["heading that skips a level", "<h2>Planted</h2><h4>Skipped</h4>", /^dark, darkest job colour: heading-order/],
      ["English sentence", `<p>${englishText("web.notFound.text")}</p>`, /^not translated: The address may be wrong/],
      [
        "control behind a trap",
        `<div onkeydown="if (event.key === 'Tab') event.preventDefault()"><button>Trap</button></div><button>Behind</button>`,
        /^not reached by Tab: button “Behind”$/,
      ],
    ])("%s", async (_what, html, expected) => {
      if (html !== "") await plant(routed.page, html);
      const found = await checkPage(routed.page, { language: "en", widths: [wide, narrow], names: exampleStrings });
      if (expected.source === "^$") expect(found).toEqual([]);
      else expect(found.filter((line) => expected.test(line))).not.toEqual([]);
    });
  });

  describe("state that says nothing", () => {
    test.each(["silent", "failed", "refused"] as const)("%s", async (mode) => {
      const routed = await openRouted(browser, mode);
      await routed.open("/panel/files");
      expect(await explains(routed, mode)).toEqual([]);
      await routed.page.evaluate(() => {
        for (const element of document.querySelectorAll("main [role=alert], main [role=status]")) element.removeAttribute("role");
      });
      expect(await explains(routed, mode, 3000)).toEqual([`nothing says that the page is ${mode}`]);
      await routed.close();
    });

    test("refused without the name of the right", async () => {
      const routed = await openRouted(browser, "refused");
      await routed.open("/citizens");
      expect(await explains(routed, "refused")).toEqual([]);
      await routed.page.evaluate(() => document.querySelector("main [role=alert]")!.replaceChildren("No."));
      expect(await explains(routed, "refused")).toEqual([expect.stringContaining("names none of")]);
      await routed.close();
    });
  });

  test("fault in a state without data", async () => {
    const routed = await openRouted(browser, "failed");
    await routed.open("/citizens");
    await routed.page.waitForSelector("main [role=alert]");
    expect(await checkState(routed.page, exampleStrings)).toEqual([]);
    await plant(routed.page, `<p style="width: 1200px; color: #888; background: #777">${englishText("web.notFound.text")}</p>`);
    const found = (await checkState(routed.page, exampleStrings)).join("\n");
    for (const part of ["390 px, en: outside", "axe: color-contrast", "not translated"]) expect(found).toContain(part);
    await routed.close();
  });
});

test("every registered page is known, and two states of one name are refused", async () => {
  expect(await pagePaths()).toEqual(expect.arrayContaining(["/", "/citizens", "/citizens/12", "/account/sessions"]));
  const state = { name: "home", path: "/", ready: "main" };
  const twice = ["a.states.ts", "b.states.ts"].map((file) => ({ file, pageStates: [state] }));
  expect(() => combineStates(twice)).toThrow("the page state home is declared in a.states.ts and in b.states.ts");
});

test("the parts of the page states are together all of them", async () => {
  const all = await loadPageStates();
  for (const parts of [1, 3, 4]) {
    const names = Array.from({ length: parts }, (_, part) => partOf(all, part, parts).map(({ name }) => name)).flat();
    expect(names.toSorted()).toEqual(all.map(({ name }) => name));
  }
});
