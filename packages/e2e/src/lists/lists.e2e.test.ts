import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { browsers } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { complaints } from "@rollcall/testkit/inspect.ts";
import { changeVariant, drawn, openContext, signInPage } from "@rollcall/testkit/pages.ts";
import { until } from "@rollcall/testkit/until.ts";

const row = "[role=row][data-index]";
const at = (index: number) => `[role=row][data-index="${index}"]`;
const chosen = `${row}[aria-selected=true]`;
const opened = `${row}[aria-current=true]`;
const bar = "[role=group][aria-label='Selected rows']";
const dialog = "[role=dialog]";

/** Whether the birth dates of the rows rise or fall; runs in the page. */
function isSorted([rows, sign]: readonly [rows: string, sign: number]): boolean {
  const heads = [...document.querySelectorAll("[role=columnheader]")].map((one) => (one as HTMLElement).innerText);
  const found = [...document.querySelectorAll(rows)]
    .sort((a, b) => Number(a.getAttribute("data-index")) - Number(b.getAttribute("data-index")))
    .map((one) => Date.parse((one.children[heads.indexOf("Born")] as HTMLElement).innerText.replace("Sept", "Sep")));
  return found.length > 10 && found.every((day, index) => index === 0 || (day - found[index - 1]!) * sign >= 0);
}

describe.each(browsers.filter(({ available }) => available))("lists in Chromium $name", ({ launch }) => {
  let city: City;
  let browser: Browser;
  let page: Page;
  let found: string[];

  const url = (path: string) => `${city.instance.url}${path}`;
  const headers = async () => await page.$$eval("[role=columnheader]", (all) => all.map((one) => (one as HTMLElement).innerText));
  const header = (name: string) => `[role=columnheader]:has-text("${name}")`;
  const indexes = async (selector: string) =>
    await page.$$eval(selector, (all) => all.map((one) => Number((one as HTMLElement).dataset["index"])));
  const said = async (text: string) => await page.waitForSelector(`main [role=status] >> text="${text}"`, { state: "attached" });
  const list = async (path = "/citizens") => {
    await page.goto(url(path));
    await page.waitForSelector(row);
  };
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };

  beforeAll(async () => {
    [city, browser] = await Promise.all([startCity("embedded"), launch()]);
    page = await (await openContext(browser)).newPage();
    page.setDefaultTimeout(20_000);
    found = complaints(page);
    await signInPage(page, city.instance.url, "police.chief", city.login("police.chief").password);
    await page.waitForSelector("main h1");
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await city?.stop();
  });

  test("a header sorts ascending, descending and as the list is by itself; the order is in the address", async () => {
    await list();
    expect(await page.getAttribute(header("Name"), "aria-sort")).toBe("ascending");
    expect(await page.$(`${header("Height")} button`)).toBeNull();
    for (const [order, direction] of [
      ["dateOfBirth", "ascending"],
      ["-dateOfBirth", "descending"],
      [null, "none"],
    ] as const) {
      const asked = page.waitForResponse(
        (response) =>
          new URL(response.url()).pathname === "/api/citizens" && new URL(response.url()).searchParams.get("order") === order,
      );
      await page.click(`${header("Born")} button`);
      if (order !== null) expect((await asked).status()).toBe(200);
      await page.waitForSelector(`${header("Born")}[aria-sort=${direction}]`);
      const sign = direction === "ascending" ? 1 : -1;
      if (order !== null) await until("sorted rows", async () => await page.evaluate(isSorted, [row, sign] as const));
      expect(new URL(page.url()).searchParams.get("order")).toBe(order);
      // An answer that is kept is not asked for again.
      asked.catch(() => undefined);
    }
    await page.focus(`${header("Name")} button`);
    await press("Enter");
    await page.waitForSelector(`${header("Name")}[aria-sort=descending]`);
    await page.waitForSelector(`${header("Name")} :focus`);
  });

  test("what is filtered is in chips, which mouse and keyboard remove", async () => {
    await page.goto(url("/citizens?job=police&plate=a1&order=-name"));
    await page.waitForSelector("button[aria-label^='Remove the filter Plate']");
    const chips = async () =>
      await page.$$eval("ul[aria-label='Filters in use'] li", (all) => all.map((one) => (one as HTMLElement).innerText));
    await expect.poll(chips).toEqual(["Plate: a1", "Job: Police Department"]);
    await page.focus("button[aria-label='Remove the filter Plate: a1']");
    await press("Delete");
    await page.waitForURL((address) => !address.searchParams.has("plate"));
    await page.waitForSelector("button[aria-label='Remove the filter Job: Police Department']:focus");
    await said("Filter removed: Plate: a1");
    await page.click("button[aria-label='Remove the filter Job: Police Department']");
    await page.waitForURL(url("/citizens?order=-name"));
    expect(await chips()).toEqual([]);
  });

  test("a row shows the job of the filter, and names the others", async () => {
    const jobs = async () => {
      const heads = await headers();
      return await page.$$eval(
        row,
        (all, at) => all.map((one) => (one.children[at] as HTMLElement).innerText),
        heads.indexOf("Job"),
      );
    };
    await list("/citizens?job=police");
    const shown = await jobs();
    expect(shown.filter((text) => !text.startsWith("Police Department"))).toEqual([]);
    const more = `${row} [title*=" more job"]`;
    const [first] = await page.$$eval(more, (all) => all.map((one) => [(one as HTMLElement).title, one.textContent]));
    expect(first?.[0]).toMatch(/^1 more job: \w/);
    // The number is drawn, the sentence is read out.
    expect(first?.[1]).toBe(`+1${first?.[0]}`);
    expect(await page.$eval(`${more} [aria-hidden]`, (one) => one.getBoundingClientRect().width)).toBeGreaterThan(5);
  });

  test("a select is loaded when it is first used, and takes what is typed", async () => {
    await list();
    await page.click("main button[aria-expanded]:has-text('Filters')");
    await page.click("main input[placeholder='Any job']");
    await page.keyboard.type("Cab");
    await page.click("[role=option]:visible >> nth=0");
    await page.waitForURL(/job=taxi/);
    await page.waitForSelector("button[aria-label='Remove the filter Job: City Cab']");
  });

  test("an option that the keyboard has reached does not look chosen, and the chosen one has a check mark", async () => {
    await list();
    await page.click("main button[aria-expanded]:has-text('Filters')");
    await page.click("main input[placeholder='Any job']");
    await page.waitForSelector("[role=option]");
    await press("ArrowDown");
    await page.waitForSelector("[role=option][data-combobox-selected]");
    const filled = await page.$eval("[role=option][data-combobox-selected]", (one) => {
      const probe = document.createElement("div");
      probe.style.background = "var(--mantine-primary-color-filled)";
      document.body.append(probe);
      const filling = getComputedStyle(probe).backgroundColor;
      probe.remove();
      return getComputedStyle(one).backgroundColor === filling;
    });
    expect([filled, await page.$$("[role=option] svg")]).toEqual([false, []]);
    await press("Enter");
    await page.waitForURL(/job=/);
    await page.click("main label:text-is('Job') ~ div input");
    await page.waitForSelector("[role=option][aria-selected=true] svg");
    await press("Escape");
  });

  test("the head and the search keep their widths while results change", async () => {
    await list();
    const widths = async () =>
      await page.$$eval("[role=columnheader], [role=search] > *, [role=search] ~ *", (all) =>
        all.map((one) => Math.round(one.getBoundingClientRect().width)),
      );
    const before = await widths();
    await page.fill("main [role=search] input", "Mara Lind");
    await page.waitForSelector(`${at(0)} >> text=Mara Lind`);
    expect(await widths()).toEqual(before);
    await page.fill("main [role=search] input", "Qqqqzzzzxx");
    await page.waitForSelector("main h2");
    expect(await widths()).toEqual(before);
  });

  test("Escape clears the search box, then leaves it for the keys of the list", async () => {
    await list("/citizens");
    await press("/");
    await page.keyboard.type("Mara Lind");
    await page.waitForURL(/q=/);
    await press("Escape");
    await page.waitForURL((address) => !address.searchParams.has("q"));
    await press("Escape", "j");
    await page.waitForSelector(`${row}:focus`);
    expect(await page.inputValue("main [role=search] input")).toBe("");
  });

  test("the keyboard stays in the list when other rows replace the one that it was on", async () => {
    await list("/citizens?q=Mara+Lind");
    await press("j");
    await page.waitForSelector(`${row}:focus`);
    await page.evaluate(() => history.pushState({}, "", "/citizens"));
    await page.evaluate(() => dispatchEvent(new PopStateEvent("popstate")));
    await page.waitForSelector(at(9));
    await page.waitForSelector(`${at(0)}:focus`);
  });

  test("on a phone, in German too, the buttons of a list share a line", async () => {
    const before = page.viewportSize()!;
    await list();
    await changeVariant(page, { scheme: "dark", language: "de" });
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await drawn(page);
      const tops = await Promise.all(
        ["Ansichten", "Exportieren"].map(
          async (name) => (await page.locator(`main button:has-text("${name}")`).boundingBox())?.y,
        ),
      );
      expect([width, new Set(tops).size, typeof tops[0]]).toEqual([width, 1, "number"]);
    }
    await page.setViewportSize(before);
    await changeVariant(page, { scheme: "dark", language: "en" });
  });

  test("columns are chosen in a menu, kept for the account, and saved with a view", async () => {
    await list();
    expect(await headers()).toContain("Phone");
    await page.click("button[aria-label=Columns]");
    expect(await page.isDisabled(`${dialog} label:has-text("Name") input`)).toBe(true);
    const stored = page.waitForResponse(
      (response) => response.url().includes("/api/preferences/") && response.request().method() === "PUT",
    );
    await page.click(`${dialog} label:has-text("Phone") input`);
    expect((await stored).status()).toBe(200);
    await press("Escape");
    await page.waitForSelector("button[aria-label=Columns]:focus");
    expect(await headers()).not.toContain("Phone");
    await page.reload();
    await page.waitForSelector(row);
    expect(await headers()).not.toContain("Phone");

    await page.click("main button:has-text('Saved views')");
    await page.fill(`${dialog} form input`, "Without phones");
    await page.click(`${dialog} form button[type=submit]`);
    await page.waitForSelector(`${dialog} li >> text=Without phones`);
    await press("Escape");
    await page.click("button[aria-label=Columns]");
    await page.click(`${dialog} button:has-text("Show all")`);
    await press("Escape");
    expect(await headers()).toContain("Phone");
    await page.click("main button:has-text('Saved views')");
    await page.click(`${dialog} li >> text=Without phones`);
    await page.waitForURL(/hide=phone/);
    expect(await headers()).not.toContain("Phone");
  });

  test("rows are selected with the mouse: one, a range, several", async () => {
    await list();
    await page.hover(at(1));
    await page.click(`${at(1)} input[type=checkbox]`);
    await page.click(`${at(4)} input[type=checkbox]`, { modifiers: ["Shift"] });
    expect(await indexes(chosen)).toEqual([1, 2, 3, 4]);
    await page.click(at(2), { modifiers: ["Control"], position: { x: 300, y: 8 } });
    expect(await indexes(chosen)).toEqual([1, 3, 4]);
    expect(new URL(page.url()).pathname).toBe("/citizens");
    await said("3 of 2,000 selected");
    await page.click(`${bar} button:has-text("Clear selection")`);
    expect(await indexes(chosen)).toEqual([]);
    await page.waitForSelector(bar, { state: "detached" });
  });

  test("rows are selected with the keyboard; Escape clears the selection, then closes the record", async () => {
    await list("/citizens");
    await press("j", "Space");
    await press("Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowUp");
    expect(await indexes(chosen)).toEqual([0, 1]);
    await press("Control+a");
    const loaded = Number(await page.$eval("[role=grid]", (grid) => grid.querySelectorAll("[aria-selected=true]").length));
    expect(loaded).toBeGreaterThan(10);
    await press("Enter");
    await page.waitForSelector("aside section h3");
    await press("Escape");
    expect(await indexes(chosen)).toEqual([]);
    await page.waitForSelector("aside");
    await press("Escape");
    await page.waitForSelector("aside", { state: "detached" });
    await press("?");
    for (const text of ["Select the row", "Extend the selection", "Select all loaded rows"])
      await page.waitForSelector(`${dialog} dt:text-is("${text}")`);
    await press("Escape");
  });

  test("j and k move the open record, beyond the rows that are loaded", async () => {
    await list();
    await page.click(at(0), { position: { x: 300, y: 8 } });
    await page.waitForSelector("aside h2");
    const first = page.url();
    await press("j");
    await page.waitForSelector(`${at(1)}[aria-current=true]`);
    await page.waitForURL(({ pathname }) => pathname !== new URL(first).pathname);
    await press("k");
    await page.waitForSelector(`${at(0)}[aria-current=true]`);
    await page.focus(at(0));
    await press("End");
    // The last row has the focus once the list has scrolled to it.
    const focused = async () =>
      Number((await page.$(`${row}:focus`).then(async (one) => await one?.getAttribute("data-index"))) ?? 0);
    await until("the last row has the focus", async () => (await focused()) >= 49);
    const last = await focused();
    await press("Enter");
    await page.waitForSelector(`${at(last)}[aria-current=true]`);
    await press("j");
    await page.waitForSelector(`${at(last + 1)}[aria-current=true]`);
    expect(await indexes(opened)).toEqual([last + 1]);
  });

  test.each([
    ["citizens", "Name", "aside h2", /\/api\/citizens\/\d+$/],
    ["vehicles", "Plate", "aside h2 ~ *", /\/api\/vehicles\/\d+$/],
  ])("a record of %s has the name of its row while it is read, and when it cannot be", async (path, column, shown, address) => {
    await list(`/${path}`);
    const [held, failed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await page.route(address, async (route) => {
      held.resolve();
      await failed.promise;
      await route.abort("internetdisconnected");
    });
    try {
      const name = (await page.innerText(`${at(2)} > * >> nth=${(await headers()).indexOf(column)}`)).trim();
      expect(name.length).toBeGreaterThan(3);
      await page.click(at(2), { position: { x: 300, y: 8 } });
      await held.promise;
      await page.waitForSelector(`${shown} >> text=${name}`);
      failed.resolve();
      await page.waitForSelector("aside button:has-text('Try again')");
      expect(await page.innerText(shown)).toContain(name);
    } finally {
      failed.resolve();
      await page.unroute(address);
    }
  });

  test("several notifications are marked as read with a way back, and removed after a question", async () => {
    await page.goto(url("/notifications"));
    // Something else may tell the demo city's chief at the same time.
    const unread = "main li[data-unread=true]:has-text('Test notification')";
    for (const count of [1, 2]) {
      // By keyboard, as the message about the first one covers the button for a while.
      await page.press("table ~ button", "Enter");
      await page.waitForSelector(`${unread} >> nth=${count - 1}`);
    }
    await page.hover(`${unread} >> nth=0`);
    await page.click(`${unread} >> nth=0 >> input`);
    await page.click(`${unread} >> nth=1 >> input`, { modifiers: ["Shift"] });
    await page.click(`${bar} button:has-text("Mark as read")`);
    await page.waitForSelector(unread, { state: "detached" });
    await page.click("[role=log] button:has-text('Undo')");
    await page.waitForSelector(`${unread} >> nth=1`);
    await page.click(`${unread} >> nth=0 >> input`);
    await page.click(`${bar} button:has-text("Remove")`);
    await page.waitForSelector(`${dialog} >> text=Remove this notification?`);
    await page.click(`${dialog} button:has-text("Remove")`);
    await page.waitForSelector(`${unread} >> nth=1`, { state: "detached" });
    await page.waitForSelector(unread);
  });

  test("the list is exported as it is filtered and sorted", async () => {
    await list("/citizens?job=taxi&order=-dateOfBirth");
    await page.click("main button:has-text('Export')");
    const requested = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/api/exports"));
    await page.click(`${dialog} button:has-text("CSV")`);
    expect((await requested).postDataJSON()).toMatchObject({
      kind: "citizens.list",
      filter: { job: "taxi", order: "-dateOfBirth" },
    });
    await page.waitForSelector(`${dialog} a[download]`);
    await press("Escape");
  });

  test("there were no errors", () => {
    expect(found).toEqual([]);
  });
});
