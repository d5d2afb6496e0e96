import type { BrowserContext, Browser, Page } from "playwright-core";

/** The account menu: there once the frame is. */
export const frame = "header [aria-haspopup=dialog]";

const character = "main ul li button";

/** Signs in through the page and chooses the first character when asked. */
export async function signInPage(page: Page, base: string, username: string, password: string): Promise<void> {
  await page.goto(`${base}/`);
  await page.fill("input[name=username]", username);
  await page.fill("input[name=password]", password);
  await page.press("input[name=password]", "Enter");
  await page.waitForSelector(`${frame}, ${character}`);
  if (await page.$(character)) await page.click(character);
  await page.waitForSelector(frame);
}

export interface Look {
  readonly scheme: "dark" | "light";
  readonly language: "en" | "de";
}

const english: Look = { scheme: "dark", language: "en" };

/** A context of its own whose pages start with this look; nothing moves in it. */
export async function openContext(
  browser: Browser,
  look: Partial<Look> = {},
  viewport = { width: 1440, height: 900 },
): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: "en-US", viewport, reducedMotion: "reduce" });
  const kept = JSON.stringify({ ...english, ...look });
  await context.addInitScript(
    `localStorage.getItem("rollcall.preferences") || localStorage.setItem("rollcall.preferences", ${JSON.stringify(kept)})`,
  );
  return context;
}

/** Changes the look of an open page, as another tab of the same device would. */
export async function changeLook(page: Page, look: Look): Promise<void> {
  await page.evaluate((kept) => {
    localStorage.setItem("rollcall.preferences", kept);
    dispatchEvent(new StorageEvent("storage", { key: "rollcall.preferences" }));
  }, JSON.stringify(look));
  await page.waitForSelector(`html[data-mantine-color-scheme=${look.scheme}][lang=${look.language}]`, { state: "attached" });
}

/** Resolves when the page has drawn what it knows. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frames = 0; frames < 3; frames += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
  });
}

/** Opens the account menu, chooses an entry or a value in it, and leaves it closed. */
export async function chooseInMenu(page: Page, text: string): Promise<void> {
  await page.click(frame);
  await page.click(`header [role=dialog] >> text="${text}"`);
  await page.keyboard.press("Escape");
  await page.waitForSelector("header [role=dialog]", { state: "detached" });
}
