import type { Browser, Page } from "playwright-core";
import type { City } from "./city.ts";
import { complaints } from "./inspect.ts";
import { enterAdminMode, openContext, signInPage } from "./pages.ts";
import { loginOf, type PageState } from "./states.ts";

interface OpenedPage {
  readonly page: Page;
  /** Its errors so far. */
  readonly found: string[];
}

interface StatePagesOptions {
  readonly browser: Browser;
  readonly city: City;
  /** Pixels; the wide window when omitted. */
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Called with each new page. */
  readonly onOpen?: (page: Page) => void;
}

/**
 * The pages in which page states are shown: one for each login, with and without admin mode. A page is kept,
 * as a new one costs a sign-in and a process; not after a failure, so that other states start clean.
 */
export class StatePages {
  readonly #options: StatePagesOptions;
  readonly #kept = new Map<string, OpenedPage>();

  constructor(options: StatePagesOptions) {
    this.#options = options;
  }

  /** Calls `run` with the page of this state. One with `prepare`, or in the tablet, which a tab remembers, has a page of its own beside the kept one. */
  async use<T>(state: PageState, run: (opened: OpenedPage) => Promise<T>): Promise<T> {
    const key = loginOf(state);
    const kept = this.#kept.get(key) ?? (await this.#signIn(state));
    this.#kept.delete(key);
    try {
      const beside = state.prepare !== undefined || state.path.includes("tablet=1");
      const result = beside ? await this.#beside(kept.page, state, run) : await run(kept);
      // Chromium 103 is driven by a version of Playwright that cannot remove all routes; its flows set none.
      if ("unrouteAll" in kept.page) await kept.page.unrouteAll();
      this.#kept.set(key, kept);
      return result;
    } finally {
      if (!this.#kept.has(key)) await kept.page.context().close();
    }
  }

  async #signIn({ as, adminMode = false }: PageState): Promise<OpenedPage> {
    const { browser, city, viewport } = this.#options;
    const context = await openContext(browser, {}, viewport);
    try {
      const opened = this.#opened(await context.newPage());
      if (as === undefined) return opened;
      const { username, password } = city.login(as);
      await signInPage(opened.page, city.instance.url, username, password);
      if (adminMode) await enterAdminMode(opened.page);
      return opened;
    } catch (error) {
      await context.close();
      throw error;
    }
  }

  async #beside<T>(kept: Page, { prepare }: PageState, run: (opened: OpenedPage) => Promise<T>): Promise<T> {
    const opened = this.#opened(await kept.context().newPage());
    await prepare?.(opened.page);
    const result = await run(opened);
    await opened.page.close();
    return result;
  }

  #opened(page: Page): OpenedPage {
    this.#options.onOpen?.(page);
    return { page, found: complaints(page) };
  }
}
