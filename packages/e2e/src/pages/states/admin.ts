import type { Page } from "playwright-core";
import { offerIcons } from "@rollcall/testkit/icons.ts";
import type { PageState } from "./state.ts";

const as = "admin";

const openIcons = async (page: Page) => {
  await page.click("main [role=group] button[aria-haspopup=dialog]");
  await page.waitForSelector("[role=dialog] [role=option] svg >> nth=20");
};

export const pageStates: readonly PageState[] = [
  { name: "home-setup-hint", as, path: "/", ready: "main p a[href='/setup']" },
  { name: "settings", as, path: "/panel/settings", ready: "main section h2" },
  { name: "settings-german", as, language: "de", widths: [390], path: "/panel/settings", ready: "main section h2" },
  { name: "schedule", as, path: "/panel/schedule", ready: "main article h2" },
  { name: "job-properties", as: "police.chief", path: "/panel/jobs", ready: "main section textarea" },
  {
    name: "job-icons",
    as: "police.chief",
    path: "/panel/jobs",
    before: offerIcons,
    ready: "main [role=group] button[aria-haspopup=dialog]",
    lead: openIcons,
  },
  {
    name: "job-icons-german",
    as: "police.chief",
    language: "de",
    widths: [390],
    path: "/panel/jobs",
    before: offerIcons,
    ready: "main [role=group] button[aria-haspopup=dialog]",
    lead: openIcons,
  },
  { name: "files-empty", as, path: "/panel/files", ready: "main h1 ~ p" },
  { name: "status", as, path: "/panel/status", ready: "main section li >> nth=9" },
  { name: "status-german", as, language: "de", widths: [390], path: "/panel/status", ready: "main section li >> nth=9" },
];
