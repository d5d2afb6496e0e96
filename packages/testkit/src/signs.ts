import { type AnswerMode, answerOf, refusalOf } from "./answers.ts";
import { drawn } from "./pages.ts";
import type { RoutedPage } from "./routed.ts";
import { englishText } from "./texts.ts";

const busy = ":is([aria-busy=true], [role=status][aria-label])";
const content = "main :is(h1, h2, p, [role=alert])";
const alert = "main [role=alert]";
/** Shown as soon as nothing of the page loads any more. */
const done = `main:not(:has(${busy})):has(:is(h1, h2, p, [role=alert]))`;

/** What a state must show, by the way the server answers. */
const signs: Readonly<Record<AnswerMode, string>> = {
  silent: `main ${busy}`,
  failed: alert,
  refused: alert,
  empty: content,
};

/** How long a page may take to show its state; matters only for a fault, or on a busy machine. Milliseconds. */
const limitMs = 15_000;
/** As long for a call of a page that may need none. Milliseconds. */
const keptMs = 3_000;

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

/** Waits until a selector matches or the limit ends; whether it matches. */
async function appears({ page }: RoutedPage, selector: string, timeout: number): Promise<boolean> {
  return await page
    .waitForSelector(selector, { timeout })
    .then(() => true)
    .catch(() => false);
}

/** Brings each plot into view once, as their numbers are read only then. */
async function showPlots({ page }: RoutedPage): Promise<void> {
  for (const plot of await page.$$("main figure")) {
    await plot.scrollIntoViewIfNeeded();
    await drawn(page);
  }
}

/** Waits until nothing of the page loads any more, also what is read once it is in view; whether it ended. */
async function isDone(routed: RoutedPage, timeout: number): Promise<boolean> {
  if (!(await appears(routed, done, timeout))) return false;
  await showPlots(routed);
  return await appears(routed, done, timeout);
}

/** Waits until the page has called an operation; whether it did. */
async function hasCalled({ calls }: RoutedPage, timeout: number): Promise<boolean> {
  const end = performance.now() + timeout;
  while (calls.length === 0 && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 20));
  return calls.length > 0;
}

/**
 * Whether an open page says in words or by its role how the server answers; one line if it does not.
 * A refusal must name the missing right.
 */
export async function explains(routed: RoutedPage, mode: AnswerMode, timeout = limitMs): Promise<string[]> {
  // What a page before has read is kept for a while where the server answered it; the other modes find who asks nothing.
  const isKept = mode === "empty" || mode === "refused";
  if (!(await hasCalled(routed, isKept ? keptMs : timeout)) && !isKept) return ["called no operation"];
  if (mode !== "silent" && !(await isDone(routed, timeout))) return [`does not end loading when the server is ${mode}`];
  if ((mode === "failed" || mode === "refused") && !withheld(routed, mode)) return [];
  if (!(await appears(routed, signs[mode], timeout))) return [`nothing says that the page is ${mode}`];
  if (mode !== "refused") return [];
  const said = await routed.page.innerText("main");
  const rights = missingRights(routed);
  return rights.some((right) => said.includes(right)) ? [] : [`“${said}” names none of ${rights.join(", ")}`];
}
