import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";
const officer = "police.officer";
const dialog = "[role=dialog]";
const row = "[role=row][data-index]";

const openFirst = async (page: Page) => {
  await page.click(`${row} >> nth=0`);
  await page.waitForSelector("aside section h3");
};

const openPerson = async (page: Page) => {
  await page.click("main li a >> nth=0");
  await page.waitForSelector("aside section h3");
};

const openHours = async (page: Page) => {
  await openFirst(page);
  await page.click("aside [role=tab] >> text=Timeclock");
  await page.waitForURL(/tab=timeclock/);
  await page.waitForSelector("aside [data-sum]");
};

/** The numbers behind the first plot. */
const openTable = async (page: Page) => {
  await page.click("main section button >> nth=0");
  await page.waitForSelector("main table");
};

const openEditor = async (page: Page) => {
  await openFirst(page);
  await page.click("aside button >> text=Note and name");
  await page.waitForSelector(`${dialog} textarea`);
};

const select = async (page: Page) => {
  await page.click(`${row} >> nth=0`, { modifiers: ["Control"], position: { x: 200, y: 6 } });
  await page.waitForSelector("main [role=group] button >> text=Labels");
};

const openLabels = async (page: Page) => {
  await select(page);
  await page.click("main [role=group] button >> text=Labels");
  await page.waitForSelector(`${dialog} form`);
};

const newLabel = async (page: Page) => {
  await page.click("main button >> text=New label");
  await page.waitForSelector(`${dialog} form`);
};

export const pageStates: readonly PageState[] = [
  { name: "colleagues", as: chief, path: "/jobs/colleagues", ready: row, flow: openFirst },
  { name: "colleagues-detail", as: chief, path: "/jobs/colleagues", ready: row, act: openFirst },
  { name: "colleagues-editor", as: chief, path: "/jobs/colleagues", ready: row, act: openEditor },
  { name: "colleagues-selected", as: chief, path: "/jobs/colleagues", ready: row, act: select },
  { name: "colleagues-give", as: chief, path: "/jobs/colleagues", ready: row, act: openLabels },
  { name: "colleagues-officer", as: officer, path: "/jobs/colleagues", ready: row, act: openFirst },
  { name: "colleagues-nothing", as: chief, path: "/jobs/colleagues?q=Qqqqzzzzxx", ready: "main h2" },
  { name: "colleagues-missing", as: chief, path: "/jobs/colleagues/999999", ready: "aside h2 >> nth=1" },
  { name: "colleagues-forbidden", as: "citizen", path: "/jobs/colleagues", ready: "main h1" },
  { name: "colleagues-labels", as: chief, path: "/jobs/colleagues/labels", ready: "main li" },
  {
    name: "colleagues-label-editor",
    as: chief,
    path: "/jobs/colleagues/labels",
    ready: "main li",
    act: newLabel,
    flow: newLabel,
  },
  { name: "colleagues-hours", as: chief, path: "/jobs/colleagues", ready: row, act: openHours },
  { name: "colleagues-statistics", as: chief, path: "/jobs/statistics", ready: "main section h3", flow: openTable },
  { name: "colleagues-statistics-forbidden", as: officer, path: "/jobs/statistics", ready: "main h1" },
  { name: "colleagues-activity", as: chief, path: "/jobs/activity", ready: "main li", flow: openPerson },
];
