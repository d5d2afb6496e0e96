import { expect, test } from "vitest";
import { browsers } from "@rollcall/testkit/browsers.ts";
import { openRouted } from "@rollcall/testkit/routed.ts";
import { explains } from "@rollcall/testkit/signs.ts";

const { available, launch } = browsers.find(({ name }) => name === "current")!;

/** The frame calls operations beside every page. Were they taken for the page's, a page that reads nothing would pass. */
test.skipIf(!available)("a page that calls nothing is found, whatever its frame and the session call", async () => {
  const browser = await launch();
  try {
    // The page of an unknown address.
    const routed = await openRouted(browser, "empty");
    expect(await explains(routed, "empty", 500)).toEqual(["called no operation"]);
  } finally {
    await browser.close();
  }
});
