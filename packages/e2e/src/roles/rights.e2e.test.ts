import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, signIn, userToken } from "@rollcall/testkit/api.ts";
import { currentOnly, noCurrent } from "@rollcall/testkit/browsers.ts";
import { type City, startCity } from "@rollcall/testkit/city.ts";
import { complaints } from "@rollcall/testkit/inspect.ts";
import { frame, openContext, signInPage } from "@rollcall/testkit/pages.ts";

const option = "[role=option]";
const finder = "input[placeholder='Type a name']";

let city: City;
beforeAll(async () => {
  city = await startCity("embedded");
  await letFamilySeeRoles();
}, 120_000);
afterAll(async () => await city?.stop());

/** The boss of the family may see roles, but not search citizens. */
async function letFamilySeeRoles(): Promise<void> {
  const { url } = city.instance;
  const { username, password } = city.login("admin");
  const admin = await signIn(url, username, password);
  await call(url, "/api/auth/job-admin", { token: admin.token, body: { reason: "Ticket 4711", job: "family" } });
  const token = await userToken(url, admin);
  const listed = (await call(url, "/api/access/jobs/family/roles", { token })).body as {
    grades: { grade: number; role: object | null }[];
  };
  const { grade } = listed.grades.find(({ role }) => role !== null)!;
  const path = `/api/access/jobs/family/roles/${grade}`;
  const { version, grants } = (await call(url, path, { token })).body as { version: number; grants: object };
  const body = { version, grants: { ...grants, "access.viewRoles": { allow: true, attributes: {} } } };
  expect((await call(url, path, { method: "PUT", token, body })).status).toBe(200);
}

describe.skipIf(noCurrent).each(currentOnly)("whose rights, in Chromium $name", ({ launch }) => {
  let browser: Browser;
  const found: (readonly string[])[] = [];
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => await browser?.close());

  async function rights(login: string, before?: (page: Page) => Promise<unknown>): Promise<Page> {
    const page = await (await openContext(browser)).newPage();
    page.setDefaultTimeout(20_000);
    found.push(complaints(page));
    const { username, password } = city.login(login);
    await signInPage(page, city.instance.url, username, password);
    await before?.(page);
    await page.goto(`${city.instance.url}/panel/rights`);
    await page.click("text=A person");
    return page;
  }

  async function enterAdminMode(page: Page): Promise<void> {
    await page.click(frame);
    await page.click("text=Enter admin mode");
    await page.fill("[role=dialog] textarea", "Ticket 4711");
    await page.click("[role=dialog] button[type=submit]");
    await page.waitForSelector("text=Leave admin mode");
  }

  /** Types a name and returns the offered options. */
  async function offered(page: Page, name: string): Promise<string[]> {
    await Promise.all([
      page.waitForResponse((answer) => new URL(answer.url()).searchParams.get("q") === name),
      page.fill(finder, name),
    ]);
    await page.waitForSelector(`${option}, :text("No matches")`);
    return await page.locator(option).allInnerTexts();
  }

  test("a person of one's own job is found by name with the keyboard, and is in the address", async () => {
    const page = await rights("police.chief");
    expect((await offered(page, "hernandez mateo")).join()).toContain("Mateo Hernández");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForSelector("main h2 >> text=/^Mateo Hernández, Police Department, grade \\d+ \\([^)]+\\)$/");
    await page.waitForSelector("[data-decision=true]");
    expect(page.url()).toMatch(/who=c\d+$/);
    await page.reload();
    await page.waitForSelector("main h2 >> text=Mateo Hernández");
    await expect.poll(async () => await page.inputValue(finder)).toContain("Mateo Hernández");
    await page.click("button[aria-label='Clear this field']");
    await page.waitForSelector("main h2", { state: "detached" });
    expect(await page.inputValue(finder)).toBe("");
    expect((await offered(page, "ngozi adeyemi")).join()).not.toContain("Ngozi");
    await page.context().close();
  });

  test("in admin mode people of every job are found", async () => {
    const page = await rights("admin", enterAdminMode);
    expect((await offered(page, "ngozi adeyemi")).join()).toContain("Ngozi Adeyemi");
    await page.click(`${option} >> text=Ngozi Adeyemi`);
    await page.waitForSelector("main h2 >> text=/^Ngozi Adeyemi, Medical Service, grade \\d+ \\([^)]+\\)$/");
    await page.context().close();
  });

  test("a viewer who may not search citizens enters the number", async () => {
    const page = await rights("family.boss");
    expect(await page.$(finder)).toBeNull();
    await page.fill("main input[placeholder='CIT-12']", "999999");
    await page.click("main button[type=submit]");
    await page.waitForSelector("text=There is no such person, or you may not see their permissions.");
    await page.context().close();
  });

  test("there were no errors", () => expect(found.flat()).toEqual([]));
});
