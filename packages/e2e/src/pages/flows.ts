import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendTo } from "@rollcall/testkit/api.ts";
import { browsers, type TestedBrowser } from "@rollcall/testkit/browsers.ts";
import { type Backing, type City, startCity } from "@rollcall/testkit/city.ts";
import { complaints } from "@rollcall/testkit/inspect.ts";
import { chooseInMenu, frame, openContext, signInPage } from "@rollcall/testkit/pages.ts";
import { run } from "@rollcall/testkit/program.ts";

const row = "[role=row][data-index]";
const box = "main [role=search] input";
const dialog = "[role=dialog]";
const up = "header button[data-state=up]";
const field = (label: string) => `main label:has-text("${label}") ~ div input`;
const listFields = "fields=job,phone,licences,visum,playtime";

/** Common tasks in these browsers, on one running city. */
export function describeFlows(backing: Backing, names: readonly TestedBrowser["name"][]): void {
  let city: City;
  beforeAll(async () => {
    city = await startCity(backing);
  }, 120_000);
  afterAll(async () => await city?.stop());

  describe.each(browsers.filter(({ available, name }) => available && names.includes(name)))(
    `in Chromium $name on ${backing}`,
    ({ launch, name }) => {
      const key = `${backing}:${name}`;
      const surname = name === "103" ? "Zoutelande" : "Quillfeather";
      const phone = name === "103" ? "777-4103-99" : "888-5200-11";
      const plate = name === "103" ? "ZQX 1031" : "ZQW 2002";
      const user = (firstName: string, more: object = {}) => ({
        identifier: `flow:${key}`,
        firstName,
        lastName: surname,
        jobs: [{ name: "police", grade: 1 }],
        phoneNumbers: [{ number: phone }],
        licences: ["drive", "boat"],
        ...more,
      });
      let browser: Browser;
      let page: Page;
      let found: string[];

      const url = (path: string) => `${city.instance.url}${path}`;
      const send = async (kind: string, item: object) =>
        expect((await sendTo(city.instance.url, kind, [item])).body).toMatchObject({ rejected: [] });
      const textOf = async (selector: string) => (await page.textContent(selector)) ?? "";

      beforeAll(async () => {
        browser = await launch();
        page = await (await openContext(browser)).newPage();
        page.setDefaultTimeout(20_000);
        found = complaints(page);
        await send("users", user("Ottoline"));
        await send("vehicles", { plate, model: "Condor Ridge", type: "heli", ownerIdentifier: `flow:${key}` });
        const { username, password } = city.login("police.chief");
        await signInPage(page, city.instance.url, username, password);
      }, 60_000);
      afterAll(async () => await browser?.close());

      test("a citizen is found by a misspelt name and opened with the keyboard, with vehicles and licences", async () => {
        await page.goto(url("/citizens"));
        await page.waitForSelector(row);
        await page.keyboard.press("/");
        await page.keyboard.type(`${surname.replace("o", "ou").replace("ill", "il")} ottolin`);
        await page.waitForURL(/ottolin$/);
        await page.waitForSelector(`${row} >> text=Ottoline ${surname}`);
        await page.keyboard.press("Enter");
        await page.waitForSelector(`${row}:focus >> text=Ottoline ${surname}`);
        await page.keyboard.press("Enter");
        await page.waitForURL(/\/citizens\/\d+\?q=/);
        await page.waitForSelector(`aside h2:has-text("Ottoline ${surname}")`);
        for (const text of [phone, plate, "Condor Ridge", "Helicopter", "Driving licence", "Boat licence"])
          await page.waitForSelector(`aside >> text=${text}`);
        await page.keyboard.press("Escape");
        await page.waitForSelector("aside", { state: "detached" });
      });

      test("a pause after a word does not remove the space", async () => {
        await page.goto(url("/citizens"));
        await page.waitForSelector(row);
        await page.type(box, "ottoline ");
        await page.waitForURL(/q=ottoline$/);
        await page.waitForSelector(`${row} >> text=Ottoline ${surname}`);
        await page.type(box, surname);
        await page.waitForURL((address) => address.searchParams.get("q") === `ottoline ${surname}`);
        expect(await page.inputValue(box)).toBe(`ottoline ${surname}`);
      });

      test("filters by part of a phone number and of a plate are in the address, and survive a reload and going back", async () => {
        await page.goto(url("/citizens"));
        await page.waitForSelector(row);
        await page.click("text=Filters");
        await page.fill(field("Phone"), phone.slice(0, 2));
        await page.waitForSelector("text=At least 3 digits");
        await page.fill(field("Phone"), phone.replaceAll("-", "").slice(0, 6));
        await page.fill(field("Plate"), plate.slice(0, 3).toLowerCase());
        await page.waitForURL((address) => address.searchParams.has("phone") && address.searchParams.has("plate"));
        await page.waitForSelector(`${row} >> text=Ottoline ${surname}`);
        await page.waitForSelector("text=/^1 citizen$/");
        const address = page.url();
        await page.reload();
        await page.waitForSelector("text=/^1 citizen$/");
        await page.click(`${row} >> text=Ottoline ${surname}`);
        await page.waitForSelector("aside");
        await page.goBack();
        await page.waitForSelector("aside", { state: "detached" });
        expect(page.url()).toBe(address);
        await page.keyboard.press("g");
        await page.keyboard.press("v");
        await page.waitForURL(url("/vehicles"));
        await page.goBack();
        await page.waitForSelector("text=/^1 citizen$/");
        expect(page.url()).toBe(address);
        await page.click("text=Clear all");
        await page.waitForURL(url("/citizens"));
      });

      test("the global search finds people, plates and short ids", async () => {
        await page.goto(url("/"));
        await page.waitForSelector(frame);
        for (const [text, result, path] of [
          [`otoline ${surname}`, `Ottoline ${surname}`, /\/citizens\/\d+$/],
          [plate, plate, /\/vehicles\/\d+$/],
          ["CIT-2", "CIT-2", /\/citizens\/2$/],
        ] as const) {
          await page.keyboard.press("Control+k");
          await page.keyboard.type(text);
          await page.click(`${dialog} [role=option] >> text=${result}`);
          await page.waitForURL(path);
          await page.waitForSelector(dialog, { state: "detached" });
        }
      });

      test("lists and pages are reached with the keyboard, and the shortcuts are explained", async () => {
        await page.goto(url("/"));
        await page.waitForSelector("main h1");
        await page.keyboard.press("g");
        await page.keyboard.press("c");
        await page.waitForURL(url("/citizens"));
        await page.waitForSelector(row);
        const focused = async () => await page.evaluate(() => document.activeElement?.getAttribute("data-index"));
        for (const [press, index] of [
          ["j", "0"],
          ["j", "1"],
          ["j", "2"],
          ["k", "1"],
        ] as const) {
          await page.keyboard.press(press);
          await expect.poll(focused).toBe(index);
        }
        const second = await textOf(`${row}[data-index="1"] a`);
        await page.keyboard.press("Enter");
        await page.waitForSelector(`aside h2:has-text("${second}")`);
        await page.keyboard.press("?");
        await page.waitForSelector(`${dialog} dt:has-text("Next row")`);
        await page.keyboard.press("Escape");
        await page.waitForSelector(dialog, { state: "detached" });
        await page.waitForSelector("aside h2");
      });

      test("changes by the game appear in the open list and profile without a reload", async () => {
        await page.goto(url(`/citizens?q=${surname}`));
        await page.click(`${row} >> text=Ottoline ${surname}`);
        await page.waitForSelector(`aside h2:has-text("Ottoline ${surname}")`);
        await page.waitForSelector(up);
        await page.evaluate(() => void ((globalThis as { unreloaded?: boolean }).unreloaded = true));
        await send("users", user("Wilhelmina", { licences: ["drive", "pilot"] }));
        await page.waitForSelector(`${row} >> text=Wilhelmina ${surname}`);
        await page.waitForSelector(`aside h2:has-text("Wilhelmina ${surname}")`);
        await page.waitForSelector("aside >> text=Pilot licence");
        await page.waitForSelector("aside >> text=Boat licence", { state: "detached" });
        expect(await page.evaluate(() => (globalThis as { unreloaded?: boolean }).unreloaded)).toBe(true);
        await send("users", user("Ottoline"));
        await page.waitForSelector(`aside h2:has-text("Ottoline ${surname}")`);
      });

      test("a revoked right closes the page and is named there; granting it opens the page again", async () => {
        await page.goto(url("/citizens"));
        await page.waitForSelector(row);
        await page.waitForSelector(up);
        const role = ["--job", "police", "--grade", "6"];
        expect(await run(["role", "deny", "citizens.list", ...role], city.instance)).toMatchObject({ code: 0 });
        await page.waitForSelector("main h1:has-text('You do not have access to this page')");
        expect(await textOf("main")).toContain("List and search citizens");
        expect(await textOf("main")).toContain("Police Department");
        expect(await page.$(row)).toBeNull();
        expect(await run(["role", "allow", "citizens.list", "--attributes", listFields, ...role], city.instance)).toMatchObject({
          code: 0,
        });
        // The open page is notified of the granted right, and opens by itself.
        await page.waitForSelector(row);
      });

      test("language, colours and rows change at once and stay", async () => {
        await page.goto(url("/citizens"));
        await page.waitForSelector(row);
        await chooseInMenu(page, "Light");
        await page.waitForSelector("html[data-mantine-color-scheme=light]");
        await chooseInMenu(page, "Dark");
        await page.waitForSelector("html[data-mantine-color-scheme=dark]");
        await chooseInMenu(page, "Light");
        await chooseInMenu(page, "Deutsch");
        await page.waitForSelector("html[lang=de] h1:has-text('Bürger')");
        await page.reload();
        await page.waitForSelector("html[lang=de][data-mantine-color-scheme=light] h1:has-text('Bürger')");
        await chooseInMenu(page, "English");
        await page.waitForSelector("html[lang=en] h1:has-text('Citizens')");
        await chooseInMenu(page, "Dark");
      });

      test("another character has its own name and rights", async () => {
        await page.goto(url("/"));
        await page.waitForSelector("main h1:has-text('Hello Katharina')");
        await chooseInMenu(page, "Switch character");
        await page.click("main ul li button >> nth=1");
        await page.waitForSelector(frame);
        await page.waitForSelector("main h1:has-text('Hello')");
        expect(await textOf("main h1")).not.toContain("Katharina");
        expect(await page.$("nav a[href='/citizens']")).toBeNull();
        await page.reload();
        await page.waitForSelector("main h1:has-text('Hello')");
        expect(await textOf("main h1")).not.toContain("Katharina");
        await chooseInMenu(page, "Switch character");
        await page.click("main ul li button:has-text('Katharina')");
        await page.waitForSelector("nav a[href='/citizens']");
      });

      test("admin mode is entered with a reason, seen all the time, and left", async () => {
        const admin = await (await openContext(browser)).newPage();
        const { username, password } = city.login("admin");
        await signInPage(admin, city.instance.url, username, password);
        expect(await admin.$("nav a[href='/citizens']")).toBeNull();
        await admin.click(frame);
        await admin.click("text=Enter admin mode");
        await admin.click(`${dialog} button[type=submit]`);
        await admin.waitForSelector(`${dialog} textarea[aria-invalid=true]:focus`);
        await admin.fill(`${dialog} textarea`, "Ticket 4711");
        await admin.click(`${dialog} button[type=submit]`);
        await admin.waitForSelector("nav a[href='/citizens']");
        await admin.waitForSelector("text=Reason: Ticket 4711");
        await admin.click("nav a[href='/citizens']");
        await admin.waitForSelector(row);
        await admin.click("text=Leave admin mode");
        await admin.waitForSelector("nav a[href='/citizens']", { state: "detached" });
        await admin.waitForSelector("main h1:has-text('You do not have access to this page')");
        await admin.context().close();
      });

      test("the connection is lost and restored when the server restarts, and so is the session", async () => {
        await page.goto(url(`/citizens?q=${surname}`));
        await page.waitForSelector(`${row} >> text=Ottoline ${surname}`);
        await page.waitForSelector(up);
        await city.halt();
        await page.waitForSelector("header button[data-state=lost]");
        await page.waitForSelector("text=Try now");
        expect(await page.$(row)).not.toBeNull();
        await city.start();
        await send("users", user("Rosamund"));
        await page.click("text=Try now", { timeout: 2_000 }).catch(() => undefined);
        await page.waitForSelector(up);
        await page.waitForSelector(`${row} >> text=Rosamund ${surname}`);
        await page.reload();
        await page.waitForSelector(`${row} >> text=Rosamund ${surname}`);
      });

      test("a page and a dialog that were not loaded say so while nobody answers, and open afterwards", async () => {
        const other = await page.context().newPage();
        let answers = true;
        // The browser itself loads what is likely next as soon as it has time.
        await other.route("**/assets/**", async (route) => {
          const isFirst = !/audit|help/.test(new URL(route.request().url()).pathname);
          await (answers || isFirst ? route.continue() : route.abort());
        });
        await other.goto(url("/citizens"));
        await other.waitForSelector(row);
        answers = false;
        await other.route(url("/"), async (route) => await (answers ? route.continue() : route.abort()));
        await other.click("nav a[href='/panel/audit']");
        await other.waitForSelector("main >> text=The server cannot be reached");
        await other.keyboard.press("?");
        await other.waitForSelector("[role=log] >> text=The server cannot be reached");
        expect(new URL(other.url()).pathname).toBe("/panel/audit");
        answers = true;
        await other.click("main button >> text=Try again");
        await other.waitForSelector("main >> text=The server cannot be reached", { state: "detached" });
        await other.waitForSelector(row);
        await other.keyboard.press("?");
        await other.waitForSelector(dialog);
        await other.close();
      });

      test("typed text survives the end of the session, and signing in again continues in place", async () => {
        await page.goto(url("/citizens"));
        await page.waitForSelector(row);
        await page.waitForSelector(up);
        await page.fill(box, "Half typed na");
        const reset = await run(["account", "reset-password", "police.chief"], city.instance);
        const password = /Password: (\S+)/.exec(reset.stdout)?.[1] ?? "";
        await page.waitForSelector(`${dialog} input[name=password]`, { timeout: 20_000 });
        await page.fill(`${dialog} input[name=password]`, password);
        await page.press(`${dialog} input[name=password]`, "Enter");
        await page.waitForSelector(dialog, { state: "detached" });
        expect(await page.inputValue(box)).toBe("Half typed na");
        city.changeLogin("police.chief", password);
        await page.reload();
        await page.waitForSelector(frame);
      });

      test("there were no errors", () => {
        // The browser itself logs each attempt to connect to a stopped server.
        expect(found.filter((line) => !/WebSocket connection to|ERR_CONNECTION_REFUSED/.test(line))).toEqual([]);
      });
    },
  );
}
