import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call } from "@rollcall/testkit/api.ts";
import { currentOnly, noCurrent } from "@rollcall/testkit/browsers.ts";
import { accessibility, complaints, overflow } from "@rollcall/testkit/inspect.ts";
import { drawn, openContext } from "@rollcall/testkit/pages.ts";
import { makeInstance, type Instance, type Program, run, serve } from "@rollcall/testkit/program.ts";

let instance: Instance;
let program: Program;
let password = "";
beforeAll(async () => {
  instance = await makeInstance();
  program = await serve(instance);
  const created = await run(["account", "create", "operator", "--licence", "nobody-plays", "--groups", "admin"], instance);
  password = /Password: (\S+)/.exec(created.stdout)?.[1] ?? "";
});
afterAll(async () => {
  await program?.stop();
  instance?.remove();
});

const places = ["roles", "settings", "accounts", "audit", "schedule", "status"] as const;

describe.skipIf(noCurrent).each(currentOnly)("an admin without a character, in Chromium $name", (chromium) => {
  let browser: Browser;
  let page: Page;
  let complained: readonly string[];
  beforeAll(async () => {
    browser = await chromium.launch();
    page = await (await openContext(browser)).newPage();
    page.setDefaultTimeout(20_000);
    complained = complaints(page);
  });
  afterAll(async () => await browser?.close());

  test("gets from the choice of characters to the control panel", async () => {
    await page.goto(`${instance.url}/`);
    await page.fill("input[name=username]", "operator");
    await page.fill("input[name=password]", password);
    await page.press("input[name=password]", "Enter");
    await page.click('button >> text="Control panel"');
    await page.waitForSelector("h1 >> text=/settings/i");
  });

  test.each(places)("sees %s", async (name) => {
    await page.click(`nav a[href="/panel/${name}"]`);
    await page.waitForSelector(`nav a[href="/panel/${name}"][data-status=active]`);
    await page.waitForSelector("main h1, main table, main [role=grid]");
    await drawn(page);
    expect(await accessibility(page)).toEqual([]);
    expect(await overflow(page)).toEqual([]);
  });

  test("edits the default role, which is there before any job", async () => {
    await page.goto(`${instance.url}/panel/roles`);
    await page.click("main fieldset:has(legend:text-is('List and search citizens')) label[data-said=allow]");
    await page.waitForSelector("text=1 unsaved change");
    await page.click("main button >> text=Save");
    await page.waitForSelector("[role=log] >> text=Saved");
    await page.reload();
    await page.waitForSelector(
      "main fieldset:has(legend:text-is('List and search citizens')) label[data-said=allow][data-on=true]",
    );
  });

  test("reads the entries of every job in the audit log", async () => {
    await page.goto(`${instance.url}/panel/audit`);
    await page.waitForSelector("text=Account created");
    await page.reload();
    await page.waitForSelector("text=Account created");
  });

  test("is led back where a character is needed, without errors", async () => {
    await page.goto(`${instance.url}/panel/limits`);
    await page.click('main button >> text="Choose a character"');
    await page.click('main button >> text="Go to accounts"');
    await page.waitForSelector("main h1 >> text=Accounts");
    expect(complained).toEqual([]);
  });
});

test("a person who is no admin gets no audit log without a character", async () => {
  const created = await run(["account", "create", "somebody", "--licence", "plays-not"], instance);
  const login = await call(instance.url, "/api/auth/login", {
    body: { username: "somebody", password: /Password: (\S+)/.exec(created.stdout)?.[1] ?? "" },
  });
  const cookie = login.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  expect((await call(instance.url, "/api/audit", { cookie })).body).toMatchObject({
    status: 401,
    code: "system.characterNeeded",
  });
});
