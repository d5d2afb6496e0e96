import type { LinkProps } from "@tanstack/react-router";
import type { Translate } from "#core/i18n.ts";

/**
 * How values are written: as numbers, as averages, which have no sum, or as lengths of time, which `worked` writes in hours
 * and minutes. Both are in milliseconds.
 */
export type PlotUnit = "count" | "average" | "milliseconds" | "worked";

export const isTime = (unit: PlotUnit): boolean => unit === "milliseconds" || unit === "worked";

export interface PlotSeries {
  readonly label: string;
  /** One for each point; null where there is none. */
  readonly values: readonly (number | null)[];
}

/** Points that need attention; they get a cross. */
export interface PlotMarks {
  readonly label: string;
  readonly at: readonly boolean[];
}

/** Leads from a point to what it counts. */
export interface PlotLink {
  readonly label: string;
  readonly to: NonNullable<LinkProps["to"]>;
  readonly search?: Readonly<Record<string, string>>;
}

interface Declared<D> {
  /** Key of a text, as is `empty`: what it says when there is nothing to show. */
  readonly title: string;
  readonly empty: string;
  readonly unit: PlotUnit;
  readonly series: (data: D, t: Translate) => readonly PlotSeries[];
  /** Where the point with this index leads. */
  readonly open?: (data: D, index: number, t: Translate) => readonly PlotLink[];
}

/** Values over time, in the viewer's zone. */
export interface LinePlot<D> extends Declared<D> {
  readonly kind: "line";
  /** Instants in order, one for each point. */
  readonly x: (data: D) => readonly number[];
  /** What the axis covers; the points lie in it. */
  readonly range: (data: D) => readonly [from: number, to: number];
  readonly marks?: (data: D, t: Translate) => PlotMarks;
}

/** Values by day or by name; several series are put on top of each other. */
export interface BarPlot<D> extends Declared<D> {
  readonly kind: "bars";
  readonly x:
    | { readonly days: (data: D) => readonly string[] }
    | { readonly names: (data: D, t: Translate) => readonly string[] };
}

/** Numbers by weekday and hour: seven series from Monday with 24 values, which need no names. Null is not known. */
export interface HeatPlot<D> extends Omit<Declared<D>, "series"> {
  readonly kind: "heat";
  readonly hours: (data: D) => readonly (readonly (number | null)[])[];
  /** What else is said of a cell, by its place in the week; null for nothing. */
  readonly note?: (data: D, index: number, t: Translate) => string | null;
}

export type PlotDefinition<D> = LinePlot<D> | BarPlot<D> | HeatPlot<D>;

/** Declares a plot of what one operation answers: all that is drawn, announced and shown as a table. */
export function definePlot<D>(definition: PlotDefinition<D>): PlotDefinition<D> {
  return definition;
}

/** A point as it is named: in full, and short on the axis. */
export interface PlotPoint {
  readonly label: string;
  readonly short: string;
}

/** A plot with its data, in one language. */
export interface ResolvedPlot {
  readonly kind: PlotDefinition<unknown>["kind"];
  readonly unit: PlotUnit;
  /** What the points are: head of the first column of the table. */
  readonly axis: string;
  readonly points: readonly PlotPoint[];
  readonly series: readonly PlotSeries[];
  readonly marks: PlotMarks | null;
  /** Of a line: the instants, and what the axis covers. */
  readonly times: readonly number[];
  readonly range: readonly [from: number, to: number];
  /** Of a heat map: names of rows and columns; the points are its cells, row by row. */
  readonly rows: readonly PlotPoint[];
  readonly columns: readonly PlotPoint[];
  /** What else is said of a point; null for nothing. */
  readonly noteOf: (index: number) => string | null;
  readonly links: (index: number) => readonly PlotLink[];
}
