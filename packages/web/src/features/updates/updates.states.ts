import type { Page } from "playwright-core";
import type { PageState } from "@rollcall/testkit/states.ts";

const notes = `## What is new

- A plate leads to its owner
- <script>alert("a note is text")</script>
${Array.from({ length: 30 }, (_, i) => `- Smaller change ${i + 1}`).join("\n")}`;

const status = {
  enabled: true,
  hasFeed: true,
  running: "0.1.0",
  checkedAt: Date.UTC(2026, 10, 20, 9),
  knownAt: Date.UTC(2026, 10, 20, 9),
  problem: null,
  available: {
    version: "0.2.0",
    notes,
    url: "https://city.example/releases/0.2.0",
    publishedAt: Date.UTC(2026, 10, 18, 9),
  },
};

const answering = (body: object) => async (page: Page) =>
  await page.route(
    "**/api/updates",
    (route) => void route.fulfill({ contentType: "application/json", body: JSON.stringify(body) }),
  );

const as = "admin";
const path = "/panel/status";

export const pageStates: readonly PageState[] = [
  { name: "status-update", as, path, prepare: answering(status), ready: "main pre" },
  {
    name: "status-update-unknown",
    as,
    path,
    widths: [390],
    prepare: answering({ ...status, available: null, problem: "getaddrinfo ENOTFOUND updates.city.example" }),
    ready: "main section [data-state=unknown]",
  },
];
