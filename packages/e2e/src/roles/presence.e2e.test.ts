import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { person, type Person } from "@rollcall/testkit/api.ts";
import { currentOnly, noCurrent } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { complaints } from "@rollcall/testkit/inspect.ts";
import { openContext, signInPage } from "@rollcall/testkit/pages.ts";

let city: City;
beforeAll(async () => {
  city = await startCity("embedded");
}, 120_000);
afterAll(async () => await city?.stop());

describe.skipIf(noCurrent).each(currentOnly)("who is online, in Chromium $name", ({ launch, name }) => {
  let browser: Browser;
  let people: readonly Person[];
  beforeAll(async () => {
    browser = await launch();
    people = [
      await person(city.instance, { username: `anna${name}` }),
      await person(city.instance, { username: `berta${name}` }),
      await person(city.instance, { username: `carla${name}`, job: "ambulance" }),
    ];
  });
  afterAll(async () => await browser?.close());

  async function home(who: Person) {
    const page = await (await openContext(browser)).newPage();
    page.setDefaultTimeout(20_000);
    const complained = complaints(page);
    await signInPage(page, city.instance.url, who.username, who.password);
    await page.waitForSelector('section[aria-label="Online now"]');
    return { page, complained };
  }

  test("colleagues see each other come and go, and no one of another job", async () => {
    const [anna, berta, carla] = people as [Person, Person, Person];
    const first = await home(anna);
    const other = await home(carla);
    await first.page.waitForSelector("text=Only you are online right now.");
    const second = await home(berta);
    const listed = (username: string) => `section[aria-label="Online now"] li >> text=Per ${username}`;
    await first.page.waitForSelector(listed(berta.username));
    await second.page.waitForSelector(listed(anna.username));
    await other.page.waitForSelector("text=Only you are online right now.");
    await second.page.close();
    await first.page.waitForSelector(listed(berta.username), { state: "detached" });
    await first.page.waitForSelector("text=Only you are online right now.");
    expect([...first.complained, ...other.complained]).toEqual([]);
  });
});
