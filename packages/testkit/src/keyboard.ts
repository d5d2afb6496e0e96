import type { Page } from "playwright-core";

/** Selector of everything that can be operated. */
const operable = 'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable="true"]';
const mostSteps = 160;

/** Marks the controls that Tab must reach: visible, enabled, in the open dialog if there is one, and not moved to with arrow keys. */
async function mark(page: Page): Promise<string[]> {
  return await page.evaluate((selector) => {
    const names: string[] = [];
    const modal = [...document.querySelectorAll("[role=dialog]")].at(-1);
    for (const element of document.querySelectorAll<HTMLElement>(selector)) {
      const hidden = element.getClientRects().length === 0 || getComputedStyle(element).visibility === "hidden";
      const off = element.tabIndex < 0 || element.matches(":disabled") || element.closest("[inert], [aria-hidden=true]") !== null;
      const unchosen = element.matches("input[type=radio]:not(:checked)");
      const closed = element.closest("details:not([open])") !== null && !element.matches("summary");
      if (hidden || off || unchosen || closed || (modal && !modal.contains(element))) continue;
      element.dataset["walk"] = String(names.length);
      const label = element.getAttribute("aria-label") ?? element.textContent ?? "";
      names.push(`${element.tagName.toLowerCase()} “${label.trim().slice(0, 40)}”`);
    }
    return names;
  }, operable);
}

/**
 * The controls that Tab alone does not reach from the start of the page, one line each. With a focus
 * trap, these are all controls after it.
 */
export async function unreachable(page: Page): Promise<string[]> {
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement && !document.querySelector("[role=dialog]")) document.activeElement.blur();
    getSelection()?.removeAllRanges();
  });
  const names = await mark(page);
  const seen = new Set<number>();
  let still = 0;
  for (let step = 0; step < mostSteps && seen.size < names.length && still < 6; step += 1) {
    await page.keyboard.press("Tab");
    const at = await page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset["walk"]);
    const before = seen.size;
    if (at !== undefined) seen.add(Number(at));
    still = seen.size === before ? still + 1 : 0;
  }
  await page.evaluate(() => {
    for (const element of document.querySelectorAll<HTMLElement>("[data-walk]")) delete element.dataset["walk"];
  });
  return names.filter((_name, index) => !seen.has(index));
}
