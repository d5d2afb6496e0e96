import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";
const dialog = "[role=dialog]";
const row = "[role=row][data-index]";

/** Opens a call without units, and asks the first one in the list by keyboard. */
const ask = async (page: Page) => {
  await page.click(`${row} >> nth=0`);
  await page.click("aside button >> text=Add units");
  await page.waitForSelector(`${dialog} input`);
};

const askFirst = async (page: Page) => {
  await ask(page);
  await page.click(`${dialog} input`);
  await page.waitForSelector("[role=option]:visible");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await page.click(`${dialog} button >> text=Assign without asking`);
  await page.waitForSelector(dialog, { state: "detached" });
  await page.waitForSelector("aside [data-assignment]");
};

export const pageStates: readonly PageState[] = [
  { name: "assignments", as: chief, path: "/calls", ready: row, flow: askFirst },
  { name: "assignments-ask", as: chief, path: "/calls", ready: row, act: ask },
];
