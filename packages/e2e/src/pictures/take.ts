import type { Browser, Page } from "playwright-core";
import { startCity } from "@rollcall/testkit/city.ts";
import { sendLongest } from "@rollcall/testkit/longest.ts";
import { changeVariant, drawn } from "@rollcall/testkit/pages.ts";
import { StatePages } from "@rollcall/testkit/statePages.ts";
import { loadPageStates, narrow, type PageState, wide } from "@rollcall/testkit/states.ts";
import { steady } from "./steady.ts";

const looks = [
  { scheme: "dark", width: wide, height: 900 },
  { scheme: "light", width: narrow, height: 844 },
] as const;

/** One picture of a page state. */
export interface Picture {
  readonly name: string;
  readonly png: Buffer;
}

async function picturesOf(page: Page, url: string, state: PageState): Promise<Picture[]> {
  const pictures: Picture[] = [];
  const { name, path, ready, act, language = "en", widths = [wide, narrow] } = state;
  const taken = looks.filter(({ width }) => widths.includes(width));
  const [first] = taken;
  if (first === undefined) throw new Error(`${name} has no width of a picture`);
  await page.setViewportSize({ width: first.width, height: first.height });
  await page.goto(`${url}${path}`);
  await page.waitForSelector("#root > *", { state: "attached" });
  await changeVariant(page, { scheme: "dark", language });
  await page.waitForSelector(ready);
  await act?.(page);
  await page.mouse.move(0, 0);
  for (const { scheme, width, height } of taken) {
    await page.setViewportSize({ width, height });
    await changeVariant(page, { scheme, language });
    await page.waitForLoadState("networkidle");
    await drawn(page);
    await steady(page);
    pictures.push({ name: `${name}-${scheme}-${width}`, png: await page.screenshot({ animations: "disabled" }) });
  }
  await changeVariant(page, { scheme: "dark", language: "en" });
  return pictures;
}

/** Takes a picture of every page state in a fresh demo city: dark and wide, light and narrow, by name of the state. */
export async function* takePictures(browser: Browser): AsyncGenerator<Picture> {
  const city = await startCity("embedded");
  try {
    await sendLongest(city.instance.url);
    const pages = new StatePages({ browser, city });
    for (const state of await loadPageStates())
      yield* await pages.use(state, async ({ page }) => await picturesOf(page, city.instance.url, state));
  } finally {
    await city.stop();
  }
}
