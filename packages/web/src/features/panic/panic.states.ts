import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";
const row = "[role=row][data-index]";

const openFirst = async (page: Page) => {
  await page.click(`${row} >> nth=0`);
  await page.waitForSelector("aside section h3");
};

const job = { name: "police", label: "Police" };

/** Answered in place of the server, as of now: an active panic would ring on every page of the city. */
const panicOf = (more: object, now = Date.now()) => ({
  ...{ id: 4, version: 1, state: "active", callId: 231, person: { id: 12, name: "Maximiliane von Hohenstein-Albrecht" }, job },
  ...{ pressedAt: now - 48_000, presses: 2, place: { x: 215.5, y: -810.2 }, postal: "204" },
  ...{ lastSeen: { x: 310.4, y: -752.9, postal: "207", at: now - 130_000 } },
  ...{ placeUntil: now + 600_000, cancelUntil: now + 600_000, ended: null },
  alarms: [
    { job, state: "ringing", at: null, by: null, repeats: 1 },
    { job: { name: "ambulance", label: "Ambulance" }, state: "acknowledged", at: now, by: "Ida Holm", repeats: 0 },
  ],
  ...{ mine: false, rings: false, may: [] },
  ...more,
});

const answerWith = (items: () => readonly object[]) => async (page: Page) =>
  await page.route("**/api/panic/present", async (route) => await route.fulfill({ json: { items: items(), onDuty: true } }));

const ringing = answerWith(() => [
  panicOf({ rings: true, may: ["acknowledge", "end"] }),
  panicOf({ id: 5, alarms: [{ job, state: "acknowledged", at: Date.now(), by: "Ida Holm", repeats: 0 }], may: ["end"] }),
]);
const own = answerWith(() => [panicOf({ mine: true, may: ["cancel"] })]);

/** Ended ones as if they were active: nobody else is to be alarmed. */
const active = async (page: Page) =>
  await page.route(/\/api\/panic\/\d+$/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as object;
    await route.fulfill({ response, json: { ...body, state: "active", may: ["acknowledge", "end"] } });
  });

const endFirst = async (page: Page) => {
  await openFirst(page);
  await page.click("aside button >> text=End the panic");
  await page.waitForSelector("[role=dialog] form");
};

const chooseJob = async (page: Page) => {
  await page.click("main form input >> nth=0");
  await page.click("[role=option] >> nth=0");
  await page.click("main form button[type=submit]");
  await page.waitForSelector("main form button[type=submit]", { state: "detached" });
};

const back = async (page: Page) => {
  await page.click("main a[href='/panic']");
  await page.waitForSelector(row);
};

export const pageStates: readonly PageState[] = [
  { name: "panic", as: chief, path: "/panic", ready: row, flow: openFirst },
  { name: "panic-detail", as: chief, path: "/panic", ready: row, act: openFirst },
  { name: "panic-end", as: chief, path: "/panic", prepare: active, ready: row, act: endFirst },
  {
    ...{ name: "panic-alarm", as: chief, path: "/panic", prepare: ringing, ready: "[role=alert] [data-ringing] button" },
    // Where the person was last, as nobody is followed in the city of the tests.
    act: async (page) => await page.waitForSelector("[role=alert] [data-panic='4'] >> text=207"),
  },
  {
    ...{ name: "panic-own", as: "citizen", path: "/panic", prepare: own, ready: "main button >> text=Press again" },
    act: async (page) => await page.waitForSelector("[role=alert] [data-panic='4'] button"),
  },
  { name: "panic-nothing", as: chief, path: "/panic?q=Qqqqzzzzxx", ready: "main h2" },
  { name: "panic-missing", as: chief, path: "/panic/999999", ready: "aside h2 >> nth=1" },
  { name: "panic-citizen", as: "citizen", path: "/panic", ready: "main h1" },
  { name: "panic-setup", as: chief, path: "/panic/setup", ready: "main form", flow: chooseJob },
  { name: "panic-setup-forbidden", as: "citizen", path: "/panic/setup", ready: "main h1" },
  { name: "panic-statistics", as: chief, path: "/panic/statistics", ready: "main dl", flow: back },
];
