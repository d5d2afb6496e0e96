import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";
const row = "[role=row][data-index]";

const openFirst = async (page: Page) => {
  await page.click(`${row} >> nth=0`);
  await page.waitForSelector("aside section h3");
};

export const pageStates: readonly PageState[] = [
  { name: "panic", as: chief, path: "/panic", ready: row, flow: openFirst },
  { name: "panic-detail", as: chief, path: "/panic", ready: row, act: openFirst },
  { name: "panic-nothing", as: chief, path: "/panic?q=Qqqqzzzzxx", ready: "main h2" },
  { name: "panic-missing", as: chief, path: "/panic/999999", ready: "aside h2 >> nth=1" },
  { name: "panic-citizen", as: "citizen", path: "/panic", ready: "main h1" },
  { name: "panic-setup", as: chief, path: "/panic/setup", ready: "main form" },
  { name: "panic-setup-forbidden", as: "citizen", path: "/panic/setup", ready: "main h1" },
  { name: "panic-statistics", as: chief, path: "/panic/statistics", ready: "main dl" },
];
