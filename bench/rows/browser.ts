import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { person, sendTo } from "@rollcall/testkit/api.ts";
import { browsers } from "@rollcall/testkit/browsers.ts";
import { makeInstance, type Instance, serve } from "@rollcall/testkit/program.ts";
import { makeUsers } from "../kit/people.ts";
import { allow } from "../kit/program.ts";
import { type Finding, finding, type Row } from "../kit/report.ts";

interface Scripts {
  /** Size after gzip -9 in bytes, by URL. */
  readonly sizes: Map<string, number>;
  readonly pending: Promise<void>[];
}

/** Records every script that the page requests, also by `import` and preload. */
function scriptsOf(page: Page): Scripts {
  const scripts: Scripts = { sizes: new Map(), pending: [] };
  page.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.endsWith(".js") && response.request().resourceType() !== "script") return;
    if (response.status() !== 200) return;
    scripts.pending.push(
      response.body().then((body) => void scripts.sizes.set(pathname, gzipSync(body, { level: 9 }).byteLength)),
    );
  });
  return scripts;
}

async function total({ sizes, pending }: Scripts, page: Page): Promise<number> {
  await page.waitForLoadState("networkidle");
  await Promise.all(pending);
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}

async function measure(
  browser: Browser,
  instance: Instance,
  login: { username: string; password: string },
): Promise<{ signIn: Scripts; list: Scripts; sizes: [number, number] }> {
  const context = await browser.newContext({ locale: "en-US", viewport: { width: 1280, height: 800 } });
  const first = await context.newPage();
  const signIn = scriptsOf(first);
  await first.goto(`${instance.url}/`);
  await first.waitForSelector("input[name=password]");
  const signInSize = await total(signIn, first);
  await first.fill("input[name=username]", login.username);
  await first.fill("input[name=password]", login.password);
  await first.press("input[name=password]", "Enter");
  await first.waitForSelector("nav, main ul li button");
  const character = await first.$("main ul li button");
  await character?.click();
  await first.waitForSelector("nav");
  // A new page without the cache of the first one: every script is requested.
  const state = await context.storageState();
  await context.close();
  const fresh = await browser.newContext({ locale: "en-US", viewport: { width: 1280, height: 800 }, storageState: state });
  const page = await fresh.newPage();
  const list = scriptsOf(page);
  await page.goto(`${instance.url}/citizens`);
  await page.waitForSelector("text=/CIT-\\d+/");
  const listSize = await total(list, page);
  await fresh.close();
  return { signIn, list, sizes: [signInSize, listSize] };
}

const largest = ({ sizes }: Scripts) =>
  [...sizes]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 4)
    .map(([name, size]) => `${name.replace(/^\/assets\//, "")} ${(size / 1000).toFixed(1)}`)
    .join(", ");

async function run(): Promise<Finding[]> {
  const current = browsers.find(({ name, available }) => name === "current" && available);
  if (!current) throw new Error("the browser row requires Chromium; set ROLLCALL_TEST_CHROMIUM to its path");
  const instance = await makeInstance();
  const program = await serve(instance);
  const browser = await current.launch();
  try {
    await allow(instance, "citizens.list", "fields=job,phone");
    const who = await person(instance, { username: "reader" });
    await sendTo(instance.url, "users", makeUsers(100, 41));
    const { signIn, list, sizes } = await measure(browser, instance, who);
    const kB = (bytes: number) => ({ value: bytes / 1000, unit: "kB" });
    return [
      finding({
        row: "browser: script of the login",
        measured: kB(sizes[0]),
        atMost: 160,
        note: `${signIn.sizes.size} requests, gzip -9 each; largest: ${largest(signIn)}`,
      }),
      finding({
        row: "browser: script of the citizens list",
        measured: kB(sizes[1]),
        atMost: 260,
        note: `${list.sizes.size} requests, gzip -9 each; largest: ${largest(list)}`,
      }),
    ];
  } finally {
    await browser.close();
    await program.stop();
    instance.remove();
  }
}

export const browser: Row = { name: "browser", title: "script that the browser loads", run };
