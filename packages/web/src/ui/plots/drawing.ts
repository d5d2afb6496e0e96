import { useEffect, useMemo, useState, type RefObject } from "react";
import { useComputedColorScheme, useMantineTheme } from "@mantine/core";
import type { Translate } from "#core/i18n.ts";
import type { Language } from "#core/preferences.ts";
import type { ResolvedPlot } from "./plot.types.ts";

/** What each kind of drawing gets. */
export interface Drawing {
  readonly plot: ResolvedPlot;
  readonly language: Language;
  readonly t: Translate;
  /** Index of the point under the cursor; null for none. */
  readonly active: number | null;
  readonly onPoint: (index: number | null) => void;
  readonly onChoose: (index: number) => void;
}

/** The width of an element in pixels; 0 before it is known. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const { current } = element;
    if (!current) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

/** The colours of a theme. What is painted, and not styled, has to be painted again with the next ones. */
export interface Paint {
  readonly theme: string;
  /** The value of a custom property as it is now. */
  tokenOf(element: Element, name: string): string;
}

const tokenOf: Paint["tokenOf"] = (element, name) => getComputedStyle(element).getPropertyValue(name).trim();

export function usePaint(): Paint {
  const scheme = useComputedColorScheme("dark");
  const { colors, primaryColor } = useMantineTheme();
  const theme = `${scheme} ${colors[primaryColor]?.join(" ") ?? ""}`;
  return useMemo(() => ({ theme, tokenOf }), [theme]);
}

/** Colours of series in their order; each has a pattern or a dash of its own too. */
export const seriesTokens = ["--rc-accent-text", "--rc-warn", "--rc-ok", "--rc-bad", "--mantine-color-dimmed"] as const;

export const tokenOfSeries = (index: number): string => seriesTokens[index % seriesTokens.length]!;
export const axisFont = "12px";
/** About the width of a character on an axis. */
const characterPx = 7;

export const widthOfLabels = (labels: readonly string[]): number =>
  Math.max(0, ...labels.map((label) => label.length)) * characterPx + 10;
