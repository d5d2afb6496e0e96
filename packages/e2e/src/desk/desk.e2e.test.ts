import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closedForMs } from "@rollcall/server/contract/desk";
import { call, signIn, userToken } from "@rollcall/testkit/api.ts";
import { currentChromium } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { openSignedIn } from "@rollcall/testkit/pages.ts";
import { until } from "@rollcall/testkit/until.ts";

const { available, launch } = currentChromium;
const desk = "main [data-desk]";
const line = `${desk} [data-command]`;
const said = `${desk} [role=status]:not(.rc-hidden)`;

interface Shown {
  readonly id: number;
  readonly state: string;
  readonly units: readonly { readonly unit: { readonly callsign: string }; readonly state: string }[];
}

describe.skipIf(!available)("the dispatch desk", () => {
  let city: City;
  let browser: Browser;
  let token: string;
  let page: Page;
  const found: (readonly string[])[] = [];

  const read = async <T>(path: string): Promise<T> => (await call(city.instance.url, path, { token })).body as T;
  const signedOn = async () => (await read<{ items: { name: string; since: number }[] }>("/api/dispatch/desk")).items;
  const shown = async (id: string) => await read<Shown>(`/api/calls/${id}`);
  const units = async (id: string) => (await shown(id)).units.map(({ unit, state }) => `${unit.callsign} ${state}`);
  const write = async (text: string) => {
    await page.fill(line, text);
    await page.press(line, "Enter");
  };
  const open = async () => {
    const opened = await openSignedIn(browser, city.instance.url, city.login("police.chief"), found);
    await opened.goto(`${city.instance.url}/dispatch`);
    await opened.waitForSelector(`${desk} [data-call]`);
    return opened;
  };

  beforeAll(async () => {
    [city, browser] = await Promise.all([startCity("embedded"), launch()]);
    const { username, password } = city.login("police.officer");
    token = await userToken(city.instance.url, await signIn(city.instance.url, username, password));
    page = await open();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await city?.stop();
  });

  test("assigns a unit that is dragged onto a call, and takes lines of the command line back", async () => {
    const row = `${desk} [data-call] >> nth=1`;
    const id = (await page.getAttribute(row, "data-call"))!;
    expect(await units(id)).toEqual([]);
    await page.dragAndDrop(`${desk} [data-unit]:has-text("A2")`, row);
    await until("the unit is assigned", async () => (await units(id)).length === 1);
    expect(await units(id)).toEqual(["A2 accepted"]);
    await page.waitForSelector(`${row} >> text=A2 accepted`);
    await page.fill(line, `#${id} A2 on sc`);
    await page.press(line, "Tab");
    expect((await page.inputValue(line)).trim()).toBe(`#${id} A2 on scene`);
    await page.press(line, "Enter");
    await until("the unit is on scene", async () => (await units(id))[0] === "A2 onScene");
    await write("undo");
    await until("the unit is back where it was", async () => (await units(id))[0] === "A2 accepted");
    await write(`#${id} done false alarm`);
    await until("the call is completed", async () => (await shown(id)).state === "completed");
    await page.waitForSelector(`${said} >> text=Complete #${id}`);
    await write("undo");
    await until("the call is open again", async () => (await shown(id)).state === "open");
    await write(`#${id} note Gate is locked`);
    await page.waitForSelector(`${said} >> text=Add a note`);
    await write("undo");
    await page.waitForSelector(`${said} >> text=a note stays in the timeline`);
    await page.press(line, "ArrowUp");
    await write("#999999 done");
    await page.waitForSelector(`${said} >> text=There is no current call DSP-999999`);
    expect(await page.inputValue(line)).toBe("#999999 done");
    await page.press(line, "Escape");
    expect(await page.inputValue(line)).toBe("");
    await page.press(line, "ArrowUp");
    expect(await page.inputValue(line)).toBe("undo");
    await page.press(line, "Escape");
  });

  test("works by keys alone: arrows choose a call, Enter opens it and then asks for units", async () => {
    await page.press(line, "Escape");
    await page.keyboard.press("1");
    await page.keyboard.press("ArrowDown");
    const id = await page.evaluate(() => document.activeElement?.getAttribute("data-call"));
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/dispatch?call=${id}`);
    await page.waitForSelector(`${desk} aside >> text=DSP-${id}`);
    await page.focus(`${desk} [data-call="${id}"]`);
    await page.keyboard.press("Enter");
    await page.waitForSelector("[role=dialog] >> text=Assign without asking");
    await page.waitForSelector("[role=option]:visible");
    for (const _listAndDialog of [1, 2]) await page.keyboard.press("Escape");
    await page.waitForSelector("[role=dialog]", { state: "detached" });
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press("Space");
    await page.waitForFunction(() => document.activeElement?.hasAttribute("data-command"));
    expect(await page.inputValue(line)).toBe("");
    await page.press(line, "Escape");
    await page.keyboard.press(":");
    await page.waitForFunction(() => document.activeElement?.hasAttribute("data-command"));
  });

  test("remembers where its dividers stand and what is collapsed, and shows units as a strip where there is less room", async () => {
    const edge = `${desk} [role=separator][aria-label="Divider before the units"]`;
    await page.focus(edge);
    await page.keyboard.press("ArrowLeft");
    await page.waitForSelector(`${edge}[aria-valuenow="66"]`);
    await until("the divider is stored", async () => {
      const other = await open();
      const stands = await other.getAttribute(edge, "aria-valuenow");
      await other.context().close();
      return stands === "66";
    });
    await page.dblclick(edge);
    await page.waitForSelector(`${edge}[aria-valuenow="100"]`);
    await page.waitForSelector(`${desk} section[aria-label="Units"]`, { state: "hidden" });
    // To a collapsed pane there is a way by the keyboard, too.
    await page.keyboard.press("2");
    await page.keyboard.press("Enter");
    await page.waitForSelector(`${edge}[aria-valuenow="66"]`);
    await page.waitForSelector(`${desk} section[aria-label="Units"]`);
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.waitForSelector(edge, { state: "detached" });
    const [strip, calls] = await Promise.all(
      ["Units", "Calls"].map(async (name) => await page.locator(`${desk} section[aria-label="${name}"]`).first().boundingBox()),
    );
    expect(strip!.height).toBeLessThan(150);
    expect(calls!.y).toBeGreaterThanOrEqual(strip!.y + strip!.height);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  test("rows stay under the pointer until it is gone, and the list says so", async () => {
    const ids = async () =>
      await page.locator(`${desk} [data-call]`).evaluateAll((rows) => rows.map((row) => row.getAttribute("data-call")));
    await page.hover(`${desk} [data-call] >> nth=1`);
    const before = await ids();
    await write(`#${before[0]} done under the pointer`);
    await page.waitForSelector(`${desk} [data-ended] [data-call="${before[0]}"]`);
    expect(await ids()).toEqual(before);
    await page.waitForSelector(`${desk} >> text=the order waits`);
    await page.hover(line);
    await page.waitForSelector(`${desk} [data-ended]`, { state: "detached" });
    expect(await ids()).not.toContain(before[0]);
    await write("undo");
    await page.waitForSelector(`${desk} [data-call="${before[0]}"]`);
  });

  test("signs its person on once, keeps them through a reload, and off soon after the last window is gone", async () => {
    const other = await open();
    await until("one person is signed on", async () => (await signedOn()).length === 1);
    await page.waitForSelector(`${desk} [data-signed=on] >> text=You`);
    const before = await signedOn();
    const elsewhere = `${city.instance.url}/api/system/ready`;
    await other.context().close();
    await page.goto(elsewhere);
    await page.goto(`${city.instance.url}/dispatch`);
    await page.waitForSelector(`${desk} [data-signed=on]`);
    // Who signed off and on again would be there since then.
    expect(await signedOn()).toEqual(before);
    // Sooner than a window ends that only says nothing any more: it said that it was closed.
    await page.goto(elsewhere);
    await until("nobody is signed on", async () => (await signedOn()).length === 0, closedForMs + 8_000);
    await page.goto(`${city.instance.url}/dispatch`);
    await page.waitForSelector(`${desk} [data-signed=on]`);
    await page.click(`${desk} [data-signed=on] >> text=Sign off`);
    await until("who signs off is gone at once", async () => (await signedOn()).length === 0, closedForMs / 2);
    await page.click(`${desk} [data-signed=left] >> text=Sign on`);
    await until("and is back", async () => (await signedOn()).length === 1);
    expect(found.flat()).toEqual([]);
  }, 120_000);
});
