import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const row = "[role=row][data-index]";

const issueToken = async (page: Page) => {
  await page.click(row);
  await page.waitForURL(/\/panel\/accounts\/\d+/);
  await page.click("aside >> text=Issue a reset token");
  await page.waitForSelector("aside [role=status] button");
  await page.click("aside button[aria-label='Revoke the reset token']");
  await page.click("[role=dialog] button >> text=Revoke");
  await page.waitForSelector("aside [role=group]:focus");
  await page.waitForSelector("aside [role=status] >> text=The reset token was revoked.");
};

export const pageStates: readonly PageState[] = [
  { name: "accounts", as: "admin", path: "/panel/accounts", ready: row, flow: issueToken },
  {
    name: "account-delete",
    as: "admin",
    path: "/panel/accounts",
    ready: row,
    act: async (page) => {
      // Not the own account, which nobody deletes.
      await page.click(`${row} >> text=police.chief`);
      await page.click("aside button:has-text('Delete')");
      await page.waitForSelector("[role=dialog] input");
    },
  },
  {
    name: "accounts-by-character",
    as: "admin",
    adminMode: true,
    // The first of the list may have no account; the first who was sent has one.
    path: "/citizens/1",
    ready: "aside a[href^='/panel/accounts/']",
    act: async (page) => {
      await page.click("aside a[href^='/panel/accounts/']");
      await page.waitForSelector("aside a[href^='/citizens/']");
    },
  },
  {
    name: "account-detail-german",
    as: "admin",
    language: "de",
    path: "/panel/accounts",
    ready: row,
    act: async (page) => {
      await page.click(row);
      await page.waitForSelector("aside section dl");
      await page.click("aside >> text=Token zum Zurücksetzen ausstellen");
      await page.waitForSelector("aside [role=status] button");
    },
  },
];
