import type { Page } from "playwright-core";
import { frame } from "@rollcall/testkit/pages.ts";
import type { PageState } from "@rollcall/testkit/states.ts";

const row = "[role=row][data-index]";
const dialog = "[role=dialog]";
const token = "7K2M-Q9XA-4B0T-ZC8W-1N5E-R7HJ-3VGD-KP6S-YF2Q-M9TA-0X4B-C8ZW-N100";

const problem = (status: number, code: string) => ({
  status,
  contentType: "application/problem+json",
  body: JSON.stringify({ type: "about:blank", title: code, status, code, params: {}, traceId: "4f0c2a9b1e7d4c55" }),
});

const openMenu = async (page: Page) => {
  await page.click(frame);
  await page.waitForSelector(dialog);
};

export const pageStates: readonly PageState[] = [
  { name: "login", path: "/", ready: "input[name=username]" },
  { name: "login-german", path: "/", language: "de", ready: "text=Benutzername" },
  {
    name: "login-refused",
    path: "/",
    ready: "input[name=username]",
    act: async (page) => {
      await page.fill("input[name=username]", "nobody");
      await page.fill("input[name=password]", "not the password");
      await page.press("input[name=password]", "Enter");
      await page.waitForSelector("[role=alert]");
    },
  },
  {
    name: "session-ended",
    as: "police.chief",
    path: "/citizens",
    ready: row,
    act: async (page) => {
      await page.route("**/api/auth/token", (route) => void route.fulfill(problem(401, "system.signInNeeded")));
      // Only the search: a list that is read again in the background must not end the session before. A view with which the
      // list opens adds its filters to the address.
      await page.route(/\/api\/citizens\?(?:.*&)?q=/, (route) => void route.fulfill(problem(401, "system.signInNeeded")));
      await page.fill("main [role=search] input", "Lindq");
      await page.waitForSelector(`${dialog} input[name=password]`);
    },
  },
  {
    name: "characters",
    as: "taxi",
    path: "/",
    ready: "main h1",
    act: async (page) => {
      await openMenu(page);
      await page.click("text=Switch character");
      await page.waitForSelector("main ul li button >> nth=2");
    },
  },
  {
    name: "register",
    path: `/register#${token}`,
    ready: "input[name=username]",
    act: async (page) => {
      await page.fill("input[name=username]", "mara");
      await page.fill("input[name=password]", "a fine password");
      await page.press("input[name=password]", "Enter");
      await page.waitForSelector("text=This token is not valid");
    },
  },
  { name: "reset-ended", path: `/reset#${token}`, ready: "[role=alert]" },
  { name: "reset-german", path: "/reset", language: "de", ready: "input[name=token]" },
  {
    name: "factor",
    path: "/login/factor",
    ready: "input[name=code]",
    act: async (page) => {
      await page.fill("input[name=code]", "123456");
      await page.press("input[name=code]", "Enter");
      await page.waitForSelector("[role=alert]");
    },
  },
];
