import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";
const row = "[role=row][data-index]";

const open = async (page: Page) => {
  await page.click(row);
  await page.waitForURL(/\/vehicles\/\d+/);
  await page.waitForSelector("aside section h3");
  await page.keyboard.press("Escape");
  await page.waitForSelector("aside", { state: "detached" });
};

export const pageStates: readonly PageState[] = [
  { name: "vehicles", as: chief, path: "/vehicles", ready: row, flow: open },
  { name: "vehicles-empty", as: chief, path: "/vehicles?q=Qqqqzzzzxx", ready: "main h2" },
  { name: "vehicle", as: chief, path: "/vehicles/1", ready: "aside section h3" },
];
