import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";
const dialog = "[role=dialog]";

const openEditor = async (page: Page) => {
  await page.click("main button >> text=New notice");
  await page.fill(`${dialog} label:has-text("Title") ~ div input`, "Radio check at 20:00, all units");
  await page.fill(`${dialog} textarea`, "Channel 3.\nWho cannot answer reports to the watch commander before going on duty.");
};

const putUp = async (page: Page) => {
  await openEditor(page);
  await page.click(`${dialog} button[type=submit]`);
  await page.waitForSelector("main article h3");
  await page.waitForSelector(dialog, { state: "detached" });
};

export const pageStates: readonly PageState[] = [
  { name: "notice-editor", as: chief, path: "/", ready: "main h1", act: openEditor },
  {
    name: "notices",
    as: chief,
    path: "/",
    ready: "main h1",
    flow: async (page) => {
      await putUp(page);
      await page.waitForSelector("main article h3 >> text=Radio check at 20:00");
    },
    act: putUp,
  },
  {
    name: "notice-access",
    as: chief,
    path: "/",
    ready: "main h1",
    act: async (page) => {
      await putUp(page);
      await page.click("main article button >> nth=0");
      await page.waitForSelector(`${dialog} ul li >> nth=1`);
    },
  },
];
