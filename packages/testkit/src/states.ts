import { globSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import type { PageVariant } from "./pages.ts";

/** One state of one page, as the tests render it. */
export interface PageState {
  readonly name: string;
  readonly path: string;
  /** Login of the demo city; signed out when omitted. */
  readonly as?: string;
  readonly language?: PageVariant["language"];
  /** Widths in pixels; both when omitted. */
  readonly widths?: readonly number[];
  /** Whether the login is in admin mode; never for other states of it. */
  readonly adminMode?: boolean;
  /** Called before the page is opened, which then is a new one. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** Selector of an element that appears when the page is complete. */
  readonly ready: string;
  /** Leads from the complete page to the tested state. */
  readonly act?: (page: Page) => Promise<unknown>;
  /** The main task of the page, walked in Chromium 103. */
  readonly flow?: (page: Page) => Promise<unknown>;
}

export const wide = 1440;
export const narrow = 390;

const web = path.resolve(import.meta.dirname, "../../web/src");

/** Combines the states of several files, sorted by name. Throws if two have the same name. */
export function combineStates(files: readonly { file: string; pageStates: readonly PageState[] }[]): readonly PageState[] {
  const seen = new Map<string, string>();
  for (const { file, pageStates } of files)
    for (const { name } of pageStates) {
      const other = seen.get(name);
      if (other !== undefined) throw new Error(`the page state ${name} is declared in ${other} and in ${file}`);
      seen.set(name, file);
    }
  return files.flatMap(({ pageStates }) => pageStates).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The states of all pages: what each `*.states.ts` of the web exports as `pageStates`, sorted by name. */
export async function loadPageStates(): Promise<readonly PageState[]> {
  return combineStates(
    await Promise.all(
      globSync("**/*.states.ts", { cwd: web }).map(async (file) => {
        const { pageStates } = (await import(pathToFileURL(path.join(web, file)).href)) as { pageStates?: readonly PageState[] };
        if (!pageStates) throw new Error(`${file} exports no pageStates`);
        return { file, pageStates };
      }),
    ),
  );
}

/** Identifies the login of a state and its mode. */
export const loginOf = ({ as = "", adminMode = false }: PageState): string => `${as}${adminMode ? " in admin mode" : ""}`;

/** The states of one of several parts of equal size, those of one login one after another: each part signs in separately. */
export function partOf(states: readonly PageState[], part: number, parts: number): readonly PageState[] {
  const ordered = [...Map.groupBy(states, loginOf).values()].flat();
  const start = (index: number) => Math.round((ordered.length * index) / parts);
  return ordered.slice(start(part), start(part + 1));
}
