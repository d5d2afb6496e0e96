import type { Page } from "playwright-core";
import { offerIcons } from "@rollcall/testkit/icons.ts";
import type { PageState } from "@rollcall/testkit/states.ts";

const openIcons = async (page: Page) => {
  await page.click("main [role=group] button[aria-haspopup=dialog]");
  await page.waitForSelector("[role=dialog] [role=option] svg >> nth=20");
};

export const pageStates: readonly PageState[] = [
  {
    name: "job-properties",
    as: "police.chief",
    path: "/panel/jobs",
    ready: "main section textarea",
    flow: async (page) => {
      await page.fill("main section textarea", "Radio check at 20:00, all units");
      await Promise.all([
        page.waitForResponse((response) => response.request().method() === "PUT" && response.ok()),
        page.click("main button[type=submit]"),
      ]);
      await page.waitForSelector("main button[type=submit]", { state: "detached" });
    },
  },
  {
    name: "job-icons",
    as: "police.chief",
    path: "/panel/jobs",
    prepare: offerIcons,
    ready: "main [role=group] button[aria-haspopup=dialog]",
    act: openIcons,
  },
];
