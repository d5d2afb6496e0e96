import type { PageState } from "@rollcall/testkit/states.ts";

export const pageStates: readonly PageState[] = [
  {
    name: "schedule",
    as: "admin",
    path: "/panel/schedule",
    ready: "main article h2",
    flow: async (page) => {
      await page.click("main article button >> nth=0");
      await page.waitForSelector("main article >> nth=0 >> text=Done");
    },
  },
];
