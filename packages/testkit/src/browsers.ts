import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Browser, type BrowserContext, chromium, type LaunchOptions } from "playwright-core";

const cefFolder = path.resolve(import.meta.dirname, "../../e2e/cef103");
const cef103 = path.join(cefFolder, ".browser", "chromium");
const current = process.env["ROLLCALL_TEST_CHROMIUM"] ?? "/usr/bin/chromium";

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Pages of third-party programs refer to external addresses: a slow name server must not delay them.
  "--host-resolver-rules=MAP *.googleapis.com ~NOTFOUND, MAP *.gstatic.com ~NOTFOUND",
];

type ContextOptions = NonNullable<Parameters<Browser["newContext"]>[0]>;

export interface TestedBrowser {
  readonly name: "current" | "103";
  readonly available: boolean;
  launch(): Promise<Browser>;
  /**
   * A browser with a profile of its own that stores cookies in frames on other sites, as the game's
   * browser does. Current Chromium does not in private windows, as which the contexts of `launch` count,
   * and Debian's never does by default. Closing the context closes the browser. Other tools can drive it by
   * `debuggingPort` too.
   */
  launchProfile(options: ContextOptions, debuggingPort?: number): Promise<BrowserContext>;
}

function tested(name: TestedBrowser["name"], executablePath: string, driver: () => typeof chromium): TestedBrowser {
  const options: LaunchOptions = { executablePath, args: flags };
  return {
    name,
    available: existsSync(executablePath),
    launch: async () => await driver().launch(options),
    async launchProfile(context, debuggingPort) {
      const folder = mkdtempSync(path.join(tmpdir(), "rollcall-profile-"));
      mkdirSync(path.join(folder, "Default"));
      writeFileSync(
        path.join(folder, "Default", "Preferences"),
        JSON.stringify({ profile: { cookie_controls_mode: 0, block_third_party_cookies: false } }),
      );
      // Pages whose answers a test gives itself count as outside ones, which may not frame a page of this machine.
      const args = [...flags, "--disable-features=LocalNetworkAccessChecks"];
      if (debuggingPort !== undefined) args.push(`--remote-debugging-port=${debuggingPort}`);
      const opened = await driver().launchPersistentContext(folder, { ...options, args, ...context });
      // Chromium's last processes may still write for a moment; a remaining folder must not fail a test.
      opened.on("close", () => {
        rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }).catch((error: unknown) =>
          process.stderr.write(`${folder} was left behind: ${String(error)}\n`),
        );
      });
      return opened;
    },
  };
}

/** The current Chromium of the system. */
export const currentChromium = tested("current", current, () => chromium);

/** The game's browser, driven by a Playwright version that supports it. */
const gameChromium = tested(
  "103",
  cef103,
  () => (createRequire(path.join(cefFolder, "package.json"))("playwright-core") as { chromium: typeof chromium }).chromium,
);

export const browsers: readonly TestedBrowser[] = [currentChromium, gameChromium];

/**
 * For what is tested in the current Chromium only, as `describe.skipIf(noCurrent).each(currentOnly)`: an empty list
 * would leave a file without a test, which is a fault. What still runs in both browsers, and what no longer does, is
 * in docs/decisions/0005-test-gate.md.
 */
export const currentOnly: readonly TestedBrowser[] = [currentChromium];
export const noCurrent = !currentChromium.available;

const required = process.env["ROLLCALL_TEST_REQUIRE"] === "all";
for (const { name, available } of browsers) {
  if (available) continue;
  const note = `Chromium ${name} is missing, its tests are skipped`;
  if (required) throw new Error(`${note}, and ROLLCALL_TEST_REQUIRE=all requires it`);
  process.stderr.write(`${note}\n`);
}
