import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

/** Nobody is shown to somebody who could see places, because of what game servers report. */
const without = (reports: "nobody" | "silent" | "never") => async (page: Page) => {
  const reportedAt = reports === "never" ? null : Date.now() - (reports === "silent" ? 23 * 60_000 : 2_000);
  const own = { onDuty: true, known: false, hidden: false, exempt: true, at: null, reports, reportedAt };
  await page.route(
    "**/api/positions/own",
    (route) => void route.fulfill({ contentType: "application/json", body: JSON.stringify(own) }),
  );
};

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
  ...(["nobody", "silent", "never"] as const).map((reports) => ({
    name: `places-${reports}`,
    as: "police.chief",
    path: "/places",
    prepare: without(reports),
    ready: "main h2",
  })),
  { name: "places-forbidden", as: "citizen", path: "/places", ready: "main h1" },
];
