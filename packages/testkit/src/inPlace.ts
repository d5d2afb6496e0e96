import type { Page } from "playwright-core";
import { changeVariant, frame } from "./pages.ts";

/** An address that no page has. */
export const nowhere = "/nothing/here";

/** What the application shows at it. In English. */
export const atNowhere = "main h1:text-is('Page not found')";

/** How long the application may take to show it; longer for a form that asks before it is left. Milliseconds. */
const limitMs = 1_500;

/** Changes the address as a link of the application does: without loading the document again. */
export const pushPath = async (page: Page, to: string) =>
  await page.evaluate((address) => history.pushState(null, "", address), to);

/** What another page would still show, and what only a new document gets rid of. */
const leftovers = "[role=dialog], [role=log] > *";

/** Leads to the page that shows nothing, so that what the last page showed cannot be taken for the next one; whether it worked. */
async function leave(page: Page, base: string): Promise<boolean> {
  if (!page.url().startsWith(`${base}/`) || (await page.$(frame)) === null) return false;
  await changeVariant(page, { scheme: "dark", language: "en" });
  await pushPath(page, nowhere);
  const left = await page
    .waitForSelector(atNowhere, { timeout: limitMs })
    .then(() => true)
    .catch(() => false);
  return left && (await page.$(leftovers)) === null;
}

/**
 * Opens an address of the application. In place where the page shows the application already and nothing of the last page
 * is left on it, as loading it costs half a second of computing; otherwise as a new page. `fresh` always loads it.
 */
export async function openPath(page: Page, base: string, path: string, fresh = false): Promise<"in place" | "loaded"> {
  if (!fresh && path !== nowhere && (await leave(page, base))) {
    await pushPath(page, path);
    await page.waitForSelector(atNowhere, { state: "detached" });
    return "in place";
  }
  await page.goto(`${base}${path}`);
  await page.waitForSelector("#root > *", { state: "attached" });
  return "loaded";
}
