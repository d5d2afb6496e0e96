import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const walk = async (page: Page) => {
  await page.click("main nav >> text=Sessions");
  await page.waitForSelector("main li strong");
  await page.click("main nav >> text=Password");
  await page.fill("input[name=new]", "a fine password");
};

const show = async (page: Page) => {
  await page.click("main label:has-text('Light')");
  await page.click("main label:has-text('on this device only')");
  await page.waitForSelector("html[data-mantine-color-scheme=light]");
};

export const pageStates: readonly PageState[] = [
  { name: "account", as: "police.chief", path: "/account", ready: "main dl", flow: walk },
  { name: "account-sessions-german", as: "police.chief", language: "de", path: "/account/sessions", ready: "main li strong" },
  { name: "account-display", as: "police.chief", path: "/account/display", ready: "main [role=radiogroup]", flow: show },
  {
    name: "account-display-german",
    as: "police.chief",
    language: "de",
    path: "/account/display",
    ready: "main [role=radiogroup]",
  },
  { name: "account-password", as: "police.chief", path: "/account/password", ready: "input[name=new]" },
  {
    name: "account-factor",
    as: "police.chief",
    path: "/account/factor",
    ready: 'nav [aria-current=page]:text-is("Second factor")',
  },
];
