import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";
const officer = "police.officer";
const dialog = "[role=dialog]";
const row = "main [data-group] a";

const openFirst = async (page: Page) => {
  await page.click(`${row} >> nth=0`);
  await page.waitForSelector("aside [data-members] li");
};

const newGroup = async (page: Page) => {
  await page.click("main button >> text=New group");
  await page.waitForSelector(`${dialog} form`);
};

/** Creates a group by grade, opens it and deletes it. */
const createAndRemove = async (page: Page) => {
  await newGroup(page);
  await page.fill(`${dialog} input >> nth=0`, "Night patrol");
  await page.fill(`${dialog} input >> nth=1`, "NIGHT");
  await page.click(`${dialog} button[type=submit]`);
  await page.waitForSelector(dialog, { state: "detached" });
  await page.waitForSelector("aside h2 >> text=Night patrol");
  // Where there is little room, the group covers the list.
  await page.keyboard.press("Escape");
  await page.waitForSelector("aside h2", { state: "detached" });
  await page.click("main button[aria-label='Delete Night patrol']");
  await page.waitForSelector("main button[aria-label='Restore Night patrol']");
};

const openWhy = async (page: Page) => {
  await openFirst(page);
  await page.click("aside [data-members] button >> nth=0");
  await page.waitForSelector(`${dialog} [data-reasons] li`);
};

const openExclude = async (page: Page) => {
  await openFirst(page);
  await page.click("aside [data-members] li >> nth=0 >> button >> text=Exclude");
  await page.waitForSelector(`${dialog} form`);
};

const openEditor = async (page: Page) => {
  await openFirst(page);
  await page.click("aside button >> text=Edit group");
  await page.waitForSelector(`${dialog} form fieldset`);
};

const openTab = async (page: Page) => {
  await page.click("[role=row][data-index] >> nth=0");
  await page.click("aside [role=tab] >> text=Groups");
  await page.waitForSelector("aside [role=tabpanel] section");
};

const empty = async (page: Page) => {
  const body = JSON.stringify({ items: [] });
  await page.route("**/api/jobgroups", (route) => void route.fulfill({ contentType: "application/json", body }));
};

export const pageStates: readonly PageState[] = [
  { name: "groups", as: chief, path: "/groups", ready: row, flow: createAndRemove },
  { name: "groups-detail", as: chief, path: "/groups", ready: row, act: openFirst, flow: openFirst },
  { name: "groups-new", as: chief, path: "/groups?new=1", ready: `${dialog} form` },
  { name: "groups-editor", as: chief, path: "/groups", ready: row, act: openEditor },
  { name: "groups-why", as: chief, path: "/groups", ready: row, act: openWhy },
  { name: "groups-exclude", as: chief, path: "/groups", ready: row, act: openExclude },
  { name: "groups-officer", as: officer, path: "/groups", ready: row, act: openFirst },
  { name: "groups-empty", as: officer, path: "/groups", ready: "main h2", prepare: empty },
  { name: "groups-missing", as: chief, path: "/groups/999999", ready: "aside h2 >> nth=1" },
  { name: "groups-colleague", as: chief, path: "/jobs/colleagues", ready: "[role=row][data-index]", act: openTab },
];
