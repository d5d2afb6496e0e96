import type { SearchHit } from "#core/ports/search.ts";
import type { StoredText } from "./document.ts";
import { codesOf, hasDigit } from "./normalise.ts";
import { codeMatch, minimumScore, wordMatch } from "./similarity.ts";

/** A query, split into units that are searched one by one. */
export interface Query {
  /** Words of letters, and runs of words with digits as one code. */
  readonly units: readonly string[];
  /** The whole query as one code (`AB 12`); null without a digit or if that is the only unit. */
  readonly whole: string | null;
}

export const maxUnits = 8;

export function parseQuery(words: readonly string[]): Query {
  const units: string[] = [];
  let run = "";
  for (const word of words) {
    if (hasDigit(word)) {
      run += word;
      continue;
    }
    if (run !== "") units.push(run);
    run = "";
    units.push(word);
  }
  if (run !== "") units.push(run);
  const unique = [...new Set(units)].slice(0, maxUnits);
  const joined = words.join("");
  return { units: unique, whole: unique.length > 1 && hasDigit(joined) ? joined : null };
}

/** One text of a document, prepared once for all units. */
interface Text extends StoredText {
  readonly letters: readonly string[];
  readonly codes: readonly string[];
  /** The bonus of `weight` for a match. */
  readonly bonus: number;
}

function prepare(text: StoredText): Text {
  const { words, weight } = text;
  return {
    ...text,
    letters: words.filter((word) => !hasDigit(word)),
    codes: codesOf(words),
    bonus: 0.05 * Math.log2(Math.max(weight, 0.01)),
  };
}

/** A unit with its cached matches, because many documents contain the same names. */
interface Unit {
  readonly typed: string;
  readonly isCode: boolean;
  readonly known: Map<string, number>;
}

function unitOf(typed: string): Unit {
  return { typed, isCode: hasDigit(typed), known: new Map() };
}

function matchOf({ typed, known }: Unit, word: string): number {
  let match = known.get(word);
  if (match === undefined) {
    match = wordMatch(typed, word);
    known.set(word, match);
  }
  return match;
}

interface Found {
  readonly quality: number;
  readonly text: Text;
}

function bestMatch(unit: Unit, texts: readonly Text[]): Found | null {
  let best: Found | null = null;
  const offer = (quality: number, text: Text) => {
    const weighted = quality + text.bonus;
    if (quality >= minimumScore && (!best || weighted > best.quality)) best = { quality: weighted, text };
  };
  for (const text of texts) {
    if (!unit.isCode) for (const word of text.letters) offer(matchOf(unit, word), text);
    for (const code of text.codes) offer(codeMatch(unit.typed, code), text);
  }
  return best;
}

/** How much of the matching texts the query covers, so that `Jo Li` ranks above `Jo Li Maria Weber`. */
function coverage(units: readonly Unit[], found: readonly Found[]): number {
  const typed = units.reduce((sum, unit) => sum + unit.typed.length, 0);
  const texts = [...new Set(found.map(({ text }) => text))];
  const stored = texts.reduce((sum, text) => sum + text.words.join("").length, 0);
  return Math.min(1, typed / Math.max(1, stored));
}

function scoreUnits(units: readonly Unit[], texts: readonly Text[]): number {
  const found = units.map((unit) => bestMatch(unit, texts)).filter((match) => match !== null);
  if (found.length * 2 < units.length || found.length === 0) return 0;
  const quality = found.reduce((sum, match) => sum + match.quality, 0) / units.length;
  const typed = units.map((unit) => unit.typed).join(" ");
  const exact = found.some(({ text }) => text.words.join(" ") === typed) ? 0.05 : 0;
  return quality * (found.length / units.length) + 0.05 * coverage(units, found) + exact;
}

/** Best first; equal scores by id, so that the order is stable. Documents that do not match are left out. */
export function rank(
  query: Query,
  documents: readonly { id: number; texts: readonly StoredText[] }[],
  limit: number,
): SearchHit[] {
  const units = query.units.map(unitOf);
  const whole = query.whole === null ? null : [unitOf(query.whole)];
  return documents
    .map(({ id, texts: stored }) => {
      const texts = stored.map(prepare);
      return { id, score: Math.max(whole ? scoreUnits(whole, texts) : 0, scoreUnits(units, texts)) };
    })
    .filter((hit) => hit.score > 0)
    .sort((a, b) => b.score - a.score || a.id - b.id)
    .slice(0, limit);
}
