import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";

const create = async (page: Page) => {
  await page.fill("main form input", "Front office");
  await page.click("main form button[type=submit]");
  await page.waitForSelector("main [role=status] >> text=/wallboard#");
};

export const pageStates: readonly PageState[] = [
  { name: "wallboard-setup", as: chief, path: "/units/wallboard", ready: "main form", flow: create },
  { name: "wallboard-setup-forbidden", as: "police.officer", path: "/units/wallboard", ready: "main h1" },
  { name: "wallboard-ended", path: "/wallboard#AAAA-BBBB", ready: "main[data-ended]" },
];
