import type { PageState } from "@rollcall/testkit/states.ts";

const row = "[role=row][data-index]";
const dialog = "[role=dialog]";
const option = (group: string, text: string) => `${dialog} [role=group][aria-label="${group}"] [role=option] >> text=${text}`;

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
  {
    name: "search-recent",
    as: "police.chief",
    path: "/citizens",
    ready: row,
    act: async (page) => {
      await page.click(`${row} >> nth=0`);
      await page.waitForURL(/\/citizens\/\d+/);
      await page.waitForFunction(() => Object.keys(localStorage).some((name) => name.startsWith("rollcall.recent.")));
      await page.keyboard.press("Control+k");
      await page.waitForSelector(`${dialog} [role=group][aria-label="Recently opened"] [role=option]`);
    },
  },
  {
    name: "search-actions",
    as: "police.chief",
    path: "/citizens",
    ready: row,
    act: async (page) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("mara lnid");
      await page.waitForSelector(option("Similar spelling", "Mara Lind"));
      await page.keyboard.press("ArrowRight");
      await page.waitForSelector(option("Actions for Mara Lind", "Copy the link"));
    },
  },
];
