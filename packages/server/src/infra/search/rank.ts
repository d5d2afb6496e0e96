import { type SearchMatch, searchMatches } from "#core/contract/search.ts";
import type { SearchHit } from "#core/ports/search.ts";
import { codesOfText, type StoredText } from "./document.ts";
import { hasDigit } from "./normalise.ts";
import { codeMatch, isPartOfCode, minimumScore, startsLike, wordMatch } from "./similarity.ts";

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
    codes: codesOfText(text),
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
  readonly match: SearchMatch;
  readonly text: Text;
}

const kindOf = (quality: number, isInside: boolean): SearchMatch =>
  quality === 1 ? "whole" : isInside ? "beginning" : "similar";

function bestMatch(unit: Unit, texts: readonly Text[]): Found | null {
  let best: Found | null = null;
  const offer = (quality: number, isInside: boolean, text: Text) => {
    const weighted = quality + text.bonus;
    if (quality >= minimumScore && (!best || weighted > best.quality))
      best = { quality: weighted, match: kindOf(quality, isInside), text };
  };
  for (const text of texts) {
    if (!unit.isCode)
      for (const word of text.letters) {
        const quality = matchOf(unit, word);
        offer(quality, quality >= startsLike, text);
      }
    for (const code of text.codes) {
      const quality = codeMatch(unit.typed, code);
      offer(quality, quality >= isPartOfCode, text);
    }
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

interface Scored {
  readonly score: number;
  readonly match: SearchMatch;
}

const rankOf = (match: SearchMatch) => searchMatches.indexOf(match);

function scoreUnits(units: readonly Unit[], texts: readonly Text[]): Scored | null {
  const found = units.map((unit) => bestMatch(unit, texts)).filter((match) => match !== null);
  if (found.length < units.length || found.length === 0) return null;
  const quality = found.reduce((sum, match) => sum + match.quality, 0) / units.length;
  const typed = units.map((unit) => unit.typed).join(" ");
  const exact = found.some(({ text }) => text.words.join(" ") === typed) ? 0.05 : 0;
  const score = quality + 0.05 * coverage(units, found) + exact;
  const weakest = found.reduce<SearchMatch>((last, { match }) => (rankOf(match) > rankOf(last) ? match : last), "whole");
  return { score, match: weakest };
}

const compareScored = (a: Scored, b: Scored) => rankOf(a.match) - rankOf(b.match) || b.score - a.score;

function better(a: Scored | null, b: Scored | null): Scored | null {
  if (!a || !b) return a ?? b;
  return compareScored(a, b) <= 0 ? a : b;
}

/** Best first; equal ones by their first text, then by id. Documents that do not match are left out. */
export function rank(query: Query, documents: Iterable<{ id: number; texts: readonly StoredText[] }>): SearchHit[] {
  const units = query.units.map(unitOf);
  const whole = query.whole === null ? null : [unitOf(query.whole)];
  const hits: (SearchHit & { readonly name: string })[] = [];
  for (const { id, texts: stored } of documents) {
    const texts = stored.map(prepare);
    const scored = better(whole ? scoreUnits(whole, texts) : null, scoreUnits(units, texts));
    if (scored && scored.score > 0) hits.push({ id, ...scored, name: stored[0]!.words.join(" ") });
  }
  hits.sort((a, b) => compareScored(a, b) || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id));
  return hits.map(({ id, match, score }) => ({ id, match, score }));
}
