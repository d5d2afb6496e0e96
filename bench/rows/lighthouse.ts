import lighthouse, { type Result } from "lighthouse";
import { currentChromium } from "@rollcall/testkit/browsers.ts";
import { startCity } from "@rollcall/testkit/city.ts";
import { signInPage } from "@rollcall/testkit/pages.ts";
import { freePort } from "@rollcall/testkit/ports.ts";
import { type Finding, finding, type Machine, type Row, writeReport } from "../kit/report.ts";
import { percentile } from "../kit/stats.ts";

const runs = 5;
const categories = ["performance", "accessibility", "best-practices"] as const;
const reader = "police.chief";

/** One visit with Lighthouse's own profile of a phone: a small screen, slow 4G, a processor that is four times slower. */
async function visit(url: string, port: number): Promise<Result> {
  const done = await lighthouse(url, { port, onlyCategories: [...categories], logLevel: "silent", output: "json" });
  if (!done) throw new Error(`Lighthouse returned nothing for ${url}`);
  const { lhr } = done;
  if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
  if (new URL(lhr.finalDisplayedUrl).pathname !== new URL(url).pathname)
    throw new Error(`${url} led to ${lhr.finalDisplayedUrl}`);
  return lhr;
}

const score = (one: Result, category: string) => Math.round((one.categories[category]?.score ?? 0) * 100);

/** What holds the score below 100, by its weight. */
function lost(one: Result, category: string): string {
  const refs = one.categories[category]?.auditRefs ?? [];
  return refs
    .map(({ id, weight }) => ({ id, weight, audit: one.audits[id]! }))
    .filter(({ weight, audit }) => weight > 0 && audit.score !== null && audit.score < 0.995)
    .sort((a, b) => b.weight * (1 - b.audit.score!) - a.weight * (1 - a.audit.score!))
    .map(({ id, audit }) => (audit.displayValue === undefined ? id : `${id} ${audit.displayValue}`))
    .join(", ");
}

async function measure(name: string, url: string, port: number, { sample, log }: Machine): Promise<Finding[]> {
  const results: Result[] = [];
  for (let i = 0; i < runs; i++) {
    sample();
    results.push(await visit(url, port));
    log(`${name}: ${categories.map((category) => `${category} ${score(results.at(-1)!, category)}`).join(", ")}`);
  }
  return categories.map((category) => {
    const median = percentile(
      results.map((one) => score(one, category)),
      0.5,
    );
    const middle = results.find((one) => score(one, category) === median)!;
    writeReport(`lighthouse.${name}.${category}`, middle);
    const missing = lost(middle, category);
    return finding({
      row: `lighthouse: ${name}, ${category}`,
      measured: { value: median, unit: "points" },
      atLeast: 95,
      ...(missing === "" ? {} : { note: `median of ${runs}: ${missing}` }),
    });
  });
}

async function run(machine: Machine): Promise<Finding[]> {
  if (!currentChromium.available) throw new Error("the lighthouse row requires Chromium; set ROLLCALL_TEST_CHROMIUM to its path");
  const port = await freePort();
  const [city, context] = await Promise.all([startCity("embedded"), currentChromium.launchProfile({ locale: "en-US" }, port)]);
  try {
    const { url } = city.instance;
    const login = await measure("login", `${url}/login`, port, machine);
    const { username, password } = city.login(reader);
    const page = await context.newPage();
    await signInPage(page, url, username, password);
    await page.close();
    return [...login, ...(await measure("citizens list", `${url}/citizens`, port, machine))];
  } finally {
    await context.close();
    await city.stop();
  }
}

export const lighthouseRow: Row = { name: "lighthouse", title: "login and citizens list on a phone", run };
