import type { PageState } from "@rollcall/testkit/states.ts";

const row = "[role=row][data-index]";
const dialog = "[role=dialog]";

export const pageStates: readonly PageState[] = [
  {
    name: "search",
    as: "police.chief",
    path: "/citizens",
    ready: row,
    act: async (page) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("lind");
      await page.waitForSelector(`${dialog} [role=option] >> text=Mara Lind`);
    },
    flow: async (page) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("lind");
      await page.click(`${dialog} [role=option] >> text=Mara Lind`);
      await page.waitForURL(/\/citizens\/\d+/);
    },
  },
];
