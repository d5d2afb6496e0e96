import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const medic = "police.chief";
const trial = "table ~ button";

const arrive = async (page: Page) => {
  await page.click(trial);
  await page.waitForSelector("main [data-unread=true]");
};

export const pageStates: readonly PageState[] = [
  { name: "notifications", as: medic, path: "/notifications", ready: trial, lead: arrive },
  {
    name: "bell",
    as: medic,
    path: "/notifications",
    ready: trial,
    lead: async (page) => {
      await arrive(page);
      await page.keyboard.press("b");
      await page.waitForSelector("[role=dialog] [data-unread=true]");
    },
  },
];
