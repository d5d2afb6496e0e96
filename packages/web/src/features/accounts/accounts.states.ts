import type { PageState } from "@rollcall/testkit/states.ts";

const row = "[role=row][data-index]";

export const pageStates: readonly PageState[] = [
  { name: "accounts", as: "admin", path: "/panel/accounts", ready: row },
  {
    name: "account-detail-german",
    as: "admin",
    language: "de",
    path: "/panel/accounts",
    ready: row,
    lead: async (page) => {
      await page.click(row);
      await page.waitForSelector("aside section dl");
      await page.click("aside >> text=Token zum Zurücksetzen ausstellen");
      await page.waitForSelector("aside [role=status] button");
    },
  },
];
