import { setTimeout as pause } from "node:timers/promises";
import type { User } from "@rollcall/sync-sdk";
import type { Browser, Page } from "playwright-core";
import { person, sendTo } from "@rollcall/testkit/api.ts";
import { currentChromium } from "@rollcall/testkit/browsers.ts";
import { makeInstance, serve } from "@rollcall/testkit/program.ts";
import { signInPage } from "@rollcall/testkit/pages.ts";
import { bytesOf, heapOf, keyToPaint, load, type Load, longTasks, navigate, openBrowser } from "../kit/pages.ts";
import { makeUsers } from "../kit/people.ts";
import { allow } from "../kit/program.ts";
import { type Finding, finding, type Machine, type Row } from "../kit/report.ts";
import { percentile } from "../kit/stats.ts";

const row = "[role=row][data-index]";
const searches = 10;
const navigations = { warm: 50, all: 300 };
const changes = { perSecond: 50, seconds: 8, slower: 4 };

const largest = ({ scripts }: Load) =>
  [...scripts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 4)
    .map(([name, size]) => `${name.replace(/^\/assets\//, "")} ${(size / 1000).toFixed(1)}`)
    .join(", ");

function loaded(what: string, one: Load, kB: number): Finding[] {
  return [
    finding({
      row: `browser: script of the ${what}`,
      measured: { value: bytesOf(one) / 1000, unit: "kB" },
      atMost: kB,
      note: `${one.scripts.size} scripts, gzip -9 each; largest: ${largest(one)}`,
    }),
    finding({
      row: `browser: requests of the ${what}`,
      measured: { value: one.requests, unit: "requests" },
      atMost: 30,
      note: "of all kinds, until nothing more is loaded; without the pages that may come next",
    }),
  ];
}

/** The global search asks after a pause of 80 ms; the search of a list, whose rows move, after 220 ms. */
async function searching(page: Page, url: string, users: readonly User[], { slowness, sample }: Machine): Promise<Finding> {
  await page.goto(`${url}/citizens`);
  await page.waitForSelector(row);
  const took: number[] = [];
  for (const { firstName, lastName } of users.slice(0, searches)) {
    sample();
    await page.keyboard.press("Control+k");
    await page.waitForSelector("[role=dialog] input:focus");
    const name = `${firstName} ${lastName}`;
    took.push(await keyToPaint(page, name, { selector: "[role=dialog] [role=option]", text: name }));
    await page.keyboard.press("Escape");
    await page.waitForSelector("[role=dialog]", { state: "detached" });
  }
  return finding({
    row: "browser: from the last key of a search to its painted hit",
    measured: { value: percentile(took, 0.5), unit: "ms" },
    atMost: 150,
    slowness: slowness(),
    note: `median of ${searches} in the global search, most ${Math.max(...took).toFixed(0)} ms`,
  });
}

async function navigating(page: Page, url: string): Promise<Finding> {
  await page.goto(`${url}/citizens`);
  // An address that changes before the application runs shows nothing.
  await page.waitForSelector(row);
  const session = await page.context().newCDPSession(page);
  // Their number divides both counts: the same page is open whenever the heap is measured.
  const places = [
    ["/citizens", row],
    ["/citizens/1", "aside h2"],
    ["/account/sessions", "main li strong"],
    ["/notifications", "main h1"],
    ["/", "main h1"],
  ] as const;
  const heaps: number[] = [];
  for (let i = 1; i <= navigations.all; i++) {
    const [to, ready] = places[i % places.length]!;
    await navigate(page, to, ready);
    if (i === navigations.warm || i === navigations.all) heaps.push(await heapOf(session));
  }
  const mB = (bytes: number) => ({ value: bytes / 1e6, unit: "MB" });
  return finding({
    row: `browser: heap after ${navigations.all} navigations`,
    measured: mB(heaps[1]!),
    baseline: mB(heaps[0]!),
    ratioAtMost: 1.1,
    note: `baseline: after ${navigations.warm}; both after what is no longer needed was collected`,
  });
}

/** An open list while the game changes people in it, ten at a time. */
async function changing(page: Page, url: string, users: readonly User[], { slowness }: Machine): Promise<Finding> {
  const { perSecond, seconds, slower } = changes;
  await page.goto(`${url}/citizens`);
  await page.waitForSelector(row);
  await page.waitForLoadState("networkidle");
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
  const group = 10;
  const tasks = await longTasks(page, async () => {
    for (let round = 0; round < (perSecond / group) * seconds; round++) {
      const next = pause((1_000 * group) / perSecond);
      const some = users.slice((round * group) % users.length, ((round * group) % users.length) + group);
      const { status, text } = await sendTo(
        url,
        "users",
        some.map((user) => ({ ...user, phoneNumbers: [{ number: `556-${String(round).padStart(4, "0")}` }] })),
      );
      if (status !== 200) throw new Error(text);
      await next;
    }
  });
  await page.waitForSelector("text=/556-\\d+/");
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  return finding({
    row: `browser: longest task while ${perSecond} rows a second change`,
    measured: { value: Math.max(0, ...tasks), unit: "ms" },
    atMost: 50,
    slowness: slowness(),
    note: `at a processor ${slower} times slower, ${seconds} s; ${tasks.length} tasks of more than 50 ms`,
  });
}

async function measure(browser: Browser, machine: Machine): Promise<Finding[]> {
  const instance = await makeInstance();
  const program = await serve(instance);
  const { url } = instance;
  try {
    await allow(instance, "citizens.list", "fields=job,phone");
    await allow(instance, "citizens.view");
    const { username, password } = await person(instance, { username: "reader" });
    const users = makeUsers(100, 41);
    await sendTo(url, "users", users);
    const first = await openBrowser(browser);
    const login = await load(await first.newPage(), `${url}/`, "input[name=password]");
    await signInPage(await first.newPage(), url, username, password);
    // Without the cache of the first one: everything is requested.
    const context = await openBrowser(browser, await first.storageState());
    await first.close();
    const page = await context.newPage();
    const list = await load(page, `${url}/citizens`, "text=/CIT-\\d+/");
    return [
      ...loaded("login", login, 160),
      ...loaded("citizens list", list, 245),
      await searching(page, url, users, machine),
      await navigating(page, url),
      await changing(page, url, users, machine),
    ];
  } finally {
    await program.stop();
    instance.remove();
  }
}

async function run(machine: Machine): Promise<Finding[]> {
  if (!currentChromium.available) throw new Error("the browser row requires Chromium; set ROLLCALL_TEST_CHROMIUM to its path");
  const browser = await currentChromium.launch();
  try {
    return await measure(browser, machine);
  } finally {
    await browser.close();
  }
}

export const browser: Row = { name: "browser", title: "what the browser loads, keeps and takes", run };
