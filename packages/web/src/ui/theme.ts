import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";
import { BRAND, FILLED, ON_DARK, shadesOf } from "./accent.ts";

/** The neutral scale of the dark scheme, from text (0) to the deepest background (9). */
const dark: MantineColorsTuple = [
  "#dfe3e9",
  "#b9c0cb",
  "#98a1af",
  "#6b7482",
  "#3a414d",
  "#2c323c",
  "#222730",
  "#161a20",
  "#101318",
  "#0b0d11",
];

/** The neutral scale of the light scheme, from background (0) to text (9). */
const gray: MantineColorsTuple = [
  "#f6f7f9",
  "#eceef2",
  "#dfe3e9",
  "#cdd3db",
  "#b3bbc6",
  "#8b95a3",
  "#5d6775",
  "#454e5b",
  "#2f3640",
  "#1a1f27",
];

/**
 * Of buttons, links, focus rings, toasts and badges, whatever the job: a red or orange job would look like a failure. Those
 * of `shadesOf(BRAND)`, written out: to search for them would delay the first page.
 */
export const accent: MantineColorsTuple = [
  "#e9f0fc",
  "#cfddf7",
  "#a7c2f1",
  "#84aaeb",
  "#6997e7",
  "#467fe2",
  "#2265d8",
  "#1e58bd",
  "#1a4ca3",
  "#164088",
];

/** Of buttons that destroy something, those of `#c92a2a`; white text is readable on it, unlike on the red of the library. */
export const danger: MantineColorsTuple = [
  "#fbeaea",
  "#f5d1d1",
  "#edabab",
  "#e68989",
  "#e17070",
  "#da4e4e",
  "#ca2a2a",
  "#b12525",
  "#982020",
  "#7f1a1a",
];

const fonts = {
  text: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif',
  code: 'ui-monospace, "Cascadia Mono", "Segoe UI Mono", "Liberation Mono", Menlo, Consolas, monospace',
};

export interface ThemeChoice {
  /** `#rrggbb` of the job: identity only, on the active navigation and what else bears the job. */
  readonly job: string;
  /** Larger targets for the game's tablet. */
  readonly large: boolean;
}

export function themeOf({ job, large }: ThemeChoice) {
  const size = large ? "md" : "sm";
  return createTheme({
    fontFamily: fonts.text,
    fontFamilyMonospace: fonts.code,
    fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "18px" },
    lineHeights: { xs: "1.35", sm: "1.4", md: "1.45", lg: "1.5", xl: "1.5" },
    spacing: { xs: "6px", sm: "10px", md: "14px", lg: "20px", xl: "28px" },
    headings: {
      fontWeight: "600",
      sizes: {
        h1: { fontSize: "20px" },
        h2: { fontSize: "16px" },
        h3: { fontSize: "14px" },
        h4: { fontSize: "14px" },
      },
    },
    radius: { xs: "2px", sm: "4px", md: "6px", lg: "8px", xl: "12px" },
    defaultRadius: "md",
    cursorType: "pointer",
    focusRing: "auto",
    respectReducedMotion: true,
    colors: { dark, gray, accent, job: job === BRAND ? accent : shadesOf(job), danger },
    primaryColor: "accent",
    primaryShade: FILLED,
    // Plain objects: naming the components here would load all of them with the sign-in page.
    components: {
      Button: { defaultProps: { size } },
      ActionIcon: { defaultProps: { variant: "subtle", color: "gray", size: large ? "xl" : "lg" } },
      TextInput: { defaultProps: { size } },
      PasswordInput: { defaultProps: { size } },
      Select: { defaultProps: { size } },
      Badge: { defaultProps: { radius: "sm", variant: "light", tt: "none" } },
      Modal: {
        defaultProps: {
          centered: true,
          transitionProps: { duration: 80 },
          // Its header is a landmark of the page otherwise, beside the page's own.
          attributes: { header: { role: "none" } },
        },
      },
    },
  });
}

/** Rollcall's own tokens, and those of the library that would have too little contrast. */
export const variables: CSSVariablesResolver = () => ({
  variables: {
    "--rc-radius": "6px",
    // Of people in danger, and of nothing else.
    "--rc-panic": "#a8005f",
    "--rc-on-panic": "#ffffff",
  },
  dark: {
    "--mantine-color-dimmed": dark[2],
    "--mantine-color-placeholder": "#8b95a3",
    "--mantine-color-anchor": `var(--mantine-color-accent-${ON_DARK})`,
    "--rc-focus": `var(--mantine-color-accent-${ON_DARK})`,
    "--rc-ground": dark[8],
    "--rc-surface": dark[7],
    "--rc-raised": dark[6],
    "--rc-line": dark[5],
    "--rc-line-strong": dark[4],
    "--rc-hover": "rgba(255, 255, 255, 0.045)",
    "--rc-selected": "rgba(255, 255, 255, 0.09)",
    "--rc-accent-text": `var(--mantine-color-accent-${ON_DARK})`,
    "--rc-job": `var(--mantine-color-job-${ON_DARK})`,
    "--rc-ok": "#4fc3a1",
    "--rc-warn": "#e8b04b",
    "--rc-bad": "#ff8a80",
    "--mantine-color-error": "#ff8a80",
    "--rc-bad-ground": "#3a1d1f",
    "--rc-warn-ground": "#352a14",
    "--rc-skeleton": "#262c35",
  },
  light: {
    "--mantine-color-dimmed": gray[6],
    "--mantine-color-placeholder": "#667080",
    "--mantine-color-text": gray[9],
    "--mantine-color-default-border": gray[3],
    "--mantine-color-anchor": `var(--mantine-color-accent-${FILLED})`,
    "--rc-focus": `var(--mantine-color-accent-${FILLED})`,
    "--rc-ground": gray[0],
    "--rc-surface": "#ffffff",
    "--rc-raised": "#ffffff",
    "--rc-line": gray[2],
    "--rc-line-strong": gray[3],
    "--rc-hover": "rgba(16, 24, 40, 0.04)",
    "--rc-selected": "rgba(16, 24, 40, 0.08)",
    "--rc-accent-text": `var(--mantine-color-accent-${FILLED})`,
    "--rc-job": `var(--mantine-color-job-${FILLED})`,
    "--rc-ok": "#0b6e56",
    "--rc-warn": "#8a5a00",
    "--rc-bad": "#b3261e",
    "--mantine-color-error": "#b3261e",
    "--rc-bad-ground": "#fdeceb",
    "--rc-warn-ground": "#fdf3dc",
    "--rc-skeleton": "#e9ecf0",
  },
});
