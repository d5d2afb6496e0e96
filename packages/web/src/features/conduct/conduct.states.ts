import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";
const officer = "police.officer";
const dialog = "[role=dialog]";
const entry = "main [data-entries] li a";

const openFirst = async (page: Page) => {
  await page.click(`${entry} >> nth=0`);
  await page.waitForSelector("aside section h3");
};

/** Writes a draft about the first colleague that is offered. */
const write = async (page: Page) => {
  await page.click("main button >> text=New entry");
  await page.waitForSelector(`${dialog} form`);
  await page.click(`${dialog} [data-path=citizenId] input`);
  await page.waitForSelector("[role=option]:visible");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.fill(`${dialog} textarea`, "Came on duty without a radio");
  await page.click(`${dialog} button >> text=Save draft`);
  await page.waitForSelector("aside section h3");
};

/** Writes a draft, deletes it, and takes that back. */
const writeAndUndo = async (page: Page) => {
  await write(page);
  await page.click("aside button >> text=Delete");
  await page.waitForSelector("aside", { state: "detached" });
  await page.click("button >> text=Undo");
  await page.waitForSelector(`${entry} >> nth=0`);
};

const askRelease = async (page: Page) => {
  await page.click(`${entry} >> nth=0`);
  await page.click("aside button >> text=Release");
  await page.waitForSelector(`${dialog} button >> text=Release`);
};

/** Writes a draft and releases it; the focus stays in the entry, whose buttons are others then. */
const release = async (page: Page) => {
  await write(page);
  await page.click("aside button >> text=Release");
  await page.click(`${dialog} button >> text=Release`);
  await page.waitForSelector(dialog, { state: "detached" });
  await page.waitForSelector("aside button >> text=Withdraw");
  await page.waitForSelector("aside [role=group]:focus, aside [role=group] :focus");
};

const openWithdraw = async (page: Page) => {
  await openFirst(page);
  await page.click("aside button >> text=Withdraw");
  await page.waitForSelector(`${dialog} form`);
};

const openReply = async (page: Page) => {
  await page.click("main [data-own] button >> text=Reply");
  await page.waitForSelector(`${dialog} form`);
};

const acknowledge = async (page: Page) => {
  const button = page.locator("main [data-own] button >> text=Acknowledge");
  await button.first().click();
  await page.waitForSelector("main [data-own] dt >> text=Acknowledged");
};

const openTab = async (page: Page) => {
  await page.click("[role=row][data-index] >> nth=3");
  await page.click("aside [role=tab] >> text=Conduct");
  await page.waitForSelector("aside [data-entries]");
};

const newKind = async (page: Page) => {
  await page.click("main button >> text=New kind");
  await page.waitForSelector(`${dialog} form`);
};

const addThreshold = async (page: Page) => {
  await page.click("main button >> text=Add a threshold");
  await page.waitForSelector("main [data-path=thresholds] [role=group]");
};

export const pageStates: readonly PageState[] = [
  { name: "conduct", as: chief, path: "/conduct", ready: entry, flow: writeAndUndo },
  { name: "conduct-detail", as: chief, path: "/conduct?state=released", ready: entry, act: openFirst },
  { name: "conduct-new", as: chief, path: "/conduct?new=1", ready: `${dialog} form` },
  { name: "conduct-release", as: chief, path: "/conduct?state=draft", ready: entry, act: askRelease, flow: release },
  { name: "conduct-withdraw", as: chief, path: "/conduct?state=released", ready: entry, act: openWithdraw },
  { name: "conduct-missing", as: chief, path: "/conduct/999999", ready: "aside h2 >> nth=1" },
  { name: "conduct-officer", as: officer, path: "/conduct", ready: "main [data-points]" },
  { name: "conduct-mine", as: officer, path: "/conduct/mine", ready: "main [data-own]", flow: acknowledge },
  { name: "conduct-reply", as: officer, path: "/conduct/mine", ready: "main [data-own]", act: openReply },
  { name: "conduct-nothing", as: "taxi", path: "/conduct/mine", ready: "main [data-points]" },
  { name: "conduct-colleague", as: chief, path: "/jobs/colleagues", ready: "[role=row][data-index]", act: openTab },
  { name: "conduct-kinds", as: chief, path: "/conduct/kinds", ready: "main li", act: addThreshold, flow: newKind },
  { name: "conduct-kind-editor", as: chief, path: "/conduct/kinds", ready: "main li", act: newKind },
  { name: "conduct-kinds-forbidden", as: officer, path: "/conduct/kinds", ready: "main h1" },
];
