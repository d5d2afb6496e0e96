import { readFileSync } from "node:fs";
import path from "node:path";
import type { Browser, Page, Route } from "playwright-core";
import type { OperationDefinition } from "../../server/src/core/contract/operation.ts";
import { type AnswerMode, answerOf, isOfPage, operationOf } from "./answers.ts";
import { atNowhere, nowhere, pushPath } from "./inPlace.ts";
import { openContext } from "./pages.ts";
import { narrow } from "./states.ts";

const dist = path.resolve(import.meta.dirname, "../../web/dist");
const origin = "https://rollcall.example";

const types: Readonly<Record<string, string>> = {
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** The built web application at an origin that does not exist: calls are answered from the contracts. */
export interface RoutedPage {
  readonly page: Page;
  /** Operations that the page itself, without its frame, has called since the last `open`. */
  readonly calls: readonly OperationDefinition[];
  /** Opens a page of the application in place. Its data is read again; the frame stays. */
  open(path: string): Promise<void>;
  close(): Promise<void>;
}

async function answerCall(route: Route, mode: AnswerMode, calls: OperationDefinition[]): Promise<void> {
  const request = route.request();
  const operation = operationOf(request.method(), new URL(request.url()).pathname);
  if (!operation) return await route.fulfill({ status: 404 });
  if (isOfPage(operation)) calls.push(operation);
  const answer = answerOf(operation, mode);
  if (answer === null) return;
  const { status, body } = answer;
  await route.fulfill({
    status,
    contentType: status < 400 ? "application/json" : "application/problem+json",
    body: body === null ? "" : JSON.stringify(body),
  });
}

async function serveFile(route: Route, pathname: string): Promise<void> {
  if (pathname.startsWith("/assets/")) {
    await route.fulfill({ contentType: types[path.extname(pathname)] ?? "", body: readFileSync(path.join(dist, pathname)) });
    return;
  }
  // What the server writes into the page is left out: the application asks for all of it.
  const page = readFileSync(path.join(dist, "index.html"), "utf8").replaceAll(/__(?:SESSION|ORIGINS|PRELOADS|TEXTS)__/g, "");
  await route.fulfill({ contentType: "text/html; charset=utf-8", body: page });
}

/** Opens the application in the narrow window, signed in with every right, and keeps `mode` from then on. */
export async function openRouted(browser: Browser, mode: AnswerMode): Promise<RoutedPage> {
  const context = await openContext(browser, {}, { width: narrow, height: 844 });
  await context.addInitScript('localStorage.setItem("rollcall.character.1", "12")');
  const calls: OperationDefinition[] = [];
  await context.route(`${origin}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    await (pathname.startsWith("/api/") ? answerCall(route, mode, calls) : serveFile(route, pathname));
  });
  await context.routeWebSocket(/.*/, () => undefined);
  const page = await context.newPage();
  await page.goto(`${origin}${nowhere}`);
  await page.waitForSelector(atNowhere);
  return {
    page,
    calls,
    async open(to) {
      // Between two pages stands one without data, so that the first cannot be taken for the second.
      await pushPath(page, nowhere);
      await page.waitForSelector(atNowhere);
      calls.length = 0;
      await pushPath(page, to);
      await page.waitForSelector(atNowhere, { state: "detached" });
    },
    close: async () => await context.close(),
  };
}
