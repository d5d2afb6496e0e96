import type { PageState } from "@rollcall/testkit/states.ts";

const dialog = "[role=dialog]";

export const pageStates: readonly PageState[] = [
  {
    name: "search-postal",
    as: "police.chief",
    path: "/",
    ready: "main h1",
    act: async (page) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("204");
      await page.waitForSelector(`${dialog} [role=option] >> text=Who is near`);
      await page.keyboard.press("Enter");
      await page.waitForSelector(`${dialog} [role=option] >> text=Set waypoint`);
    },
  },
];
