import { accept, refuse, type Parsed } from "./parsed.ts";

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const longUnitHours: Readonly<Record<string, number>> = {
  d: 24,
  day: 24,
  days: 24,
  w: 168,
  week: 168,
  weeks: 168,
};
const partPattern = /(\d+(?:\.\d+)?|\.\d+)(ms|s|m|h)/y;

/** Parses `90s`, `15m`, `1h30m`, `1.5h`, `250ms` or `0` into milliseconds. */
export function parseDuration(text: string): Parsed<number> {
  if (text === "0") return accept(0);
  let total = 0;
  let at = 0;
  while (at < text.length) {
    partPattern.lastIndex = at;
    const part = partPattern.exec(text);
    if (!part) return explain(text);
    total += Number(part[1]) * unitMs[part[2]!]!;
    at = partPattern.lastIndex;
  }
  if (at === 0) return explain(text);
  const rounded = Math.round(total);
  if (!Number.isSafeInteger(rounded))
    return refuse(`"${text}" is too long a duration`, "write at most a few years, for example 8760h");
  return accept(rounded);
}

function explain(text: string) {
  if (/^\d+(\.\d+)?$/.test(text)) return refuse(`${text} has no unit`, `write ${text}s, ${text}m or ${text}h`);
  if (text.startsWith("-")) return refuse(`"${text}" is negative`, "write a duration of 0 or more, for example 15m");
  const long = /^(\d+(?:\.\d+)?)\s*(d|day|days|w|week|weeks)$/.exec(text);
  if (long) return refuse(`"${text}" uses a unit that is not known`, `write ${Number(long[1]) * longUnitHours[long[2]!]!}h`);
  return refuse(`"${text}" is not a duration`, "write a number with the unit s, m or h, for example 90s, 15m or 1h30m");
}

/** Formats milliseconds as in the configuration: `90000` is `1m30s`. */
export function formatDuration(ms: number): string {
  if (ms === 0) return "0s";
  let rest = ms;
  let text = "";
  for (const unit of ["h", "m", "s", "ms"]) {
    const count = Math.floor(rest / unitMs[unit]!);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * unitMs[unit]!;
  }
  return text;
}
