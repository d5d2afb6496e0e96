import type { PageState } from "./state.ts";

const row = "[role=row][data-index]";

export const pageStates: readonly PageState[] = [
  { name: "account", as: "police.chief", path: "/account", ready: "main dl" },
  { name: "account-sessions-german", as: "police.chief", language: "de", path: "/account/sessions", ready: "main li strong" },
  { name: "account-password", as: "police.chief", path: "/account/password", ready: "input[name=new]" },
  {
    name: "account-factor",
    as: "police.chief",
    path: "/account/factor",
    ready: 'nav [aria-current=page]:text-is("Second factor")',
  },
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
