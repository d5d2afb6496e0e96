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
  await page.click("main figure button >> nth=0");
  await page.waitForSelector("main figure table");
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

const grades = [
  { grade: 0, label: "Cadet" },
  { grade: 1, label: "Officer" },
];
const person = {
  id: "01K00000000000000000000007",
  citizenId: 12,
  name: "Mara Lind",
  expectedGrade: null,
  grade: 0,
  reason: "Passed the interview",
  state: "delivered",
  answer: null,
  askedAt: 1_790_000_000_000,
  endedAt: null,
  kind: "hire",
};

/** The setting is on and a game server is there, which the demo city has not. */
const movesAre = (may: readonly string[], items: readonly object[]) => async (page: Page) => {
  const body = JSON.stringify({ on: true, connected: true, grades, may, items });
  await page.route(/\/api\/colleagues\/moves(?:\?|$)/, (route) => void route.fulfill({ contentType: "application/json", body }));
};

const openMove = async (page: Page) => {
  await openFirst(page);
  await page.click("aside button >> text=Change grade");
  await page.waitForSelector(`${dialog} form`);
};

const openHire = async (page: Page) => {
  await page.click("main button >> text=Hire somebody");
  await page.waitForSelector(`${dialog} form`);
};

export const pageStates: readonly PageState[] = [
  { name: "colleagues", as: chief, path: "/jobs/colleagues", ready: row, flow: openFirst },
  { name: "colleagues-detail", as: chief, path: "/jobs/colleagues", ready: row, act: openFirst },
  { name: "colleagues-editor", as: chief, path: "/jobs/colleagues", ready: row, act: openEditor },
  { name: "colleagues-selected", as: chief, path: "/jobs/colleagues", ready: row, act: select },
  { name: "colleagues-give", as: chief, path: "/jobs/colleagues", ready: row, act: openLabels },
  {
    name: "colleagues-move",
    as: chief,
    path: "/jobs/colleagues",
    prepare: movesAre(["promote", "dismiss"], []),
    ready: row,
    act: openMove,
  },
  {
    name: "colleagues-hire",
    as: chief,
    path: "/jobs/colleagues",
    prepare: movesAre(["hire"], [person]),
    ready: row,
    act: openHire,
  },
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
  { name: "colleagues-statistics", as: chief, path: "/jobs/statistics", ready: "main figure", flow: openTable },
  { name: "colleagues-statistics-forbidden", as: officer, path: "/jobs/statistics", ready: "main h1" },
  { name: "colleagues-activity", as: chief, path: "/jobs/activity", ready: "main li", flow: openPerson },
];
