import type { Page } from "playwright-core";
import { offerIcons } from "@rollcall/testkit/icons.ts";
import type { PageState } from "@rollcall/testkit/states.ts";

const openIcons = async (page: Page) => {
  await page.click("main [role=group] button[aria-haspopup=dialog]");
  await page.waitForSelector("[role=dialog] [role=option] svg >> nth=20");
};

const writeMessage = async (page: Page) => {
  await page.click("main button >> text=Write the message of the day");
  await page.waitForSelector("[role=dialog] textarea");
};

const addLink = async (page: Page) => {
  await page.click("main button >> text=Add a link");
  await page.waitForSelector("main li input");
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
    name: "job-overview",
    as: "police.chief",
    path: "/jobs/overview",
    ready: "main nav li a",
    flow: async (page) => {
      await writeMessage(page);
      await page.fill("[role=dialog] textarea", "Radio check at 21:00, all units");
      await page.click("[role=dialog] button[type=submit]");
      await page.waitForSelector("main section >> text=Radio check at 21:00");
    },
  },
  { name: "job-overview-message", as: "police.chief", path: "/jobs/overview", ready: "main nav li a", act: writeMessage },
  { name: "job-overview-member", as: "medic.chief", path: "/jobs/overview", ready: "main h1" },
  { name: "job-links", as: "police.chief", path: "/panel/jobs", ready: "main section textarea", act: addLink },
  {
    name: "job-icons",
    as: "police.chief",
    path: "/panel/jobs",
    prepare: offerIcons,
    ready: "main [role=group] button[aria-haspopup=dialog]",
    act: openIcons,
  },
];
