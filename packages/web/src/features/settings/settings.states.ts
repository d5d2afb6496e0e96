import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const as = "admin";

const rename = async (page: Page) => {
  await page.fill('main label:text-is("Name of the community") ~ div input', "Rollcall City");
  await page.click("main button >> text=Save");
  await page.waitForSelector("main button[type=submit]", { state: "detached" });
};

export const pageStates: readonly PageState[] = [
  { name: "settings", as, path: "/panel/settings", ready: "main section h2", flow: rename },
  { name: "settings-refused", as: "police.chief", path: "/panel/settings", ready: "main h1" },
];
