import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { doubts } from "./contrast.ts";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeRunner {
  run(context: object, options: object): Promise<{ readonly violations: readonly Violation[] }>;
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly element?: Element }[];
}

const everything = { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] };
const ofColours = { type: "rule", values: ["color-contrast", "link-in-text-block"] };

/** Rows of a long list after the third have the same elements as those before. */
const repeatedRows = Array.from({ length: 4 }, () => "[role=row][data-index]").join(" ~ ");

interface AxeRun {
  readonly runOnly: typeof everything;
  /** Selector of the part to check; `doubtful` for what `doubts` has kept. */
  readonly part: string;
}

async function violations(page: Page, run: AxeRun): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  return await page.evaluate(
    async ({ runOnly, part, exclude }) => {
      const { axe: runner, doubtful } = globalThis as unknown as { axe: AxeRunner; doubtful?: Element[] };
      const context = part === "body" ? { exclude } : { include: part === "doubtful" ? doubtful : part, exclude };
      const options = { runOnly, resultTypes: ["violations"], selectors: false, preload: false, elementRef: true };
      const result = await runner.run(context, options);
      return result.violations.flatMap(({ id, help, nodes }) => {
        // Menus and lists of options are drawn at the end of the page, and belong to the control that opened them.
        const left = nodes.filter(({ element }) => id !== "region" || !element?.closest("[data-portal]"));
        return left.length === 0 ? [] : [`${id}: ${help}: ${left.map(({ html }) => html.slice(0, 160)).join(" | ")}`];
      });
    },
    { ...run, exclude: repeatedRows },
  );
}

/**
 * Violations of WCAG 2.2 A and AA and of good practice, one line each. `within` is the selector of the part to check;
 * everything when omitted.
 */
export async function accessibility(page: Page, within = "body"): Promise<string[]> {
  return await violations(page, { runOnly: everything, part: within });
}

/** Violations of the rules about colours: what another theme can change. axe decides about all that is not plainly right. */
export async function colours(page: Page): Promise<string[]> {
  return (await doubts(page, repeatedRows)) === 0 ? [] : await violations(page, { runOnly: ofColours, part: "doubtful" });
}

/** Frames without a change after which a page has adapted to the window. */
const settledFrames = 45;

/** How long a page may take to adapt to the window, at most. Milliseconds. */
const settleMs = 10_000;

/** What `overflowNow` finds, unless it is gone once the page has settled: columns adapt shortly after the window changed. */
export async function overflow(page: Page): Promise<string[]> {
  const end = performance.now() + settleMs;
  let last = "";
  for (;;) {
    const found = await overflowNow(page);
    const settled = found.join("\n") === last;
    if (found.length === 0 || settled || performance.now() > end) return found;
    last = found.join("\n");
    await page.evaluate(async (frames) => {
      for (let i = 0; i < frames; i += 1) await new Promise((resolve) => requestAnimationFrame(resolve));
    }, settledFrames);
  }
}

/**
 * Elements that exceed the window horizontally, and text that is cut off without an ellipsis; empty when
 * there are none. What is meant to be scrolled to the side may have wider content.
 */
async function overflowNow(page: Page): Promise<string[]> {
  return await page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const describe = (element: Element) =>
      `${element.tagName} ${element.getAttribute("class") ?? ""} “${(element.textContent ?? "").slice(0, 40)}”`;
    const shown = [...document.querySelectorAll("body *")].filter((element) => element.getClientRects().length > 0);
    const hidden = (element: Element) => element.closest(".rc-hidden, [inert], svg, noscript") !== null;
    const outside = shown.filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return (right > width + 1 || left < -1) && !hidden(element) && !element.parentElement?.closest("[data-sideways]");
    });
    const cut = shown.filter((element) => {
      const { overflowX, textOverflow } = getComputedStyle(element);
      const holdsText = [...element.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? "").trim() !== "",
      );
      return (
        holdsText &&
        overflowX === "hidden" &&
        textOverflow !== "ellipsis" &&
        element.scrollWidth > element.clientWidth + 1 &&
        !hidden(element)
      );
    });
    return [
      ...outside.slice(0, 5).map((element) => `outside: ${describe(element)}`),
      ...cut.slice(0, 5).map((element) => `cut off: ${describe(element)}`),
    ];
  });
}

/** Collects the errors of a page: of scripts and of the security policy. */
export function complaints(page: Page): string[] {
  const list: string[] = [];
  page.on("pageerror", (error) => list.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // Refused calls do not count: the page shows them, and the browser always logs them.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      list.push(`console: ${message.text()}`);
  });
  return list;
}
