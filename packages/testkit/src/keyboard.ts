import type { Page } from "playwright-core";

/** Selector of everything that can be operated. */
const operable = 'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable="true"]';
/** Keys at most, and beyond the number of controls that are left. */
const mostSteps = 400;
const spare = 6;
/** Each message that closes during a walk costs one more. */
const mostWalks = 4;

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

/** Presses Tab repeatedly without waiting for each one: a walk with a round trip a key took most of a page's time. */
async function press(page: Page, times: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const tab = { key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 };
  await Promise.all(
    Array.from({ length: times }, () => [
      session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...tab }),
      session.send("Input.dispatchKeyEvent", { type: "keyUp", ...tab }),
    ]).flat(),
  );
  await session.detach();
}

/** Number of each marked control that had the focus since `record`. */
const reached = async (page: Page) => await page.evaluate(() => [...((globalThis as Walked).walked ?? [])]);

interface Walked {
  walked?: Set<number>;
}

/** From now on notes which marked controls have the focus, starting from the start of the page. */
async function record(page: Page): Promise<void> {
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement && !document.querySelector("[role=dialog]")) document.activeElement.blur();
    getSelection()?.removeAllRanges();
    const walked = new Set<number>();
    const note = ({ target }: { target: EventTarget | null }) => {
      const at = target instanceof HTMLElement ? target.dataset["walk"] : undefined;
      if (at !== undefined) walked.add(Number(at));
    };
    (globalThis as Walked).walked = walked;
    document.addEventListener("focusin", note, { capture: true });
    note({ target: document.activeElement });
  });
}

/** One walk: the controls that it did not reach, and whether one of them has left the page since it was marked. */
async function walk(page: Page): Promise<{ missed: string[]; left: boolean }> {
  const names = await mark(page);
  await record(page);
  // Some stops are not marked, such as the chosen one of radio buttons and boxes that scroll.
  let seen = new Set(await reached(page));
  for (let steps = 0, still = 0; steps < mostSteps && seen.size < names.length && still < 2;) {
    const next = names.length - seen.size + spare;
    await press(page, next);
    steps += next;
    const now = new Set(await reached(page));
    still = now.size === seen.size ? still + 1 : 0;
    seen = now;
  }
  const present = await page.evaluate(() => {
    const marked = [...document.querySelectorAll<HTMLElement>("[data-walk]")];
    const numbers = marked.map((element) => Number(element.dataset["walk"]));
    for (const element of marked) delete element.dataset["walk"];
    return numbers;
  });
  const missed = names.map((name, number) => ({ name, number })).filter(({ number }) => !seen.has(number));
  return { missed: missed.map(({ name }) => name), left: missed.some(({ number }) => !present.includes(number)) };
}

/**
 * The controls that Tab alone does not reach from the start of the page, one line each. With a focus
 * trap, these are all controls after it. Walks again when a control left before its turn, as a message
 * does that closes by itself.
 */
export async function unreachable(page: Page): Promise<string[]> {
  for (let walks = 1; ; walks++) {
    const { missed, left } = await walk(page);
    if (!left || walks === mostWalks) return missed;
  }
}
