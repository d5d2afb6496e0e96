import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** One line of the table. */
export interface Finding {
  readonly row: string;
  readonly measured: string;
  readonly baseline: string;
  readonly ratio: number | null;
  readonly budget: string;
  /** Null: reported for information, or not measurable yet. */
  readonly met: boolean | null;
  /** What the line means and how it is measured; printed below the table. */
  readonly note?: string;
}

export interface Row {
  readonly name: string;
  readonly title: string;
  run(machine: Machine): Promise<Finding[]>;
}

/** What a row gets: the scale of its ceilings, and a way to print its progress. */
export interface Machine {
  /** Measures the machine again; to be called while the row runs. */
  sample(): void;
  slowness(): number;
  log(line: string): void;
}

export interface Amount {
  readonly value: number;
  readonly unit: string;
}

function shown({ value, unit }: Amount): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${unit}`;
}

export interface Limits {
  readonly row: string;
  readonly measured: Amount;
  readonly baseline?: Amount;
  /** For pairs measured one after the other: the median of their ratios, which a short load does not affect. */
  readonly ratio?: number;
  readonly ratioAtMost?: number;
  /** A measurement that is at most this much more than the baseline meets `ratioAtMost` too. In its unit. */
  readonly orMore?: number;
  readonly ratioAtLeast?: number;
  readonly atMost?: number;
  readonly atLeast?: number;
  /** Multiplies `atMost` and `orMore`: times depend on the machine, counts and sizes do not. */
  readonly slowness?: number;
  readonly note?: string;
}

/** Compares a measurement with its limits; without limits it is informational. */
export function finding(limits: Limits): Finding {
  const { measured, baseline, slowness = 1 } = limits;
  const ratio = limits.ratio ?? (baseline ? measured.value / baseline.value : null);
  const budget: string[] = [];
  const verdicts: boolean[] = [];
  const scale = (limit: number | undefined) => (slowness > 1 ? ` (${limit} x ${slowness.toFixed(2)})` : "");
  const check = (text: string, met: boolean) => {
    budget.push(text);
    verdicts.push(met);
  };
  if (limits.ratioAtMost !== undefined && ratio !== null) {
    const { ratioAtMost } = limits;
    const orMore = limits.orMore === undefined ? undefined : limits.orMore * slowness;
    const or = orMore === undefined ? "" : ` or ${shown({ ...measured, value: orMore })} more${scale(limits.orMore)}`;
    const near = orMore !== undefined && baseline !== undefined && measured.value - baseline.value <= orMore;
    check(`<= ${ratioAtMost}x${or}`, ratio <= ratioAtMost || near);
  }
  if (limits.ratioAtLeast !== undefined && ratio !== null) check(`>= ${limits.ratioAtLeast}x`, ratio >= limits.ratioAtLeast);
  if (limits.atMost !== undefined) {
    const scaled = limits.atMost * slowness;
    check(`<= ${shown({ ...measured, value: scaled })}${scale(limits.atMost)}`, measured.value <= scaled);
  }
  if (limits.atLeast !== undefined)
    check(`>= ${shown({ ...measured, value: limits.atLeast })}`, measured.value >= limits.atLeast);
  return {
    row: limits.row,
    measured: shown(measured),
    baseline: baseline ? shown(baseline) : "",
    ratio,
    budget: budget.join(", "),
    met: verdicts.length === 0 ? null : verdicts.every(Boolean),
    ...(limits.note === undefined ? {} : { note: limits.note }),
  };
}

/** A budget whose feature does not exist yet. */
export function later(row: string, budget: string): Finding {
  return { row, measured: "later", baseline: "", ratio: null, budget, met: null };
}

function verdict(met: boolean | null): string {
  if (met === null) return "";
  return met ? "met" : "MISSED";
}

export function printTable(findings: readonly Finding[]): void {
  const lines = [
    ["row", "measured", "baseline", "ratio", "budget", "verdict"],
    ...findings.map((one) => [
      one.row,
      one.measured,
      one.baseline,
      one.ratio === null ? "" : one.ratio.toFixed(2),
      one.budget,
      verdict(one.met),
    ]),
  ];
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  console.log();
  for (const line of lines)
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd(),
    );
  const notes = findings.filter(({ note }) => note !== undefined);
  if (notes.length > 0) console.log();
  for (const { row, note } of notes) console.log(`${row}: ${note}`);
}

/** Keeps what a row found in bench/out until the next run. */
export function writeReport(name: string, content: unknown): void {
  const folder = path.resolve(import.meta.dirname, "../out");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${name}.json`), `${JSON.stringify(content, null, 2)}\n`);
}
