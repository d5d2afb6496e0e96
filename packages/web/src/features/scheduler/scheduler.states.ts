import type { PageState } from "@rollcall/testkit/states.ts";

export const pageStates: readonly PageState[] = [
  {
    name: "schedule",
    as: "admin",
    path: "/panel/schedule",
    ready: "main article h2",
    flow: async (page) => {
      const schedule = await page.innerText("main article h2 >> nth=0");
      await page.click("main article button >> nth=0");
      // Its next run is later than before, so that another one may be the first then.
      await page.waitForSelector(`main article:has(h2:text-is("${schedule}")) >> text=Done`);
    },
  },
];
