import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";
const dialog = "[role=dialog]";
const row = "main [data-call]";
const line = "main [data-command]";
/** A phone shows where to go instead. */
const widths = [1440];

const answer = async (page: Page, path: string, change: (body: Record<string, unknown>) => object) => {
  await page.route(path, async (route) => {
    const given = await route.fetch();
    await route.fulfill({ response: given, json: change((await given.json()) as Record<string, unknown>) });
  });
};

/** Nothing is open, and the job has no units. */
const empty = async (page: Page) => {
  await answer(page, "**/api/dispatch/calls", (body) => ({ ...body, items: [], open: 0 }));
  await answer(page, "**/api/units", (body) => ({ ...body, items: [], free: [] }));
};

/** A night with 500 open calls. */
const many = async (page: Page) => {
  await answer(page, "**/api/dispatch/calls", ({ items, ...body }) => {
    const [first] = items as { id: number; message: string }[];
    const calls = Array.from({ length: 500 }, (_one, at) => ({
      ...first,
      id: 9000 + at,
      priority: 1 + (at % 5),
      message: `Report ${at} of a long night at the corner of Mission Row and Vespucci Boulevard`,
    }));
    return { ...body, items: calls, open: calls.length };
  });
};

const leave = async (page: Page) => {
  await page.click("main [data-signed=on] button");
  await page.waitForSelector("main [data-signed=left] button");
};

const openFirst = async (page: Page) => {
  await page.click(`${row} >> nth=0`);
  await page.waitForSelector("main aside section h3");
};

const write =
  (text: string, sent = false) =>
  async (page: Page) => {
    await page.fill(line, text);
    if (sent) await page.press(line, "Enter");
  };

const help = async (page: Page) => {
  await write("help", true)(page);
  await page.waitForSelector(`${dialog} dl`);
};

/** Chooses a call by the arrow keys, opens it, and writes a note with the command line. */
const work = async (page: Page) => {
  await page.focus(`${row} >> nth=0`);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForSelector("main aside section h3");
  const id = await page.getAttribute("main [data-call][aria-pressed=true]", "data-call");
  await page.fill(line, `#${id} note Two suspects, one car`);
  await page.keyboard.press("Enter");
  await page.waitForSelector("main aside >> text=Two suspects, one car");
};

export const pageStates: readonly PageState[] = [
  { name: "desk", as: chief, path: "/dispatch", widths, ready: row, flow: work },
  { name: "desk-call", as: chief, path: "/dispatch", widths, ready: row, act: openFirst },
  { name: "desk-empty", as: chief, path: "/dispatch", widths, ready: "main h2", prepare: empty },
  { name: "desk-many", as: chief, path: "/dispatch", widths, ready: row, prepare: many },
  { name: "desk-line", as: chief, path: "/dispatch", widths, ready: row, act: write("#1 +") },
  { name: "desk-help", as: chief, path: "/dispatch", widths, ready: row, act: help },
  { name: "desk-left", as: chief, path: "/dispatch", widths, ready: row, act: leave },
  { name: "desk-phone", as: chief, path: "/dispatch", widths: [390], ready: "main h1" },
  { name: "desk-citizen", as: "citizen", path: "/dispatch", ready: "main h1" },
];
