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

/** A game server that has fallen silent: nobody knows who of its people is still there. */
const silent = async (page: Page) => {
  const answer = async (url: string, body: object) =>
    await page.route(url, (route) => void route.fulfill({ contentType: "application/json", body: JSON.stringify(body) }));
  const members = [chiefOnDuty, person(2, "Mateo Hernández", "uncertain", 97_000), person(3, "Xu Wu", "missing", 190_000)];
  await answer("**/api/duty", { items: members });
  const jobs = [{ job: "police", label: "Police Department", mayBegin: false, reason: "game" }];
  await answer("**/api/duty/own", { duty: chiefOnDuty, jobs, mayEnd: false });
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
};

export const pageStates: readonly PageState[] = [
  { name: "duty-nobody", as: "taxi", path: "/duty", ready: own },
  { name: "duty-off", as: chief, path: "/duty", ready: own, act: offDuty },
  { name: "duty-silent", as: chief, path: "/duty", prepare: silent, ready: `${row} >> text=Uncertain` },
  { name: "duty", as: chief, path: "/duty", ready: own, act: onDuty, flow: goOnAndOff },
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
      await page.click("main button >> text=Duty by hand");
      await page.waitForSelector("[role=dialog] form");
    },
  },
];
