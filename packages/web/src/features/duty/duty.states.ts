import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const chief = "police.chief";
const row = "[role=row][data-index]";
const ownRow = `${row}:has-text("Katharina Lindqvist")`;
const own = "main [data-own-duty]";

const job = { name: "police", label: "Police Department", grade: 7, gradeLabel: "Chief" };
const person = (id: number, name: string, state: string, seenAgo: number) => {
  const now = Date.now();
  return { id, version: 1, deleted: false, name, job, since: now - 5_400_000, by: "game", state, seenAt: now - seenAgo };
};
const chiefOnDuty = person(1, "Katharina Lindqvist", "uncertain", 95_000);

const answer = async (page: Page, url: string | RegExp, body: object) =>
  await page.route(url, (route) => void route.fulfill({ contentType: "application/json", body: JSON.stringify(body) }));

/** A game server that has fallen silent: nobody knows who of its people is still there. */
const silent = async (page: Page) => {
  const members = [chiefOnDuty, person(2, "Mateo Hernández", "uncertain", 97_000), person(3, "Xu Wu", "missing", 190_000)];
  await answer(page, "**/api/duty", { items: members });
  const jobs = [{ job: "police", label: "Police Department", mayBegin: false, reason: "game" }];
  await answer(page, "**/api/duty/own", { duty: chiefOnDuty, jobs, mayEnd: false });
};

const medics = { name: "ambulance", label: "Medical Service", grade: 2, gradeLabel: "Doctor" };

/** People of two jobs, so that there is a choice of them. */
const two = async (page: Page) =>
  await answer(page, "**/api/duty", { items: [chiefOnDuty, { ...person(4, "Ingrid Horváth", "on", 2_000), job: medics }] });

/** A toast covers the rows; it must not push them down. */
const showToast = async (page: Page) => {
  const topOf = async () => await page.$eval("main [role=grid]", (grid) => grid.getBoundingClientRect().top);
  const before = await topOf();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("mara lind");
  await page.waitForSelector("[role=dialog] [role=option] >> text=Mara Lind");
  await page.keyboard.press("ArrowRight");
  await page.click("[role=dialog] [role=option] >> text=Copy the link");
  await page.waitForSelector("[role=log] >> text=Copied");
  // As many frames as the room for a toast takes.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))));
  const after = await topOf();
  if (after !== before) throw new Error(`the toast moved the rows from ${before} to ${after} px`);
};

const people = ["Katharina Lindqvist", "Mateo Hernández", "Xu Wu", "Anneliese von Hohenstein-Wittgenstein", "Bo Li"];

/** Eight of thirty days are known, and of the night from three to six nothing: the game server restarts then. */
const hours = (worked: boolean) => async (page: Page) => {
  const days = Array.from({ length: 30 }, (_none, i) => {
    const from = Date.UTC(2026, 9, 28 + i);
    const seconds = worked && i >= 22 ? 3600 * (9 + ((i * 7) % 11)) : 0;
    return {
      day: new Date(from).toISOString().slice(0, 10),
      from,
      to: from + 86_400_000,
      seconds,
      knownSeconds: i < 22 ? 0 : 75_600,
    };
  });
  const onDuty = (day: number, hour: number) => (hour >= 3 && hour < 6 ? null : worked ? ((day * 5 + hour * 3) % 17) / 4 : 0);
  await answer(page, /\/api\/duty\/statistics/, {
    job: "police",
    zone: "Europe/Berlin",
    days,
    knownDays: 8,
    hours: Array.from({ length: 7 }, (_none, day) => Array.from({ length: 24 }, (_hour, hour) => onDuty(day, hour))),
    people: worked ? people.map((name, i) => ({ id: i + 1, name, seconds: 126_000 - i * 27_300 })) : [],
    complete: true,
  });
};

/** Goes off duty, if somebody went on duty here before. */
const offDuty = async (page: Page) => {
  const end = await page.$(`${own} button >> text=Go off duty`);
  await end?.click();
  await page.waitForSelector(`${own} >> text=You are off duty.`);
};

const onDuty = async (page: Page) => {
  if ((await page.$(`${own} button >> text=Go off duty`)) === null) await page.click(`${own} button >> text=Go on duty`);
  await page.waitForSelector(`${own} button >> text=Go off duty`);
  await page.waitForSelector(ownRow);
};

const goOnAndOff = async (page: Page) => {
  await onDuty(page);
  await page.waitForSelector("header button >> text=On duty since");
  await page.click(`${own} button >> text=Go off duty`);
  await page.waitForSelector(ownRow, { state: "detached" });
  await page.waitForSelector(`${own} button:focus >> text=Go on duty`);
};

const toHours = async (page: Page) => {
  await goOnAndOff(page);
  await page.click('main a[href^="/duty/hours"]');
  await page.waitForSelector("main h2");
};

export const pageStates: readonly PageState[] = [
  { name: "duty-nobody", as: "taxi", path: "/duty", ready: own },
  { name: "duty-off", as: chief, path: "/duty", ready: own, act: offDuty },
  { name: "duty-silent", as: chief, path: "/duty", prepare: silent, ready: `${row} >> text=Uncertain` },
  { name: "duty-unseen", as: "taxi", path: "/duty?job=police", ready: "main h2" },
  {
    name: "duty-toast",
    as: chief,
    path: "/duty",
    prepare: two,
    ready: 'main [role=group] button >> text="Medical Service"',
    act: showToast,
  },
  { name: "duty-card", as: chief, path: "/", prepare: silent, ready: 'main section[aria-label="On duty now"]' },
  { name: "duty", as: chief, path: "/duty", ready: own, act: onDuty, flow: toHours },
  { name: "duty-hours", as: chief, path: "/duty/hours", prepare: hours(true), ready: "main canvas" },
  { name: "duty-hours-nobody", as: chief, path: "/duty/hours", prepare: hours(false), ready: "main h2" },
  { name: "duty-hours-unseen", as: chief, path: "/duty/hours?job=nobody", ready: "main h2" },
  { name: "duty-hours-forbidden", as: "taxi", path: "/duty/hours", ready: "main h1" },
  {
    name: "duty-control",
    as: chief,
    path: "/duty",
    ready: own,
    act: async (page) => {
      await onDuty(page);
      await page.click("header button[aria-haspopup=true]");
      await page.waitForSelector("header [role=dialog]");
    },
  },
  {
    name: "duty-rules",
    as: chief,
    path: "/duty",
    ready: own,
    act: async (page) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.type("rules of duty");
      await page.click("[role=dialog] [role=option] >> text=Rules of duty by hand");
      await page.waitForSelector("[role=dialog] form");
    },
  },
];
