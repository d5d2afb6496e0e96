import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";
const officer = "police.officer";
const dialog = "[role=dialog]";

const openRequest = async (page: Page) => {
  await page.click("main button >> text=Request an absence");
  await page.waitForSelector(`${dialog} form`);
};

/** Asks for the shortest absence, and takes it back. */
const askAndCancel = async (page: Page) => {
  await openRequest(page);
  await page.click(`${dialog} button >> text=Send`);
  await page.waitForSelector(dialog, { state: "detached" });
  await page.click("main button >> text=Cancel absence");
  await page.click(`${dialog} button >> text=Cancel absence`);
  await page.waitForSelector(dialog, { state: "detached" });
};

/** The form with which an absence of a colleague is entered, from their profile. */
const enterForColleague = async (page: Page) => {
  await page.click("[role=row][data-index] >> nth=0");
  await page.waitForSelector("aside section h3");
  await page.click("aside [role=tab] >> text=Absences");
  await page.click("aside button >> text=Enter an absence");
  await page.waitForSelector(`${dialog} form`);
};

const nextMonths = async (page: Page) => {
  await page.click("main button >> text=Later");
  await page.waitForURL(/month=/);
  await page.waitForSelector("main figure");
};

const openEarlier = async (page: Page) => {
  await page.click("main button[aria-expanded]");
  await page.waitForSelector("main button[aria-expanded=true]");
};

const openDecline = async (page: Page) => {
  await page.click("main [data-waiting] button >> text=Decline");
  await page.waitForSelector(`${dialog} form`);
};

const newKind = async (page: Page) => {
  await page.click("main button >> text=New kind");
  await page.waitForSelector(`${dialog} form`);
};

const nothing = { items: [], next: null, total: 0, totalCapped: false };

/** Nobody is absent, and nothing waits. */
const empty = async (page: Page) => {
  for (const url of ["**/api/absences/own*", "**/api/absences/waiting", "**/api/absences?*"])
    await page.route(url, (route) => void route.fulfill({ contentType: "application/json", body: JSON.stringify(nothing) }));
};

export const pageStates: readonly PageState[] = [
  { name: "absences", as: chief, path: "/absences", ready: "main [data-calendar]", flow: askAndCancel },
  { name: "absences-empty", as: chief, path: "/absences", ready: "main h2", prepare: empty },
  { name: "absences-request", as: chief, path: "/absences?ask=1", ready: `${dialog} form` },
  { name: "absences-earlier", as: chief, path: "/absences", ready: "main button[aria-expanded]", act: openEarlier },
  { name: "absences-decline", as: chief, path: "/absences", ready: "main [data-waiting] li", act: openDecline },
  { name: "absences-officer", as: officer, path: "/absences", ready: "main [data-calendar]" },
  {
    name: "absences-person",
    as: chief,
    // The lowest grades first: absences are entered for lower ones alone.
    path: "/jobs/colleagues?order=-rank",
    ready: "[role=row][data-index]",
    act: enterForColleague,
  },
  {
    name: "absences-statistics",
    as: chief,
    path: "/absences/statistics",
    ready: "main figure",
    flow: nextMonths,
  },
  { name: "absences-kinds", as: chief, path: "/absences/kinds", ready: "main li", flow: newKind },
  { name: "absences-kind-editor", as: chief, path: "/absences/kinds", ready: "main li", act: newKind },
  { name: "absences-kinds-forbidden", as: officer, path: "/absences/kinds", ready: "main h1" },
];
