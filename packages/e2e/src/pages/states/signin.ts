import type { PageState } from "./state.ts";

const token = "7K2M-Q9XA-4B0T-ZC8W-1N5E-R7HJ-3VGD-KP6S-YF2Q-M9TA-0X4B-C8ZW-N100";

/** Pages before the sign-in other than the login page. */
export const pageStates: readonly PageState[] = [
  {
    name: "register",
    path: `/register#${token}`,
    ready: "input[name=username]",
    lead: async (page) => {
      await page.fill("input[name=username]", "mara");
      await page.fill("input[name=password]", "a fine password");
      await page.press("input[name=password]", "Enter");
      await page.waitForSelector("text=not valid any more");
    },
  },
  { name: "setup-not-needed", path: "/setup#an-old-token", ready: "main h2" },
  { name: "reset-german", path: "/reset", language: "de", ready: "input[name=token]" },
  {
    name: "factor",
    path: "/login/factor",
    ready: "input[name=code]",
    lead: async (page) => {
      await page.fill("input[name=code]", "123456");
      await page.press("input[name=code]", "Enter");
      await page.waitForSelector("[role=alert]");
    },
  },
];
