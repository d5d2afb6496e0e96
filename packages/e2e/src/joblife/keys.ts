import type { Page } from "playwright-core";

/** More keys than any page between two of its controls needs. */
const mostSteps = 120;

/** Presses Tab until the first control of the selector has the focus, as somebody without a mouse does. */
export async function reach(page: Page, selector: string): Promise<void> {
  const control = page.locator(selector).first();
  await control.waitFor();
  for (let steps = 0; steps < mostSteps; steps += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${selector}`);
}

/** Reaches a button or link and presses it. */
export async function press(page: Page, selector: string): Promise<void> {
  await reach(page, selector);
  await page.keyboard.press("Enter");
}

/** Reaches a field and writes in it, in place of what it has. */
export async function write(page: Page, selector: string, text: string): Promise<void> {
  await reach(page, selector);
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
}

/** Reaches a field with a list, opens it, and chooses what has this text. */
export async function choose(page: Page, selector: string, text: string): Promise<void> {
  await reach(page, selector);
  if ((await page.inputValue(selector)) === text) return;
  await page.keyboard.press("ArrowDown");
  const chosen = page.locator(`[role=option][data-combobox-selected]:has-text("${text}")`);
  // The list opens a moment after the key.
  await page.waitForSelector(`[role=option]:visible:has-text("${text}")`);
  for (let steps = 0; steps < mostSteps && (await chosen.count()) === 0; steps += 1) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
}
