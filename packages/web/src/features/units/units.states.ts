import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";
const officer = "police.officer";
const dialog = "[role=dialog]";

const openActivity = async (page: Page) => {
  await page.click("main [data-unit] button >> text=Activity");
  await page.waitForSelector(`${dialog} ol li`);
};

const newOf = (kind: "units" | "statuses") => async (page: Page) => {
  await page.click(`main [data-new=${kind}] button`);
  await page.waitForSelector(`${dialog} form`);
};

const openAccess = async (page: Page) => {
  await page.click("main [data-access] >> nth=0");
  await page.waitForSelector(`${dialog} fieldset`);
};

/** Only some grades may join a unit. */
const restrict = async (page: Page) => {
  await openAccess(page);
  await page.click(`${dialog} fieldset button >> nth=0`);
  await page.click(`${dialog} [data-save]`);
  await page.waitForSelector(dialog, { state: "detached" });
};

/** The job has no units, and nobody is on duty. */
const empty = async (page: Page) => {
  const body = JSON.stringify({ items: [], free: [], onDuty: false });
  await page.route("**/api/units", (route) => void route.fulfill({ contentType: "application/json", body }));
};

/** As if the unit worked a call. */
const atWork = async (page: Page) => {
  const body = JSON.stringify({ code: "units.openWork", status: 409, params: { name: "Adam 1" } });
  const answer = { status: 409, contentType: "application/problem+json", body };
  await page.route("**/api/units/all/*/status", (route) => void route.fulfill(answer));
  await page.route("**/api/units", async (route) => {
    const response = await route.fetch();
    const { items, ...body } = (await response.json()) as { items: object[] };
    const [first, ...others] = items;
    await route.fulfill({
      response,
      json: { ...body, onDuty: true, items: [{ ...first, mine: true, may: ["status"] }, ...others] },
    });
  });
};

const askPause = async (page: Page) => {
  await page.click("main [data-mine] button >> text=On a break");
  await page.waitForSelector(`${dialog} form`);
};

export const pageStates: readonly PageState[] = [
  { name: "units", as: chief, path: "/units", ready: "main [data-unit]", flow: openActivity },
  { name: "units-officer", as: officer, path: "/units", ready: "main [data-unit]" },
  { name: "units-empty", as: chief, path: "/units", ready: "main h2", prepare: empty },
  { name: "units-activity", as: chief, path: "/units", ready: "main [data-unit]", act: openActivity },
  { name: "units-work", as: officer, path: "/units", prepare: atWork, ready: "main [data-mine]", act: askPause },
  { name: "units-temporary", as: chief, path: "/units?temporary=1", ready: `${dialog} form` },
  { name: "units-setup", as: chief, path: "/units/setup", ready: "main li", flow: newOf("units") },
  { name: "units-access", as: chief, path: "/units/setup", ready: "main [data-access]", act: openAccess, flow: restrict },
  { name: "units-editor", as: chief, path: "/units/setup", ready: "main li", act: newOf("units") },
  { name: "units-status-editor", as: chief, path: "/units/setup", ready: "main li", act: newOf("statuses") },
  { name: "units-setup-forbidden", as: officer, path: "/units/setup", ready: "main h1" },
];
