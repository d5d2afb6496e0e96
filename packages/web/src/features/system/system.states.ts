import type { PageState } from "@rollcall/testkit/states.ts";

const as = "admin";

export const pageStates: readonly PageState[] = [
  {
    name: "status",
    as,
    path: "/panel/status",
    ready: "main section li >> nth=9",
    flow: async (page) => {
      await Promise.all([
        page.waitForResponse((response) => response.url().endsWith("/doctor")),
        page.click("main button >> text=Check again"),
      ]);
      await page.waitForSelector("main section [role=status] h2 >> text=/works|need/");
    },
  },
];
