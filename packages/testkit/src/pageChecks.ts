import type { Page } from "playwright-core";
import { accentVariables, extremeColours } from "../../web/src/ui/testkit.ts";
import { accessibility, overflow } from "./inspect.ts";
import { unreachable } from "./keyboard.ts";
import { changeVariant, drawn, type PageVariant } from "./pages.ts";
import { narrow, wide } from "./states.ts";
import { rawKeys, shownTexts, untranslated } from "./texts.ts";

const heights: Readonly<Record<number, number>> = { [wide]: 900, [narrow]: 844 };

/** Jobs, grades and logins of the demo city that are also texts of the interface. */
const gameNames: ReadonlySet<string> = new Set(["Mechanic", "Owner", "citizen"]);

type Shade = keyof typeof extremeColours;

/** Sets the window to a tested width. Pixels. */
export async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: heights[width]! });
}

/** Gives an open page the colour of another job; null gives back its own. */
async function changeAccent(page: Page, shade: Shade | null, scheme: PageVariant["scheme"]): Promise<void> {
  await page.evaluate(
    (variables) => {
      const { style } = document.documentElement;
      for (const name of [...style].filter((one) => one.startsWith("--"))) style.removeProperty(name);
      for (const [name, value] of Object.entries(variables)) style.setProperty(name, value);
    },
    shade === null ? {} : accentVariables(extremeColours[shade], scheme),
  );
}

/** Findings with the place where each was found. */
const at = (place: string, found: readonly string[]) => found.map((line) => `${place}: ${line}`);

/** Accessibility in both schemes, each with the lightest and the darkest job colour. */
async function checkColours(page: Page, language: PageVariant["language"]): Promise<string[]> {
  const found: string[] = [];
  for (const scheme of ["light", "dark"] as const) {
    await changeVariant(page, { scheme, language });
    for (const shade of ["lightest", "darkest"] as const) {
      await changeAccent(page, shade, scheme);
      // Other rules than those of colours see the same elements each time.
      const all = scheme === "dark" && shade === "darkest";
      found.push(...at(`${scheme}, ${shade} job colour`, await accessibility(page, all ? "everything" : "colours")));
    }
  }
  await changeAccent(page, null, "dark");
  return found;
}

/** Text keys instead of texts, and English in a German page; `names` are data, not texts. */
async function checkTexts(page: Page, language: PageVariant["language"], names: ReadonlySet<string>): Promise<string[]> {
  const shown = await shownTexts(page);
  return [
    ...at(`${language}, text key`, shown.flatMap(rawKeys)),
    ...(language === "de" ? at("not translated", untranslated(shown, names)) : []),
  ];
}

async function checkWidth(page: Page, width: number, language: PageVariant["language"]): Promise<string[]> {
  await drawn(page);
  return at(`${width} px, ${language}`, await overflow(page));
}

export interface PageOptions {
  readonly language: PageVariant["language"];
  /** Pixels; the window has the first. */
  readonly widths: readonly number[];
  /** Data that equals a text of the interface; that of the demo city when omitted. */
  readonly names?: ReadonlySet<string>;
}

/**
 * All checks of an open page in the dark scheme: one line for each fault. A page in English is checked in German too. Leaves it in the last of the widths.
 */
export async function checkPage(page: Page, { language, widths, names = gameNames }: PageOptions): Promise<string[]> {
  const [first, ...others] = widths;
  const found = [
    ...(await checkWidth(page, first!, language)),
    ...(await checkColours(page, language)),
    ...(await checkTexts(page, language, names)),
  ];
  if (language === "en") {
    await changeVariant(page, { scheme: "dark", language: "de" });
    found.push(...(await checkWidth(page, first!, "de")), ...(await checkTexts(page, "de", names)));
  }
  for (const width of others) {
    await resize(page, width);
    found.push(...(await checkWidth(page, width, "de")));
  }
  if (language === "en") {
    await changeVariant(page, { scheme: "dark", language });
    if (others.length > 0) found.push(...(await checkWidth(page, widths.at(-1)!, language)));
  }
  return [...found, ...at("not reached by Tab", await unreachable(page))];
}

/**
 * The checks of a state that has little to show, in the narrow window and the dark scheme: one line for
 * each fault. Leaves it in English.
 */
export async function checkState(page: Page, names: ReadonlySet<string>): Promise<string[]> {
  const found = [
    ...(await checkWidth(page, narrow, "en")),
    ...at("axe", await accessibility(page, "everything", "main")),
    ...(await checkTexts(page, "en", names)),
  ];
  await changeVariant(page, { scheme: "dark", language: "de" });
  found.push(...(await checkWidth(page, narrow, "de")), ...(await checkTexts(page, "de", names)));
  await changeVariant(page, { scheme: "dark", language: "en" });
  return found;
}
