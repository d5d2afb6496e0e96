import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";
const row = "[role=row][data-index]";

/** Opens a citizen, so that the job's audit log has an entry. */
const look = async (page: Page) => {
  await page.goto(new URL("/citizens/2", page.url()).href);
  await page.waitForSelector("aside section h3");
  await page.goto(new URL("/panel/audit", page.url()).href);
  await page.waitForSelector(row);
};

const openChange = async (page: Page) => {
  await Promise.all([
    page.waitForResponse((response) => response.request().method() === "PUT"),
    page.click("table input[type=checkbox] >> nth=2"),
  ]);
  await page.goto(new URL("/panel/audit?action=notifications.putPreferences", page.url()).href);
  await page.waitForSelector(row);
  await page.click(row);
  await page.waitForSelector("aside ins");
};

const openEntry = async (page: Page) => {
  await look(page);
  await page.click(row);
  await page.waitForURL(/\/panel\/audit\/\d+/);
  await page.waitForSelector("aside section h3");
};

const dialog = "[role=dialog]";

const exportEntries = async (page: Page) => {
  await look(page);
  await page.click("main button >> text=Export");
  await page.click(`${dialog} button >> text=CSV`);
  await page.waitForSelector(`${dialog} a[download]`);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click(`${dialog} a[download]`)]);
  if ((await download.failure()) !== null) throw new Error("the export was not saved");
};

const removeExport = async (page: Page) => {
  await exportEntries(page);
  await page.click(`${dialog} button >> text=CSV`);
  await page.waitForSelector(`${dialog} li a[download] >> nth=1`);
  const removes = `${dialog} li button[aria-label^='Remove export']`;
  const question = `${dialog}:has(h2:text-matches("^Remove export .*"))`;
  const asked = async () => {
    await page.locator(removes).first().click();
    await page.waitForSelector(`${question} button:has-text('Cancel'):focus`);
  };
  await asked();
  await page.keyboard.press("Escape");
  await page.waitForSelector(question, { state: "detached" });
  await page.waitForSelector(`${removes}:focus`);
  await asked();
  await page.click(`${question} button >> text=Remove`);
  await page.waitForSelector(`${removes} >> nth=1`, { state: "detached" });
  await page.waitForSelector(`${dialog} li :focus`);
  await page.waitForSelector(`${dialog} [role=status] >> text=was removed.`);
  await asked();
  await page.click(`${question} button >> text=Remove`);
  await page.waitForSelector(`${dialog} [role=group]:focus`);
};

export const pageStates: readonly PageState[] = [
  { name: "audit", as: chief, path: "/", ready: "main h1", act: look, flow: openEntry },
  { name: "audit-filters", as: chief, path: "/panel/audit?result=ok&kind=citizen&object=2&from=2026-01-01", ready: "main h1" },
  {
    name: "audit-entry",
    as: "admin",
    adminMode: true,
    path: "/notifications",
    ready: "table input[type=checkbox]",
    act: openChange,
  },
  { name: "audit-exports", as: chief, path: "/", ready: "main h1", act: exportEntries, flow: removeExport },
  { name: "audit-empty", as: chief, path: "/panel/audit?q=qqqqzzzzxx", ready: "main h2" },
  { name: "lookups", as: chief, path: "/notifications/lookups", ready: "main h1" },
];
