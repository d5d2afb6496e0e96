import type { Page } from "playwright-core";
import { frame } from "@rollcall/testkit/pages.ts";
import { narrow, type PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";
const row = "[role=row][data-index]";
const dialog = "[role=dialog]";

const openMenu = async (page: Page) => {
  await page.click(frame);
  await page.waitForSelector(dialog);
};

export const pageStates: readonly PageState[] = [
  { name: "not-found", as: chief, path: "/nothing/here", ready: "main h1" },
  { name: "forbidden", as: "citizen", path: "/citizens", ready: "main h1" },
  { name: "tablet", as: chief, path: "/citizens/1?q=Lindqvist&tablet=1", ready: "aside section h3" },
  {
    name: "help",
    as: chief,
    path: "/citizens",
    ready: row,
    act: async (page) => {
      await page.keyboard.press("?");
      await page.waitForSelector(`${dialog} dl`);
    },
  },
  {
    name: "phone-search",
    as: chief,
    path: "/",
    ready: "main h1",
    widths: [narrow],
    act: async (page) => {
      await page.click("header button[aria-keyshortcuts='Control+K']");
      await page.waitForSelector(`${dialog} input`);
    },
  },
  { name: "menu", as: chief, path: "/", ready: "main h1", act: openMenu },
  {
    name: "navigation",
    as: chief,
    path: "/citizens",
    widths: [narrow],
    ready: row,
    act: async (page) => {
      await page.click("header button >> nth=0");
      await page.waitForSelector(`${dialog} nav`);
    },
  },
  {
    name: "admin-entry",
    as: "admin",
    path: "/",
    ready: "main h1",
    act: async (page) => {
      await openMenu(page);
      await page.click("text=Enter admin mode");
      await page.waitForSelector(`${dialog} textarea`);
    },
  },
  {
    name: "admin-mode",
    as: "admin",
    adminMode: true,
    path: "/citizens",
    ready: row,
  },
  {
    name: "offline",
    as: chief,
    path: "/citizens",
    prepare: async (page) =>
      await page.addInitScript("globalThis.WebSocket = class { constructor() { throw new Error('no line') } }"),
    ready: row,
    act: async (page) => await page.waitForSelector("text=Try now"),
  },
];
