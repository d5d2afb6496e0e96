import type { PageState } from "@rollcall/testkit/states.ts";

export const pageStates: readonly PageState[] = [
  {
    name: "files-empty",
    as: "admin",
    path: "/panel/files",
    ready: "main h1 ~ p",
    flow: async (page) => {
      await page.fill("main [role=search] input", "no such file");
      await page.waitForSelector("main h2");
    },
  },
];
