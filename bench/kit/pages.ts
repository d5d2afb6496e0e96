import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";

/** What a page has loaded. */
export interface Load {
  readonly requests: number;
  /** Bytes of script after gzip -9, by path. */
  readonly scripts: ReadonlyMap<string, number>;
}

export const bytesOf = ({ scripts }: Load): number => [...scripts.values()].reduce((sum, size) => sum + size, 0);

/** A context without what the application loads for the pages that may come next, as of a person who saves data. */
export async function openBrowser(browser: Browser, state?: Awaited<ReturnType<BrowserContext["storageState"]>>) {
  const context = await browser.newContext({
    locale: "en-US",
    viewport: { width: 1280, height: 800 },
    ...(state === undefined ? {} : { storageState: state }),
  });
  await context.addInitScript(() => Object.defineProperty(navigator, "connection", { value: { saveData: true } }));
  return context;
}

/** Opens an address in a new page with an empty cache, until nothing more is loaded. */
export async function load(page: Page, url: string, ready: string): Promise<Load> {
  const scripts = new Map<string, number>();
  const pending: Promise<void>[] = [];
  const sent = new Set<string>();
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  session.on("Network.requestWillBeSent", ({ requestId, request }) => {
    if (request.url.startsWith("http")) sent.add(requestId);
  });
  // The browser reports a picture that is shown twice as two.
  session.on("Network.requestServedFromCache", ({ requestId }) => sent.delete(requestId));
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.endsWith(".js") && response.request().resourceType() !== "script") return;
    if (response.status() !== 200) return;
    pending.push(response.body().then((body) => void scripts.set(pathname, gzipSync(body, { level: 9 }).byteLength)));
  });
  await page.goto(url);
  await page.waitForSelector(ready);
  await page.waitForLoadState("networkidle");
  await Promise.all(pending);
  return { requests: sent.size, scripts: new Map(scripts) };
}

/** Types a text whose last key leads to `result`, and returns the milliseconds from that key until the result is painted. */
export async function keyToPaint(page: Page, text: string, result: { readonly selector: string; readonly text: string }) {
  await page.evaluate(({ selector, text: wanted }) => {
    const measured = Promise.withResolvers<number>();
    let pressed = 0;
    addEventListener("keydown", ({ timeStamp }) => (pressed = timeStamp), { capture: true });
    const observer = new MutationObserver(() => {
      if (![...document.querySelectorAll(selector)].some((one) => one.textContent.includes(wanted))) return;
      observer.disconnect();
      // A message that is sent in a frame arrives after its paint.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => measured.resolve(performance.now() - pressed);
        port2.postMessage(null);
      });
    });
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
    Object.assign(globalThis, { measured: measured.promise });
  }, result);
  await page.keyboard.type(text);
  return await page.evaluate(async () => await (globalThis as unknown as { measured: Promise<number> }).measured);
}

/** Shows an address in place, as a link does. */
export async function navigate(page: Page, to: string, ready: string): Promise<void> {
  await page.evaluate((address) => history.pushState(null, "", address), to);
  const found = await page.waitForSelector(ready);
  // A handle would keep the page that was left.
  await found.dispose();
}

/** Bytes that the page's scripts use after what is no longer needed was collected. */
export async function heapOf(session: CDPSession): Promise<number> {
  for (let i = 0; i < 3; i++) await session.send("HeapProfiler.collectGarbage");
  return (await session.send("Runtime.getHeapUsage")).usedSize;
}

/** Milliseconds of every task above 50 ms while `work` runs. */
export async function longTasks(page: Page, work: () => Promise<void>): Promise<readonly number[]> {
  await page.evaluate(() => {
    const tasks: number[] = [];
    const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)));
    observer.observe({ type: "longtask" });
    Object.assign(globalThis, { tasks });
  });
  await work();
  return await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks);
}
