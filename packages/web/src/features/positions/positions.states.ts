import type { PageState } from "@rollcall/testkit/states.ts";

export const pageStates: readonly PageState[] = [
  {
    name: "places-off-duty",
    as: "police.chief",
    path: "/places",
    ready: "main h2",
    flow: async (page) => {
      await page.click("main button >> text=To your duty");
      await page.waitForSelector("main [data-own-duty]");
    },
  },
  { name: "places-forbidden", as: "citizen", path: "/places", ready: "main h1" },
];
