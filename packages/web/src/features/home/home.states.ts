import type { PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";

export const pageStates: readonly PageState[] = [
  { name: "home", as: chief, path: "/", ready: "main h1" },
  { name: "home-without-rights", as: "citizen", path: "/", ready: "main dl" },
  { name: "home-administrator", as: "admin", path: "/", ready: "main section p" },
  {
    name: "own-record",
    as: "citizen",
    path: "/",
    ready: "main dl",
    act: async (page) => {
      await page.click("main a >> text=Open my record");
      await page.waitForSelector("aside section h3");
    },
  },
];
