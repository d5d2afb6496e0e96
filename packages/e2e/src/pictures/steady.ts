import type { Page } from "playwright-core";

/** Text that is different in each run; pictures show a fixed text in its place. */
interface Changing {
  readonly pattern: RegExp;
  readonly why: string;
}

const changing: readonly Changing[] = [
  {
    pattern: /\d{1,2}\.? \p{L}{3,9}\.? \d{4}(?:, \d{1,2}:\d{2}(?::\d{2})?)?/gu,
    why: "Days, nearly all of this run; birth dates look the same.",
  },
  { pattern: /\b\d{1,2}\.\d{1,2}\.\d{4}\b/g, why: "Days in German." },
  { pattern: /\b\d{1,2}:\d{2}(?::\d{2})?\b/g, why: "Times of the day: of this run." },
  { pattern: /\b[0-9A-HJKMNP-TV-Z]{26}\b/g, why: "Trace ids are random." },
  { pattern: /\b[0-9A-Z]{4}(?:-[0-9A-Z]{4}){3,}\b/g, why: "Tokens are random." },
  { pattern: /127\.0\.0\.1:\d+|localhost:\d+/g, why: "The port is the first free one." },
  { pattern: /\/tmp\/[^\s,;]+/g, why: "The folder of the instance has a random name." },
  { pattern: /\b\d+ (?:ms|s|min)\b/g, why: "How long a job took, and how long a part has worked." },
  { pattern: /…[0-9a-zA-Z]{4,}/g, why: "The worker has a random name." },
];

/** Replaces what differs from run to run, also the words for how long something is ago. */
export async function steady(page: Page): Promise<void> {
  await page.evaluate(
    (patterns) => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (texts.nextNode()) {
        const text = texts.currentNode as Text;
        const steadied = text.parentElement?.closest("time")
          ? "…"
          : patterns.reduce((all, { source, flags }) => all.replace(new RegExp(source, flags), "…"), text.data);
        if (steadied !== text.data) text.data = steadied;
      }
    },
    changing.map(({ pattern: { source, flags } }) => ({ source, flags })),
  );
}
