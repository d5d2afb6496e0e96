import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const officer = "police.officer";
const job = { name: "police", label: "Police" };

type Body = Record<string, unknown>;

const answer = async (page: Page, path: string, change: (body: Body) => object) =>
  await page.route(path, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: change((await response.json()) as Body) });
  });

/** On duty; with `own`, in the first unit. */
const onDuty = async (page: Page, own: boolean) =>
  await answer(page, "**/api/units", ({ items, ...body }) => {
    const [first, ...others] = items as Body[];
    const mine = { ...first, mine: true, may: ["status", "leave"] };
    const free = others.map((unit, at) => ({ ...unit, may: at < 2 ? ["join"] : [] }));
    return { ...body, onDuty: true, items: own ? [mine, ...others] : [{ ...first, may: ["join"] }, ...free] };
  });

/** The first calls of the job, as if the own unit were asked for them or worked them. */
const calls = async (page: Page, states: readonly object[]) =>
  await page.route("**/api/dispatch/work", async (route) => {
    const headers = route.request().headers();
    const url = new URL("/api/dispatch/calls", route.request().url());
    const response = await route.fetch({ url: url.href, headers });
    const { items } = (await response.json()) as { items: Body[] };
    const unit = { id: 1, name: "Adam 1", callsign: "A1", colour: "#2563eb", job };
    const now = Date.now();
    const shown = states.map((state, at) => {
      const on = { id: at + 1, version: 1, unit, needsHelp: false, since: now - 40_000, until: null, mine: true };
      return { ...items[at], may: ["note", "attach"], units: [{ ...on, may: ["progress", "finish", "handBack"], ...state }] };
    });
    await route.fulfill({ response, json: { unit, onDuty: true, mode: "manual", calls: shown } });
  });

const offered = () => ({ state: "offered", since: Date.now(), until: Date.now() + 600_000, may: ["accept", "decline"] });
const crew = (states: () => readonly object[]) => async (page: Page) => {
  await onDuty(page, true);
  await calls(page, states());
};

const write = async (page: Page) => {
  await page.click("main [data-work] button >> text=Note or plate");
  await page.waitForSelector("main [data-work] form");
};

const toDuty = async (page: Page) => {
  await page.click("main a[href='/duty']");
  await page.waitForURL("**/duty");
};

const base = { as: officer, path: "/dispatch/crew" };

export const pageStates: readonly PageState[] = [
  { ...base, name: "crew-off-duty", ready: "main a[href='/duty']", flow: toDuty },
  { ...base, name: "crew-no-unit", ready: "main li button", prepare: async (page) => await onDuty(page, false) },
  { ...base, name: "crew-nothing", ready: "main [data-unit]", prepare: crew(() => []) },
  { ...base, name: "crew-offer", ready: "main [data-offer]", prepare: crew(() => [offered()]) },
  { ...base, name: "crew-working", ready: "main [data-work]", prepare: crew(() => [{ state: "enRoute" }]), act: write },
  { ...base, name: "crew-help", ready: "main [data-work]", prepare: crew(() => [{ state: "onScene", needsHelp: true }]) },
  {
    ...base,
    name: "crew-two-calls",
    path: "/dispatch/crew?tablet=1",
    ready: "main [data-next]",
    prepare: crew(() => [{ state: "onScene" }, { state: "accepted" }]),
  },
];
