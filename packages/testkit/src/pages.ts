import type { BrowserContext, Browser, Page } from "playwright-core";
import { complaints } from "./inspect.ts";

/** The account menu, which appears together with the frame. */
export const frame = "header [aria-haspopup=dialog]";

const character = "main ul li button";

/** Signs in through the page and chooses the first character when asked. */
export async function signInPage(page: Page, base: string, username: string, password: string): Promise<void> {
  await page.goto(`${base}/`);
  await page.fill("input[name=username]", username);
  await page.fill("input[name=password]", password);
  await page.press("input[name=password]", "Enter");
  await page.waitForSelector(`${frame}, ${character}`);
  if ((await page.$(frame)) === null) await page.click(character);
  await page.waitForSelector(frame);
}

export interface PageVariant {
  readonly scheme: "dark" | "light";
  readonly language: "en" | "de";
}

/** Not those of the account, which other pages of the run share. */
const onlyHere = ["scheme", "language"];

const english: PageVariant = { scheme: "dark", language: "en" };

/** A context whose pages start with these preferences and without animations. */
export async function openContext(
  browser: Browser,
  variant: Partial<PageVariant> = {},
  viewport = { width: 1440, height: 900 },
): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: "en-US", viewport, reducedMotion: "reduce" });
  const stored = JSON.stringify({ ...english, ...variant, onlyHere });
  await context.addInitScript(
    `localStorage.getItem("rollcall.preferences") || localStorage.setItem("rollcall.preferences", ${JSON.stringify(stored)})`,
  );
  return context;
}

/** Changes the preferences of an open page, as another tab of the same device would. */
export async function changeVariant(page: Page, variant: PageVariant): Promise<void> {
  await page.evaluate(
    (stored) => {
      localStorage.setItem("rollcall.preferences", stored);
      dispatchEvent(new StorageEvent("storage", { key: "rollcall.preferences" }));
    },
    JSON.stringify({ ...variant, onlyHere }),
  );
  await page.waitForSelector(`html[data-mantine-color-scheme=${variant.scheme}][lang=${variant.language}]`, {
    state: "attached",
  });
}

/** Resolves when the page has rendered its current state. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}

export async function enterAdminMode(page: Page): Promise<void> {
  await page.click(frame);
  await page.click("text=Enter admin mode");
  await page.fill("[role=dialog] textarea", "Ticket 4711: a profile with a wrong birth date");
  await page.click("[role=dialog] button[type=submit]");
  await page.waitForSelector("text=Leave admin mode");
}

/** Opens the account menu, chooses an entry or a value in it, and leaves it closed. */
export async function chooseInMenu(page: Page, text: string): Promise<void> {
  await page.click(frame);
  await page.click(`header [role=dialog] >> text="${text}"`);
  await page.keyboard.press("Escape");
  await page.waitForSelector("header [role=dialog]", { state: "detached" });
}

/** A page of its own for somebody signed in, who waits 20 s for what is to appear; what it complains about is added to `found`. */
export async function openSignedIn(
  browser: Browser,
  base: string,
  { username, password }: { readonly username: string; readonly password: string },
  found: (readonly string[])[],
): Promise<Page> {
  const page = await (await openContext(browser)).newPage();
  page.setDefaultTimeout(20_000);
  found.push(complaints(page));
  await signInPage(page, base, username, password);
  await page.waitForSelector("main h1");
  return page;
}
