import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type AnswerMode, answerOf, exampleStrings, refusalOf } from "@rollcall/testkit/answers.ts";
import { browsers } from "@rollcall/testkit/browsers.ts";
import { complaints } from "@rollcall/testkit/inspect.ts";
import { checkState } from "@rollcall/testkit/pageChecks.ts";
import { openRouted, type RoutedPage } from "@rollcall/testkit/routed.ts";
import { englishText } from "@rollcall/testkit/texts.ts";
import { pagePaths } from "@rollcall/testkit/webPages.ts";

const { available, launch } = browsers.find(({ name }) => name === "current")!;
const paths = await pagePaths();

const busy = ":is([aria-busy=true], [role=status][aria-label])";
const content = "main :is(h1, h2, p, [role=alert])";
const alert = "main [role=alert]";

/** What a state must show, by the way the server answers. */
const signs: Readonly<Record<AnswerMode, string>> = {
  silent: `main ${busy}`,
  failed: alert,
  refused: alert,
  empty: content,
};

/** How long a page may take to show its state. Milliseconds. */
const patience = 3000;

/** Names of the rights that would have answered the calls of a page. */
function missingRights({ calls }: RoutedPage): string[] {
  return calls.flatMap((operation) => {
    const refusal = refusalOf(operation);
    if (refusal === null) return [];
    const [feature, name] = (refusal.params["permission"] ?? "").split(".");
    return [
      englishText(name === undefined ? refusal.definition.code.replace(".", ".errors.") : `${feature}.permissions.${name}`),
    ];
  });
}

/** Whether the server withheld something from the page, so that it has a state to show. */
const withheld = ({ calls }: RoutedPage, mode: AnswerMode) =>
  calls.some((operation) => (answerOf(operation, mode)?.status ?? 500) >= 400);

async function explains(routed: RoutedPage, mode: AnswerMode): Promise<string[]> {
  const { page } = routed;
  if (mode !== "silent")
    await page.waitForSelector(`main:not(:has(${busy})):has(:is(h1, h2, p, [role=alert]))`, { timeout: patience });
  if ((mode === "failed" || mode === "refused") && !withheld(routed, mode)) return [];
  const shown = await page
    .waitForSelector(signs[mode], { timeout: patience })
    .then(() => true)
    .catch(() => false);
  if (!shown) return [`nothing says that the page is ${mode}`];
  if (mode !== "refused") return [];
  const said = await page.innerText("main");
  const rights = missingRights(routed);
  return rights.some((right) => said.includes(right)) ? [] : [`“${said}” names none of ${rights.join(", ")}`];
}

/** Every page while its data loads, without entries, when the server fails and when it refuses. No server runs. */
describe.skipIf(!available)("every page without its data", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => await browser?.close());

  describe.each(["silent", "empty", "failed", "refused"] as const)("%s", (mode) => {
    let routed: RoutedPage;
    let found: string[];
    beforeAll(async () => {
      routed = await openRouted(browser, mode);
      found = complaints(routed.page);
    });
    afterAll(async () => await routed?.close());

    test.each(paths)("%s says so", async (path) => {
      await routed.open(path);
      const silent = await explains(routed, mode);
      expect([...silent, ...(await checkState(routed.page, exampleStrings)), ...found.splice(0)]).toEqual([]);
    });
  });
});
