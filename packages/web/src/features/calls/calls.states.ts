import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";
const officer = "police.officer";
const dialog = "[role=dialog]";
const row = "[role=row][data-index]";

/** Makes a call, and completes it beside the list. */
const callAndComplete = async (page: Page) => {
  await page.click("main button >> text=New call");
  await page.waitForSelector(`${dialog} form`);
  await page.fill(`${dialog} textarea`, "Somebody climbs over the fence of the depot");
  await page.click(`${dialog} button[type=submit]`);
  await page.waitForSelector(dialog, { state: "detached" });
  await page.click("aside button >> text=Complete");
  await page.fill(`${dialog} input`, "Nobody found");
  await page.click(`${dialog} button[type=submit]`);
  await page.waitForSelector(dialog, { state: "detached" });
  await page.waitForSelector("aside button >> text=Reopen");
};

const openFirst = async (page: Page) => {
  await page.click(`${row} >> nth=0`);
  await page.waitForSelector("aside section h3");
};

const openReported = async (page: Page) => {
  await openFirst(page);
  await page.waitForSelector("aside [data-reports] li >> nth=4");
};

const newType = async (page: Page) => {
  await page.click("main button >> text=New type");
  await page.waitForSelector(`${dialog} form`);
};

export const pageStates: readonly PageState[] = [
  { name: "calls", as: chief, path: "/calls", ready: row, flow: callAndComplete },
  { name: "calls-detail", as: chief, path: "/calls", ready: row, act: openFirst },
  { name: "calls-reported", as: chief, path: "/calls?q=rob", ready: row, act: openReported },
  { name: "calls-new", as: chief, path: "/calls?new=1", ready: `${dialog} form` },
  { name: "calls-nothing", as: chief, path: "/calls?q=Qqqqzzzzxx", ready: "main h2" },
  { name: "calls-missing", as: chief, path: "/calls/999999", ready: "aside h2 >> nth=1" },
  { name: "calls-citizen", as: "citizen", path: "/calls", ready: "main h1" },
  { name: "call-setup", as: chief, path: "/calls/setup", ready: "main li", flow: newType },
  { name: "call-type-editor", as: chief, path: "/calls/setup", ready: "main li", act: newType },
  { name: "call-setup-forbidden", as: officer, path: "/calls/setup", ready: "main h1" },
];
