import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";
const dialog = "[role=dialog]";

const openEditor = async (page: Page) => {
  await page.click("main button >> text=New notice");
  await page.fill(`${dialog} label:has-text("Title") ~ div input`, "Radio check at 20:00, all units");
  await page.fill(`${dialog} textarea`, "Channel 3.\nWho cannot answer reports to the watch commander before going on duty.");
};

/** 48 x 48, blue. */
const map =
  "iVBORw0KGgoAAAANSUhEUgAAADAAAAAwCAIAAADYYG7QAAAAOklEQVR42u3OQQ0AAAgEoCtjMuNbwhbOBxsBSPW8EiEhISEhISEhISEhISEhISEhISEhISEhISGhOwsQ7wvEcqrbYwAAAABJRU5ErkJggg==";

const attach = async (page: Page) => {
  await openEditor(page);
  const buffer = Buffer.from(map, "base64");
  await page.setInputFiles(`${dialog} input[type=file]`, { name: "map.png", mimeType: "image/png", buffer });
  await page.waitForSelector(`${dialog} button[aria-label="Remove map.png"]`);
};

/** The second of three files is no picture. */
const attachThree = async (page: Page) => {
  await openEditor(page);
  const picture = { mimeType: "image/png", buffer: Buffer.from(map, "base64") };
  await page.setInputFiles(`${dialog} input[type=file]`, [
    { ...picture, name: "one.png" },
    { name: "notes.png", mimeType: "image/png", buffer: Buffer.from("these are words") },
    { ...picture, name: "two.png" },
  ]);
  await page.waitForSelector(`${dialog} button[aria-label="Remove two.png"]`);
  await page.waitForSelector(`${dialog} button[aria-label="Remove one.png"]`);
  await page.waitForSelector(`${dialog} [role=alert] strong >> text=notes.png`);
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
  { name: "notice-editor-refused", as: chief, path: "/", ready: "main h1", act: attachThree },
  { name: "notice-editor-attachments", as: chief, path: "/", ready: "main h1", act: attach },
  {
    name: "notice-attachments",
    as: chief,
    path: "/",
    ready: "main h1",
    act: async (page) => {
      await attach(page);
      await page.click(`${dialog} button[type=submit]`);
      await page.waitForSelector("main article a >> text=map.png");
      await page.waitForSelector(dialog, { state: "detached" });
    },
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
