import type { Page } from "playwright-core";
import { longest } from "@rollcall/testkit/longest.ts";
import type { PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";
const row = "[role=row][data-index]";

const openFirst = async (page: Page) => {
  await page.click(row);
  await page.waitForSelector("aside section li a");
};

const find = async (page: Page) => {
  await page.fill("main [role=search] input", "Mara Lind");
  await page.click(`${row} >> text=Mara Lind`);
  await page.waitForURL(/\/citizens\/\d+/);
  await page.waitForSelector("aside section h3");
  await page.keyboard.press("Escape");
  await page.waitForSelector("aside", { state: "detached" });
};

const views = "main button[aria-haspopup=dialog]";

/** Saves the filters, renames the view, and deletes it. */
const keepView = async (page: Page) => {
  await page.click(views);
  await page.fill("[role=dialog] form input", "Taxi drivers");
  await page.click("[role=dialog] form button[type=submit]");
  await page.click("[role=dialog] [aria-label='Rename Taxi drivers']");
  await page.keyboard.press("Escape");
  await page.waitForSelector("[role=dialog] [aria-label='Rename Taxi drivers']:focus");
  await page.keyboard.press("Enter");
  await page.fill("[role=dialog] li input", "Cabs");
  await page.keyboard.press("Enter");
  await page.click("[role=dialog] [aria-label='Always open the list with Cabs']");
  await page.waitForSelector("[role=dialog] [aria-label='Always open the list with Cabs'][aria-pressed=true]");
};

const useView = async (page: Page) => {
  await keepView(page);
  await page.click("[role=dialog] [aria-label='Delete Cabs']");
  await page.waitForSelector("[role=dialog] li", { state: "detached" });
  await page.waitForSelector("[role=dialog] [role=group]:focus");
  await page.waitForSelector("[role=dialog] [role=status] >> text=Cabs was deleted.");
};

/** Copies the address of the profile, and has it alone on paper. */
const copyAndPrint = async (page: Page) => {
  await page.click("aside [aria-label='Copy link']");
  await page.waitForSelector("text=Link copied");
  await page.emulateMedia({ media: "print" });
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  await page.waitForSelector("header", { state: "hidden" });
  await page.waitForSelector("html[data-mantine-color-scheme=light] aside h2");
  await page.evaluate("dispatchEvent(new Event('afterprint'))");
  await page.emulateMedia({ media: null });
  await page.waitForSelector("html:not([data-print]) header");
};

/** Several rows are selected, by an order of the viewer's choice. */
const select = async (page: Page) => {
  await page.click(`${row} >> nth=1`, { modifiers: ["Control"], position: { x: 200, y: 6 } });
  await page.click(`${row} >> nth=4`, { modifiers: ["Shift"], position: { x: 200, y: 6 } });
  await page.waitForSelector("main [role=group] strong");
};

const chooseColumns = async (page: Page) => {
  await page.click("main button[aria-label=Columns]");
  await page.waitForSelector("[role=dialog] fieldset");
};

export const pageStates: readonly PageState[] = [
  { name: "citizens", as: chief, path: "/citizens", ready: row, flow: find },
  { name: "citizens-search", as: chief, path: "/citizens?q=Lindkvist", ready: row },
  { name: "citizens-filters", as: chief, path: "/citizens?phone=555&job=police", ready: row },
  { name: "citizens-selected", as: chief, path: "/citizens?order=-dateOfBirth", ready: row, act: select },
  { name: "citizens-columns", as: chief, path: "/citizens?hide=height", ready: row, widths: [1440], act: chooseColumns },
  {
    name: "citizens-views",
    as: chief,
    path: "/citizens?job=taxi",
    ready: row,
    flow: useView,
    act: async (page) => await keepView(page),
  },
  { name: "citizens-empty", as: chief, path: "/citizens?q=Qqqqzzzzxx", ready: "main h2" },
  { name: "citizen", as: chief, path: "/citizens/1?q=Lindqvist", ready: "aside section h3", flow: copyAndPrint },
  {
    name: "citizen-resync",
    as: chief,
    path: "/citizens/2?q=Lindqvist",
    ready: "aside section h3",
    act: async (page) => {
      await page.waitForSelector("aside section button:disabled");
      await page.locator("aside section").last().scrollIntoViewIfNeeded();
    },
  },
  { name: "citizen-restricted", as: "lawyer", path: "/citizens/1?q=Lindqvist", ready: "aside section h3" },
  { name: "citizen-missing", as: chief, path: "/citizens/999999", ready: "aside h2 >> nth=1" },
  {
    name: "long-texts",
    as: chief,
    path: `/citizens?q=${longest.lastName}`,
    ready: row,
    act: async (page) => await openFirst(page),
  },
];
