import { setTimeout as pause } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { person } from "@rollcall/testkit/api.ts";
import { hasNats, makeNats } from "@rollcall/testkit/backing.ts";
import { currentChromium } from "@rollcall/testkit/browsers.ts";
import { makeInstance, serve } from "@rollcall/testkit/program.ts";
import { signInPage } from "@rollcall/testkit/pages.ts";
import { alert, fillCentre, placeOf, sendJobs } from "../kit/centre.ts";
import { createDatabase, hasMariadb } from "../kit/mariadb.ts";
import { openBrowser } from "../kit/pages.ts";
import { allow } from "../kit/program.ts";
import { type Finding, finding, type Machine, type Row } from "../kit/report.ts";
import { percentile } from "../kit/stats.ts";
import { broadcast, Viewers, type ViewersReport } from "../kit/viewers.ts";

const accounts = 10;
const socketsPerAccount = 20;
const viewers = accounts * socketsPerAccount;
const shown = { calls: 100, everyMs: 100, bytes: 700 };
const night = { calls: 500, units: 200 };
const loads = 5;
const updates = 15;

type Backing = "embedded" | "MariaDB and NATS";

async function callsShown(backing: Backing, group: Viewers): Promise<ViewersReport> {
  const database = backing === "embedded" ? null : await createDatabase("dispatch");
  const nats = backing === "embedded" ? null : await makeNats();
  const instance = await makeInstance(database && nats ? { dsn: database.dsn, nats: nats.url } : {});
  const program = await serve(instance);
  try {
    await sendJobs(instance.url);
    await allow(instance, "calls.view");
    const tokens: string[] = [];
    for (let i = 0; i < accounts; i++) tokens.push((await person(instance, { username: `viewer${i}` })).token);
    await group.open({
      url: `${instance.url.replace("http", "ws")}/api/realtime`,
      origin: instance.url,
      tokens,
      socketsPerToken: socketsPerAccount,
      topic: "calls",
      from: '"created":.*"message":"sent at (\\d+)"',
    });
    // Messages from before the sockets were open are not part of the measurement.
    await pause(300);
    await group.received(0);
    for (let at = 0; at < shown.calls; at++) {
      await alert(instance.url, "city-1", `sent at ${Date.now()}`, placeOf(at));
      await pause(shown.everyMs);
    }
    const report = await group.received(shown.calls * viewers);
    await group.close();
    return report;
  } finally {
    await program.stop();
    await nats?.remove();
    await database?.drop();
    instance.remove();
  }
}

async function reaching({ sample, slowness, log }: Machine): Promise<Finding[]> {
  const group = new Viewers();
  const ms = (value: number) => ({ value, unit: "ms" });
  try {
    const { calls, everyMs, bytes } = shown;
    const bare = await broadcast(group, { viewers, messages: calls, everyMs, bytes });
    const found: Finding[] = [];
    for (const backing of ["embedded", "MariaDB and NATS"] as const) {
      const { latencies, dropped } = await callsShown(backing, group);
      sample();
      log(`${backing}: p50 ${percentile(latencies, 0.5)} ms, p95 ${percentile(latencies, 0.95)} ms, of ${latencies.length}`);
      found.push(
        finding({
          row: `call created until shown to ${viewers} viewers, p99, ${backing}`,
          measured: ms(percentile(latencies, 0.99)),
          baseline: ms(Math.max(1, percentile(bare.latencies, 0.99))),
          atMost: 150,
          slowness: slowness(),
          note: `${calls} calls of the game server, one every ${everyMs} ms, from before the request until the parsed message with the whole call in another process. Baseline: the same number of bytes broadcast by a bare WebSocket server.`,
        }),
        {
          row: `calls that arrived, ${backing}`,
          measured: String(latencies.length),
          baseline: "",
          ratio: null,
          budget: `= ${calls * viewers}, none dropped`,
          met: latencies.length === calls * viewers && dropped === 0,
        },
      );
    }
    return found;
  } finally {
    group.end();
  }
}

/** Milliseconds from the start of the navigation until a call and a unit are painted. */
async function firstPaint(page: Page, url: string): Promise<number> {
  await page.addInitScript(() => {
    const painted = Promise.withResolvers<number>();
    const look = () => {
      if (!document.querySelector("main [data-call]") || !document.querySelector("main [data-unit]")) return;
      observer.disconnect();
      // A message that is sent in a frame arrives after its paint.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => painted.resolve(performance.now());
        port2.postMessage(null);
      });
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { childList: true, subtree: true });
    Object.assign(globalThis, { painted: painted.promise });
  });
  await page.goto(url);
  return await page.evaluate(async () => await (globalThis as unknown as { painted: Promise<number> }).painted);
}

/** Milliseconds of script for each change, with all that follows from it. */
async function scriptOfUpdates(page: Page, url: string): Promise<{ each: number; idle: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const script = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * metrics.find(({ name }) => name === "ScriptDuration")!.value;
  };
  const seconds = 5;
  const before = await script();
  await pause(1000 * seconds);
  const quiet = await script();
  for (let at = 0; at < updates; at++) {
    await alert(url, "city-9", `Report ${at} of the measurement`, placeOf(1000 + at));
    await pause(1_100);
  }
  return { each: ((await script()) - quiet) / updates, idle: (quiet - before) / seconds };
}

async function desk(browser: Browser, { sample, slowness }: Machine): Promise<Finding[]> {
  const instance = await makeInstance();
  const program = await serve(instance);
  const { url } = instance;
  try {
    const [chief] = await fillCentre(instance, night);
    const context = await openBrowser(browser);
    await signInPage(await context.newPage(), url, chief!.username, chief!.password);
    const paints: number[] = [];
    for (let i = 0; i < loads; i++) {
      sample();
      const page = await context.newPage();
      paints.push(await firstPaint(page, `${url}/dispatch`));
      if (i < loads - 1) await page.close();
    }
    const page = context.pages().at(-1)!;
    await page.waitForLoadState("networkidle");
    const { each, idle } = await scriptOfUpdates(page, url);
    sample();
    const size = `${night.calls} open calls, ${night.units} units`;
    return [
      finding({
        row: `desk with ${size}: first useful paint`,
        measured: { value: percentile(paints, 0.5), unit: "ms" },
        atMost: 1000,
        slowness: slowness(),
        note: `median of ${loads} pages with what the browser has in its cache, most ${Math.max(...paints).toFixed(0)} ms, until calls and units are painted`,
      }),
      finding({
        row: `desk with ${size}: script of an update`,
        measured: { value: each, unit: "ms" },
        atMost: 8,
        slowness: slowness(),
        note: `all script of the page, divided by ${updates} new calls, one every 1.1 s; without any it is ${idle.toFixed(1)} ms a second`,
      }),
    ];
  } finally {
    await program.stop();
    instance.remove();
  }
}

async function run(machine: Machine): Promise<Finding[]> {
  if (!(await hasMariadb()) || !hasNats) throw new Error("the dispatch row requires MariaDB and nats-server");
  if (!currentChromium.available) throw new Error("the dispatch row requires Chromium; set ROLLCALL_TEST_CHROMIUM to its path");
  const reached = await reaching(machine);
  const browser = await currentChromium.launch();
  try {
    return [...reached, ...(await desk(browser, machine))];
  } finally {
    await browser.close();
  }
}

export const dispatch: Row = { name: "dispatch", title: "calls that arrive, and the desk in a bad night", run };
