import type { Page } from "playwright-core";
import { sendTo } from "@rollcall/testkit/api.ts";
import type { PageState } from "@rollcall/testkit/states.ts";

const as = "admin";
const path = "/approvals";
const ready = "main section h2";

const listed = {
  id: 7,
  version: 2,
  kind: "accounts.adminPower",
  params: { account: "mara.lindqvist-van-der-meer", power: "config", groups: "admin, superadmin" },
  link: "/panel/accounts/12",
  state: "open",
  step: 2,
  steps: 3,
  requester: "mara.lindqvist-van-der-meer",
  createdAt: Date.UTC(2026, 10, 20, 9),
  expiresAt: Date.UTC(2036, 10, 27, 9),
  decidedAt: null,
  mayDecide: true,
  mayWithdraw: true,
  onBehalf: "Ada Person",
};
const nobody = { by: "configAdmins", permission: null, job: null, grade: null, citizen: null };
const detail = {
  ...listed,
  facts: [
    { label: "timeclock.approvals.correction.facts.new", values: ["20:15:00 – 02:30:15"] },
    { label: "timeclock.approvals.correction.facts.day", values: [] },
  ],
  chain: [
    {
      deciders: [{ ...nobody, by: "grade", job: "Police", grade: "Lieutenant" }],
      decision: {
        approved: true,
        reason: null,
        name: "Mara Lind",
        onBehalf: "Ada Person",
        at: Date.UTC(2026, 10, 20, 10),
      },
    },
    { deciders: [nobody, { ...nobody, by: "citizen", citizen: "Finn Ahlers" }], decision: null },
    { deciders: [{ ...nobody, by: "right", permission: "citizens.list", job: "Justice" }], decision: null },
  ],
};

const answering = async (page: Page) => {
  const answer = async (url: string, body: object) =>
    await page.route(url, (route) => void route.fulfill({ contentType: "application/json", body: JSON.stringify(body) }));
  await answer("**/api/approvals/requests?**", { items: [listed], next: null, total: 1, totalCapped: false });
  await answer("**/api/approvals/requests/7", detail);
};

/** Whether groups from the game server wait for a confirmation; as the signed-in config admin. */
const confirming = async (page: Page, on: boolean) =>
  await page.evaluate(async (confirmGameAdmins) => {
    const headers = { "x-rollcall": "1", "content-type": "application/json" };
    const { version, settings } = await (await fetch("/api/settings", { headers })).json();
    const body = JSON.stringify({ version, settings: { ...settings, auth: { ...settings.auth, confirmGameAdmins } } });
    await fetch("/api/settings", { method: "PUT", headers, body });
  }, on);

/** The game server reports an admin, and a config admin approves it. */
const approve = async (page: Page) => {
  const licence = `flow${new Date().getTime()}`;
  await confirming(page, true);
  await sendTo(new URL(page.url()).origin, "accounts", [{ licence, groups: ["admin"] }]);
  await page.reload();
  await page.click(`main li a:has-text("${licence}")`);
  await page.waitForURL(/\/approvals\/\d+/);
  await page.click("aside button >> text=Approve");
  await page.waitForSelector("aside >> text=Approved by");
  await confirming(page, false);
};

const openForm = async (page: Page) => {
  await page.click("main button >> text=Name a substitute");
  await page.waitForSelector("main form input[inputmode=numeric]");
};

const given = {
  id: 3,
  given: true,
  by: "Katharina Lindqvist",
  to: "Ngozi Adeyemi",
  kinds: ["accounts.adminPower"],
  from: Date.UTC(2026, 10, 20),
  until: Date.UTC(2036, 10, 27),
  createdAt: Date.UTC(2026, 10, 20),
};

/** No kind of today can be handed to a substitute: one of a later feature, as the server would list it. */
const delegable = async (page: Page) =>
  await page.route("**/api/approvals/delegations", (route) =>
    route.fulfill({ contentType: "application/json", body: JSON.stringify({ items: [given], kinds: given.kinds }) }),
  );

/** As a config admin: a substitution of other people. */
const ofAll = async (page: Page) => {
  const { given: _given, ...item } = given;
  await page.route("**/api/approvals/delegations/all", (route) =>
    route.fulfill({ contentType: "application/json", body: JSON.stringify({ items: [item] }) }),
  );
};

export const pageStates: readonly PageState[] = [
  { name: "approvals", as, path, ready, flow: approve },
  { name: "approval-detail-german", as, language: "de", path: "/approvals/7", prepare: answering, ready: "aside section dl" },
  { name: "approvals-substitutes-of-all", as, path, prepare: ofAll, ready: "main section li button" },
  { name: "approvals-substitute", as: "police.chief", path, prepare: delegable, ready, act: openForm },
];
