import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";
const row = "[role=row][data-index]";
const own = "main [data-own-duty]";

/** Goes off duty, if somebody went on duty here before. */
const offDuty = async (page: Page) => {
  const end = await page.$(`${own} button >> text=Go off duty`);
  await end?.click();
  await page.waitForSelector(`${own} >> text=You are off duty.`);
};

const onDuty = async (page: Page) => {
  if ((await page.$(`${own} button >> text=Go off duty`)) === null) await page.click(`${own} button >> text=Go on duty`);
  await page.waitForSelector(`${own} button >> text=Go off duty`);
  await page.waitForSelector(row);
};

const goOnAndOff = async (page: Page) => {
  await onDuty(page);
  await page.waitForSelector("header button >> text=On duty since");
  await page.click(`${own} button >> text=Go off duty`);
  await page.waitForSelector(`${row} >> text=Police`, { state: "detached" });
};

export const pageStates: readonly PageState[] = [
  { name: "duty-nobody", as: chief, path: "/duty", ready: own, act: offDuty },
  { name: "duty", as: chief, path: "/duty", ready: own, act: onDuty, flow: goOnAndOff },
  {
    name: "duty-control",
    as: chief,
    path: "/duty",
    ready: own,
    act: async (page) => {
      await onDuty(page);
      await page.click("header button[aria-haspopup=true]");
      await page.waitForSelector("header [role=dialog]");
    },
  },
  {
    name: "duty-rules",
    as: chief,
    path: "/duty",
    ready: own,
    act: async (page) => {
      await page.click("main button >> text=Duty by hand");
      await page.waitForSelector("[role=dialog] form");
    },
  },
];
