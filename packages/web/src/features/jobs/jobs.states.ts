import type { Page } from "playwright-core";
import { offerIcons } from "@rollcall/testkit/icons.ts";
import type { PageState } from "@rollcall/testkit/states.ts";

const openIcons = async (page: Page) => {
  await page.click("main [role=group] button[aria-haspopup=dialog]");
  await page.waitForSelector("[role=dialog] [role=option] svg >> nth=20");
};

export const pageStates: readonly PageState[] = [
  { name: "job-properties", as: "police.chief", path: "/panel/jobs", ready: "main section textarea" },
  {
    name: "job-icons",
    as: "police.chief",
    path: "/panel/jobs",
    before: offerIcons,
    ready: "main [role=group] button[aria-haspopup=dialog]",
    lead: openIcons,
  },
];
