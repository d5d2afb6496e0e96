import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const medic = "police.chief";
const trial = "table ~ button";

const arrive = async (page: Page) => {
  await page.click(trial);
  await page.waitForSelector("main [data-unread=true]");
};

const read = async (page: Page) => {
  await arrive(page);
  await page.click("main >> text=Mark all as read");
  await page.waitForSelector("main [data-unread=true]", { state: "detached" });
  await page.click("main >> text=Who opened my profile");
  await page.waitForURL(/\/notifications\/lookups/);
  await page.waitForSelector("main h1");
};

/** Selects one, so that the bar with what can be done is shown. */
const select = async (page: Page) => {
  await arrive(page);
  await page.hover("main [data-unread=true]");
  await page.click("main [data-unread=true] input[type=checkbox]");
  await page.waitForSelector("main [role=group] strong");
};

/** The question before notifications are removed. */
const askToRemove = async (page: Page) => {
  await select(page);
  await page.click("main [role=group] button >> text=Remove");
  await page.waitForSelector("[role=dialog]");
};

export const pageStates: readonly PageState[] = [
  { name: "notifications", as: medic, path: "/notifications", ready: trial, act: arrive, flow: read },
  { name: "notifications-selected", as: medic, path: "/notifications", ready: trial, act: select },
  { name: "notifications-remove", as: medic, path: "/notifications", ready: trial, act: askToRemove },
  {
    name: "bell",
    as: medic,
    path: "/notifications",
    ready: trial,
    act: async (page) => {
      await arrive(page);
      await page.keyboard.press("b");
      await page.waitForSelector("[role=dialog] [data-unread=true]");
    },
  },
];
