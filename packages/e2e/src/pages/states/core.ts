import type { Page } from "playwright-core";
import { frame } from "@rollcall/testkit/pages.ts";
import { narrow, type PageState } from "./state.ts";

const chief = "police.chief";
const row = "[role=row][data-index]";
const dialog = "[role=dialog]";

const problem = (status: number, code: string) => ({
  status,
  contentType: "application/problem+json",
  body: JSON.stringify({ type: "about:blank", title: code, status, code, params: {}, traceId: "4f0c2a9b1e7d4c55" }),
});

const openMenu = async (page: Page) => {
  await page.click(frame);
  await page.waitForSelector(dialog);
};

const openFirst = async (page: Page) => {
  await page.click(row);
  await page.waitForSelector("aside section li a");
};

/** A citizen whose fields all have the maximum length. */
export const longest = {
  identifier: "longest:1",
  firstName: "Maximiliana-Wolfeschlegelsteinhausenbergerdorff-Xy",
  lastName: "Featherstonehaugh-Cholmondeley-Majoribanks-Bottomy",
  jobs: ["police", "ambulance", "justice", "press"].map((name) => ({ name, grade: 1 })),
  phoneNumbers: Array.from({ length: 8 }, (_number, i) => ({ number: `0099988877766${i}555555` })),
  licences: ["drive", "weapon", "hunting", "boat", "pilot", "a_licence_without_a_label_that_uses_up_all_of_60_characters"],
};

export const longestVehicle = {
  plate: "W".repeat(32),
  model: "M".repeat(64),
  type: "a kind as long as kinds may be.",
  ownerIdentifier: longest.identifier,
  job: "justice",
};

const anonymous: readonly PageState[] = [
  { name: "login", path: "/", ready: "input[name=username]" },
  { name: "login-german", path: "/", language: "de", ready: "text=Benutzername" },
  {
    name: "login-refused",
    path: "/",
    ready: "input[name=username]",
    lead: async (page) => {
      await page.fill("input[name=username]", "nobody");
      await page.fill("input[name=password]", "not the password");
      await page.press("input[name=password]", "Enter");
      await page.waitForSelector("[role=alert]");
    },
  },
];

const lists: readonly PageState[] = [
  { name: "home", as: chief, path: "/", ready: "main h1" },
  { name: "citizens", as: chief, path: "/citizens", ready: row },
  { name: "citizens-search", as: chief, path: "/citizens?q=Lindkvist", ready: row },
  { name: "citizens-filters", as: chief, path: "/citizens?phone=555&job=police", ready: row },
  { name: "citizens-empty", as: chief, path: "/citizens?q=Qqqqzzzzxx", ready: "main h2" },
  { name: "citizen", as: chief, path: "/citizens/1?q=Lindqvist", ready: "aside section h3" },
  { name: "citizen-restricted", as: "lawyer", path: "/citizens/1?q=Lindqvist", ready: "aside section h3" },
  { name: "citizen-missing", as: chief, path: "/citizens/999999", ready: "aside h2 >> nth=1" },
  { name: "vehicles", as: chief, path: "/vehicles", ready: row },
  { name: "vehicles-empty", as: chief, path: "/vehicles?q=Qqqqzzzzxx", ready: "main h2" },
  { name: "vehicle", as: chief, path: "/vehicles/1", ready: "aside section h3" },
  { name: "not-found", as: chief, path: "/nothing/here", ready: "main h1" },
  { name: "forbidden", as: "citizen", path: "/citizens", ready: "main h1" },
  { name: "home-without-rights", as: "citizen", path: "/", ready: "main h1" },
  { name: "home-german", as: chief, language: "de", path: "/", ready: "main h1" },
  { name: "citizens-german", as: chief, language: "de", path: "/citizens?phone=555", ready: row },
  { name: "citizen-german", as: chief, language: "de", path: "/citizens/1?q=Lindqvist", ready: "aside section h3" },
  {
    name: "long-texts",
    as: chief,
    path: `/citizens?q=${longest.lastName}`,
    ready: row,
    lead: async (page) => await openFirst(page),
  },
  { name: "tablet", as: chief, path: "/citizens/1?q=Lindqvist&tablet=1", ready: "aside section h3" },
];

const dialogs: readonly PageState[] = [
  {
    name: "help",
    as: chief,
    path: "/citizens",
    ready: row,
    lead: async (page) => {
      await page.keyboard.press("?");
      await page.waitForSelector(`${dialog} dl`);
    },
  },
  {
    name: "search",
    as: chief,
    path: "/citizens",
    ready: row,
    lead: async (page) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("lind");
      await page.waitForSelector(`${dialog} [role=option] >> text=Mara Lind`);
    },
  },
  { name: "menu", as: chief, path: "/", ready: "main h1", lead: openMenu },
  {
    name: "navigation",
    as: chief,
    path: "/citizens",
    widths: [narrow],
    ready: row,
    lead: async (page) => {
      await page.click("header button >> nth=0");
      await page.waitForSelector(`${dialog} nav`);
    },
  },
  {
    name: "characters",
    as: "taxi",
    path: "/",
    ready: "main h1",
    lead: async (page) => {
      await openMenu(page);
      await page.click("text=Switch character");
      await page.waitForSelector("main ul li button >> nth=2");
    },
  },
  {
    name: "admin-entry",
    as: "admin",
    path: "/",
    ready: "main h1",
    lead: async (page) => {
      await openMenu(page);
      await page.click("text=Enter admin mode");
      await page.waitForSelector(`${dialog} textarea`);
    },
  },
  {
    name: "admin-mode",
    as: "admin",
    path: "/citizens",
    ready: "main h1",
    lead: async (page) => {
      await openMenu(page);
      await page.click("text=Enter admin mode");
      await page.fill(`${dialog} textarea`, "Ticket 4711: a profile with a wrong birth date");
      await page.click(`${dialog} button[type=submit]`);
      await page.waitForSelector("text=Leave admin mode");
      await page.waitForSelector(row);
    },
  },
];

const troubles: readonly PageState[] = [
  {
    name: "citizens-loading",
    as: chief,
    path: "/citizens",
    before: async (page) => await page.route("**/api/citizens?*", () => undefined),
    ready: "[role=grid][aria-busy=true]",
  },
  {
    name: "citizens-failed",
    as: chief,
    path: "/citizens",
    before: async (page) => await page.route("**/api/citizens?*", (route) => void route.fulfill(problem(500, "system.internal"))),
    ready: "main [role=alert]",
  },
  {
    name: "offline",
    as: chief,
    path: "/citizens",
    before: async (page) =>
      await page.addInitScript("globalThis.WebSocket = class { constructor() { throw new Error('no line') } }"),
    ready: row,
    lead: async (page) => await page.waitForSelector("text=Try now"),
  },
  {
    name: "session-ended",
    as: chief,
    path: "/citizens",
    ready: row,
    lead: async (page) => {
      await page.route("**/api/auth/token", (route) => void route.fulfill(problem(401, "system.signInNeeded")));
      await page.route("**/api/citizens?*", (route) => void route.fulfill(problem(401, "system.signInNeeded")));
      await page.fill("main [role=search] input", "Lindq");
      await page.waitForSelector(`${dialog} input[name=password]`);
    },
  },
];

export const pageStates: readonly PageState[] = [...anonymous, ...lists, ...dialogs, ...troubles];
