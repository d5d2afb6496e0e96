import type { Browser, Page } from "playwright-core";
import { sendTo } from "@rollcall/testkit/api.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { changeVariant, drawn, openContext, signInPage } from "@rollcall/testkit/pages.ts";
import { loadPageStates, longest, longestVehicle, narrow, type PageState, wide } from "@rollcall/testkit/states.ts";
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

/** Pages of one city, one for each login, as states of a login build on each other. */
class Pages {
  readonly #open = new Map<string, Promise<Page>>();
  readonly #browser: Browser;
  readonly #city: City;

  constructor(browser: Browser, city: City) {
    this.#browser = browser;
    this.#city = city;
  }

  async #openAs(as: string | undefined): Promise<Page> {
    const page = await (await openContext(this.#browser)).newPage();
    if (as === undefined) return page;
    const { username, password } = this.#city.login(as);
    await signInPage(page, this.#city.instance.url, username, password);
    return page;
  }

  async for({ as, before }: PageState): Promise<Page> {
    const key = as ?? "";
    if (!this.#open.has(key)) this.#open.set(key, this.#openAs(as));
    const shared = await this.#open.get(key)!;
    if (!before) return shared;
    const page = await shared.context().newPage();
    await before(page);
    return page;
  }
}

async function* picturesOf(page: Page, url: string, state: PageState): AsyncGenerator<Picture> {
  const { name, path, ready, lead, language = "en", widths = [wide, narrow] } = state;
  const taken = looks.filter(({ width }) => widths.includes(width));
  const [first] = taken;
  if (first === undefined) throw new Error(`${name} has no width of a picture`);
  await page.setViewportSize({ width: first.width, height: first.height });
  await page.goto(`${url}${path}`);
  await page.waitForSelector("#root > *", { state: "attached" });
  await changeVariant(page, { scheme: "dark", language });
  await page.waitForSelector(ready);
  await lead?.(page);
  await page.mouse.move(0, 0);
  for (const { scheme, width, height } of taken) {
    await page.setViewportSize({ width, height });
    await changeVariant(page, { scheme, language });
    await page.waitForLoadState("networkidle");
    await drawn(page);
    await steady(page);
    yield { name: `${name}-${scheme}-${width}`, png: await page.screenshot({ animations: "disabled" }) };
  }
  await changeVariant(page, { scheme: "dark", language: "en" });
}

/** Takes a picture of every page state in a fresh demo city: dark and wide, light and narrow, by name of the state. */
export async function* takePictures(browser: Browser): AsyncGenerator<Picture> {
  const city = await startCity("embedded");
  try {
    await sendTo(city.instance.url, "users", [longest]);
    await sendTo(city.instance.url, "vehicles", [longestVehicle]);
    const pages = new Pages(browser, city);
    for (const state of await loadPageStates()) {
      const page = await pages.for(state);
      yield* picturesOf(page, city.instance.url, state);
      if (state.before) await page.close();
      else await page.unrouteAll();
    }
  } finally {
    await city.stop();
  }
}
