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

/** An option of the dialog, by keyboard. */
const chooseOne = async (page: Page) => {
  await page.click(`${dialog} input`);
  await page.waitForSelector("[role=option]:visible");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForSelector(`${dialog} button[type=submit]:enabled`);
  await page.press(`${dialog} button[type=submit]`, "Enter");
  await page.waitForSelector(dialog, { state: "detached" });
};

const askMerge = async (page: Page) => {
  await openFirst(page);
  await page.click("aside button >> text=Merge");
  await page.waitForSelector(`${dialog} input`);
};

/** Merges a call with one that the dialog offers, by keyboard, and takes the newer one out again. */
const mergeAndUndo = async (page: Page) => {
  await askMerge(page);
  await chooseOne(page);
  await page.click("aside [data-merged] button");
  await page.waitForSelector("aside [data-merged]", { state: "detached" });
};

const askFor = (action: string) => async (page: Page) => {
  await openFirst(page);
  await page.click(`aside button >> text=${action}`);
  await page.waitForSelector(`${dialog} form`);
};

/** Splits a call, links the new one with a third, and removes that link again. */
const splitAndLink = async (page: Page) => {
  await askFor("Split")(page);
  await page.fill(`${dialog} textarea`, "A second motorcycle");
  await page.click(`${dialog} button[type=submit]`);
  await page.waitForSelector(dialog, { state: "detached" });
  await page.waitForSelector("aside [data-links] li");
  await page.click("aside button >> text=/^Link$/");
  await page.waitForSelector(`${dialog} input`);
  await chooseOne(page);
  await page.click("aside [data-links] li >> nth=1 >> button");
  await page.waitForSelector("aside [data-links] li >> nth=1", { state: "detached" });
};

/** Offers a call to another job, by keyboard, and keeps it after all. */
const handOverAndKeep = async (page: Page) => {
  await askFor("Hand over")(page);
  await chooseOne(page);
  await page.waitForSelector("aside [data-handover]");
  await page.click("aside button >> text=Keep the call");
  await page.waitForSelector("aside [data-handover]", { state: "detached" });
};

const openStorm = async (page: Page) => {
  await page.click("main [data-storm]");
  await page.waitForSelector(`${dialog} [data-places] li`);
  await page.waitForSelector(`${dialog} [data-alerts-of-storm] li`);
};

/** Makes a call of an alert and another one of a place, and dismisses what is left. */
const handleStorm = async (page: Page) => {
  await openStorm(page);
  await page.click(`${dialog} [data-alerts-of-storm] button >> nth=0`);
  await page.waitForSelector(`${dialog} [data-alerts-of-storm] a >> nth=0`);
  await page.click(`${dialog} [data-places] button >> text=Make one call`);
  await page.waitForSelector(`${dialog} [data-alerts-of-storm] a >> nth=1`);
  await page.click(`${dialog} button >> text=Dismiss`);
  await page.fill(`${dialog} form input`, "A fault of the alarm script");
  await page.click(`${dialog} form button[type=submit]`);
  await page.waitForSelector(dialog, { state: "detached" });
  await page.waitForSelector("main [data-storm]", { state: "detached" });
};

/** Searches the archive by an outcome, and opens what is found beside the list. */
const searchArchive = async (page: Page) => {
  await page.fill("main [inputmode=search]", "music off");
  await page.waitForSelector(`${row} >> nth=1`, { state: "detached" });
  await openFirst(page);
};

const selectTwo = async (page: Page) => {
  await page.click(`${row} input[type=checkbox] >> nth=0`);
  await page.click(`${row} input[type=checkbox] >> nth=1`);
  await page.waitForSelector("button >> text=Merge");
};

export const pageStates: readonly PageState[] = [
  { name: "calls", as: chief, path: "/calls", ready: row, flow: callAndComplete },
  { name: "calls-storm", as: chief, path: "/calls", ready: "main [data-storm]", act: openStorm, flow: handleStorm },
  { name: "calls-detail", as: chief, path: "/calls", ready: row, act: openFirst },
  { name: "calls-reported", as: chief, path: "/calls?q=rob", ready: row, act: openReported },
  { name: "calls-merge", as: chief, path: "/calls?q=backyard", ready: row, act: askMerge, flow: mergeAndUndo },
  { name: "calls-split", as: chief, path: "/calls?q=motorcycle", ready: row, act: askFor("Split"), flow: splitAndLink },
  { name: "calls-link", as: chief, path: "/calls?q=motorcycle", ready: row, act: askFor("Link") },
  { name: "calls-handover", as: chief, path: "/calls?q=backyard", ready: row, act: askFor("Hand over"), flow: handOverAndKeep },
  { name: "calls-selected", as: chief, path: "/calls", ready: row, act: selectTwo },
  { name: "calls-new", as: chief, path: "/calls?new=1", ready: `${dialog} form` },
  { name: "calls-nothing", as: chief, path: "/calls?q=Qqqqzzzzxx", ready: "main h2" },
  { name: "calls-missing", as: chief, path: "/calls/999999", ready: "aside h2 >> nth=1" },
  { name: "calls-citizen", as: "citizen", path: "/calls", ready: "main h1" },
  { name: "calls-archive", as: chief, path: "/dispatch/archive", ready: row, flow: searchArchive },
  { name: "calls-archive-detail", as: chief, path: "/dispatch/archive", ready: row, act: openFirst },
  { name: "calls-archive-nothing", as: chief, path: "/dispatch/archive?q=Qqqqzzzzxx", ready: "main h2" },
  { name: "call-setup", as: chief, path: "/calls/setup", ready: "main li", flow: newType },
  { name: "call-type-editor", as: chief, path: "/calls/setup", ready: "main li", act: newType },
  { name: "call-setup-forbidden", as: officer, path: "/calls/setup", ready: "main h1" },
];
