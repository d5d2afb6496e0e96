import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";
const officer = "police.officer";
const dialog = "[role=dialog]";

const openCorrect = async (page: Page) => {
  await page.click("main [data-entries] button[aria-haspopup=dialog]");
  await page.waitForSelector(`${dialog} form`);
};

/** Asks for a correction, and withdraws it. */
const correctAndCancel = async (page: Page) => {
  await openCorrect(page);
  const end = page.locator(`${dialog} [data-path=to] input`).nth(1);
  const value = await end.inputValue();
  const seconds = value.slice(6) === "07" ? "08" : "07";
  await end.fill(`${value.slice(0, 6)}${seconds}`);
  await page.fill(`${dialog} textarea`, "A walk through the page");
  await page.click(`${dialog} button >> text=Send`);
  await page.waitForSelector(dialog, { state: "detached" });
  await page.waitForSelector("main [data-entries] button >> text=Withdraw");
  await page.waitForSelector("main [role=group]:focus, main [data-entries] :focus");
  await page.click("main [data-entries] button >> text=Withdraw");
  await page.waitForSelector("main [data-entries] >> text=Withdrawn");
  await page.waitForSelector("main [data-entries] :focus");
};

const openMissing = async (page: Page) => {
  await page.click("main button[data-missing]");
  await page.waitForSelector(`${dialog} form`);
};

/** Asks for an entry of the last week, at a time when nobody of the demo works, and withdraws it. */
const addAndCancel = async (page: Page) => {
  await page.click("main button[aria-label=Earlier]");
  await page.waitForURL(/day=/);
  await openMissing(page);
  for (const [at, time] of [
    ["from", "04:10"],
    ["to", "04:20"],
  ] as const)
    await page.locator(`${dialog} [data-path=${at}] input`).nth(1).fill(time);
  await page.fill(`${dialog} textarea`, "A walk through the page");
  await page.click(`${dialog} button >> text=Send`);
  await page.waitForSelector(dialog, { state: "detached" });
  await page.locator("main [data-entries] li", { hasText: "A walk through the page" }).locator("button >> text=Withdraw").click();
  await page.waitForSelector("main [data-entries] >> text=Withdrawn");
};

const openTargets = async (page: Page) => {
  await page.click("main button >> text=Targets");
  await page.waitForSelector(`${dialog} form input`);
};

const fewerDays = async (page: Page) => {
  await page.click("main input[role=combobox], main .mantine-Select-input");
  await page.click("[role=option] >> text=7 days");
  await page.waitForURL(/days=7/);
};

const openClosable = async (page: Page) => {
  await page.locator("main [data-periods] li", { hasText: "can be closed" }).first().locator("a").click();
  await page.waitForSelector("main [data-preview] button");
};

/** Closes the latest period that has ended; nothing opens one again. */
const closeLatest = async (page: Page) => {
  await openClosable(page);
  await page.click("main [data-preview] button");
  await page.click(`${dialog} button >> text=Close the pay period`);
  await page.waitForSelector("main [data-sums]");
};

/** Chooses another length, and takes it back. */
const changeLength = async (page: Page) => {
  await page.click("main .mantine-Select-input");
  await page.click("[role=option] >> text=Two weeks");
  await page.waitForSelector("main .mantine-Select-input[value='Two weeks']");
  await page.click("button >> text=Undo");
  await page.waitForSelector("main .mantine-Select-input[value='Week']");
};

/** The plot is read when it comes into view; its cells are moved through by key, and are there as a table. */
const openLoad = async (page: Page) => {
  await page.locator("main [data-load]").scrollIntoViewIfNeeded();
  await page.waitForSelector("main [data-load=shown] [role=slider]");
  await page.focus("main [data-load] [role=slider]");
  await page.keyboard.press("ArrowUp");
  await page.click("main [data-load] button[aria-expanded=false]");
  await page.waitForSelector("main [data-load] table");
};

const month = "/jobs/timeclock?span=month";

export const pageStates: readonly PageState[] = [
  { name: "timeclock", as: officer, path: month, ready: "main [data-entries]", flow: correctAndCancel },
  { name: "timeclock-week", as: officer, path: "/jobs/timeclock", ready: "main [data-sum]" },
  { name: "timeclock-day", as: officer, path: "/jobs/timeclock?span=day", ready: "main [data-timeline]" },
  { name: "timeclock-free", as: officer, path: "/jobs/timeclock?span=free", ready: "main [data-sum]" },
  { name: "timeclock-correct", as: officer, path: month, ready: "main [data-entries]", act: openCorrect },
  {
    name: "timeclock-add",
    as: officer,
    path: "/jobs/timeclock",
    ready: "main [data-missing]",
    act: openMissing,
    flow: addAndCancel,
  },
  { name: "timeclock-team", as: chief, path: "/jobs/timeclock?view=team&span=month", ready: "main [data-team]" },
  {
    name: "timeclock-load",
    as: chief,
    path: "/jobs/timeclock?view=team&span=month",
    ready: "main [data-load]",
    act: openLoad,
  },
  {
    name: "timeclock-targets",
    as: chief,
    path: "/jobs/timeclock?view=team",
    ready: "main [aria-haspopup=dialog]",
    act: openTargets,
  },
  { name: "timeclock-inactive", as: chief, path: "/jobs/timeclock/inactive", ready: "main [data-inactive]", flow: fewerDays },
  { name: "timeclock-periods", as: chief, path: "/jobs/timeclock/periods", ready: "main [data-periods]", flow: changeLength },
  {
    name: "timeclock-period",
    as: chief,
    path: "/jobs/timeclock/periods",
    ready: "main [data-periods]",
    act: openClosable,
  },
  { name: "timeclock-closing", as: chief, path: "/jobs/timeclock/periods", ready: "main [data-periods]", flow: closeLatest },
  { name: "timeclock-empty", as: "taxi", path: "/jobs/timeclock?day=2024-01-01", ready: "main [data-sum]" },
];
