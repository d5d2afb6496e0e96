import type { Page } from "playwright-core";
import { accentVariables, extremeColours } from "../../web/src/ui/testkit.ts";
import { accessibility, colours, overflow } from "./inspect.ts";
import { unreachable } from "./keyboard.ts";
import { changeVariant, drawn, type PageVariant } from "./pages.ts";
import { narrow, wide } from "./states.ts";
import { rawKeys, shownTexts, untranslated } from "./texts.ts";

const heights: Readonly<Record<number, number>> = { [wide]: 900, [narrow]: 844 };

/** Jobs, grades and logins of the demo city that are also texts of the interface. */
const gameNames: ReadonlySet<string> = new Set(["Dispatcher", "Mechanic", "Owner", "citizen"]);

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

/** The two rules about colours, in the scheme that the page has, with a job colour. */
async function checkColours(page: Page, shade: Shade, scheme: PageVariant["scheme"]): Promise<string[]> {
  await changeAccent(page, shade, scheme);
  return at(`${scheme}, ${shade} job colour`, await colours(page));
}

/** All rules with the darkest job colour, and those of colours with the lightest, in the dark scheme. */
async function checkDark(page: Page): Promise<string[]> {
  const found = await checkColours(page, "lightest", "dark");
  await changeAccent(page, "darkest", "dark");
  found.push(...at("dark, darkest job colour", await accessibility(page)));
  await changeAccent(page, null, "dark");
  return found;
}

async function checkLight(page: Page): Promise<string[]> {
  const found = [...(await checkColours(page, "lightest", "light")), ...(await checkColours(page, "darkest", "light"))];
  await changeAccent(page, null, "light");
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
 * All checks of an open page in the dark scheme: one line for each fault. A page in English is checked in German too,
 * together with the light scheme, as each change draws the whole page again. Leaves it in the last of the widths.
 */
export async function checkPage(page: Page, { language, widths, names = gameNames }: PageOptions): Promise<string[]> {
  const [first, ...others] = widths;
  const both = language === "en";
  const found = [
    ...(await checkWidth(page, first!, language)),
    ...(await checkTexts(page, language, names)),
    ...(await checkDark(page)),
  ];
  await changeVariant(page, { scheme: "light", language: "de" });
  if (both) found.push(...(await checkWidth(page, first!, "de")), ...(await checkTexts(page, "de", names)));
  found.push(...(await checkLight(page)));
  for (const width of others) {
    await resize(page, width);
    found.push(...(await checkWidth(page, width, "de")));
  }
  await changeVariant(page, { scheme: "dark", language });
  if (both && others.length > 0) found.push(...(await checkWidth(page, widths.at(-1)!, language)));
  return [...found, ...at("not reached by Tab", await unreachable(page))];
}

/**
 * The checks of a state that has little to show, in the narrow window and the dark scheme: one line for
 * each fault. Leaves it in English.
 */
export async function checkState(page: Page, names: ReadonlySet<string>): Promise<string[]> {
  const found = [
    ...(await checkWidth(page, narrow, "en")),
    ...at("axe", await accessibility(page, "main")),
    ...(await checkTexts(page, "en", names)),
  ];
  await changeVariant(page, { scheme: "dark", language: "de" });
  found.push(...(await checkWidth(page, narrow, "de")), ...(await checkTexts(page, "de", names)));
  await changeVariant(page, { scheme: "dark", language: "en" });
  return found;
}
