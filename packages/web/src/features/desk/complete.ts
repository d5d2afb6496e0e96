import { type Known, type KnownUnit, plainVerbs, verbs, wordOf } from "./command.ts";

/** A line that goes on in this way. */
export interface Completion {
  readonly line: string;
  /** What is added, as it is shown. */
  readonly shown: string;
}

const mostShown = 8;

const callsign = ({ callsign: sign, name }: KnownUnit) => sign ?? name;

/** What a panic ends as may follow; null where the line is about no panic. */
function ofPanic(before: string, known: Known): readonly string[] | null {
  const after = wordOf(before, ["panic"], known)?.rest;
  if (after === undefined) return null;
  const outcomes = known.outcomes.map(({ word }) => word);
  if (after === "") return [known.words.off, ...outcomes];
  return wordOf(after, ["off"], known)?.rest === "" ? outcomes : [];
}

/** What may stand at the end of a line, in place of its last words. */
function offered(before: string, known: Known): readonly string[] {
  const { calls, units, people, statuses, progress, words } = known;
  const signs = units.map(callsign);
  const call = /^(?:#|dsp-?)(\d+)\s+(.*)$/i.exec(before);
  if (call === null) {
    if (wordOf(before, ["who"], known)?.rest === "")
      return [...new Set([...calls.flatMap(({ postal }) => postal ?? []), ...people])];
    if (before !== "") return ofPanic(before, known) ?? statuses.map(({ word }) => word);
    const panic = known.panics.length === 0 ? [] : [words.panic];
    return [...calls.map(({ id }) => `#${id}`), ...signs, ...plainVerbs.map((verb) => words[verb]), ...panic];
  }
  const rest = call[2]!;
  if (rest === "") {
    const about = calls.find(({ id }) => id === Number(call[1]));
    const on = about?.units.map(({ unit }) => unit.callsign ?? unit.name) ?? [];
    return [
      ...signs.map((sign) => `+${sign}`),
      ...signs.map((sign) => `?${sign}`),
      ...on.map((sign) => `-${sign}`),
      ...on,
      ...verbs.map((verb) => words[verb]),
      ...(about?.kind === "panic" ? [words.panic] : []),
    ];
  }
  const outcomes = ofPanic(rest, known);
  if (outcomes !== null) return outcomes;
  if (rest.startsWith("-") || wordOf(rest.trim(), verbs, known) !== null) return [];
  return [...progress.map(({ word }) => word), ...(rest.startsWith("+") ? signs.map((sign) => `+${sign}`) : [])];
}

/** How a line may go on: the last words of it that something begins with, the shortest continuation first. */
export function completions(line: string, known: Known): readonly Completion[] {
  if (line.trim() === "") return [];
  const text = line.replace(/^\s+/, "");
  // A name may have blanks: each place where a word begins is tried, the earliest first.
  const starts = [0, ...[...text.matchAll(/\s+/g)].map(({ index, 0: gap }) => index + gap.length)];
  for (const start of starts) {
    const [before, begun] = [text.slice(0, start), text.slice(start).toLowerCase()];
    if (begun === "") continue;
    const found = offered(before, known).filter((one) => one.toLowerCase().startsWith(begun) && one.toLowerCase() !== begun);
    if (found.length > 0) return [...new Set(found)].slice(0, mostShown).map((shown) => ({ line: `${before}${shown}`, shown }));
  }
  return [];
}
