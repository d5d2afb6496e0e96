import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from "@mantine/core";
import { themeOf, variables } from "./theme.ts";

/**
 * The job colours whose shades are the lightest and the darkest that people can choose: only hue and
 * saturation of a colour count, and of all hues at one lightness yellow is the brightest and blue the darkest.
 */
export const extremeColours = { lightest: "#ffff00", darkest: "#0000ff" } as const;

/** The CSS variables of the application with this job colour in this scheme, that another colour could change. */
export function accentVariables(colour: string, scheme: "dark" | "light"): Record<string, string> {
  const theme = mergeMantineTheme(DEFAULT_THEME, themeOf({ job: colour, large: false }));
  const all = [defaultCssVariablesResolver(theme), variables(theme)].flatMap((some) => [
    ...Object.entries(some.variables),
    ...Object.entries(some[scheme]),
  ]);
  return Object.fromEntries(all.filter(([name, value]) => /color-job|rc-job/.test(`${name} ${value}`)));
}
