import type { Procedure, ProcedureRow, ProcedureStatement, ProcedureSteps } from "#core/db/procedure.ts";
import type { DatabaseKind } from "#core/ports/database.ts";
import type { SearchFound, SearchHit, SearchVisibility } from "#core/ports/search.ts";
import { decodeTexts, type StoredText } from "./document.ts";
import { beginningsOf, type CodeRange, codeRange, initialsOf, variantsAsked } from "./keys.ts";
import { hasDigit, wordsOf } from "./normalise.ts";
import { parseQuery, type Query, rank } from "./rank.ts";
import * as statements from "./statements.ts";

export const maxHits = 200;
const maxQueryLength = 200;
/** Where fewer objects are visible, the texts of all of them are compared. */
const few = 2_000;
/** Shorter codes are not found by similar ones. */
const shortestSimilarCode = 5;

export interface SearchInput {
  readonly kind: string;
  readonly query: string;
  readonly limit: number;
  readonly fields: readonly string[] | null;
  readonly visible: SearchVisibility | null;
}

/** Sorts above every character, so that the beginning and it are the end of the range of words with that beginning. */
const last = "\u{10FFFF}";
const never = { from: "", to: "", beginnings: 0, others: [] };

const lettersOf = ({ units }: Query) => units.filter((unit) => !hasDigit(unit));
const byLength = (a: string, b: string) => b.length - a.length;

/** The longest word: it has the fewest objects as a rule. The others are in the bits. */
function wordsAsked(query: Query): statements.WordsAsked {
  const letters = lettersOf(query);
  const [longest, ...others] = letters.toSorted(byLength);
  return longest === undefined ? never : { from: longest, to: longest + last, beginnings: beginningsOf(letters), others };
}

/** Longer parts first, because what is read is limited. */
function codesAsked(kind: string, query: Query): statements.CodesAsked[] {
  const beginnings = beginningsOf(lettersOf(query));
  const parts = new Map<string, number>();
  if (query.whole !== null) parts.set(query.whole, 0);
  for (const unit of query.units) {
    if (unit.length < 2) continue;
    parts.set(unit, hasDigit(unit) ? beginnings : 0);
    // `0151...` within `+49151...`: the leading zero replaces the country code.
    if (/^0\d{4,}$/.test(unit)) parts.set(unit.slice(1), beginnings);
  }
  return [...parts].sort(([a], [b]) => byLength(a, b)).map(([part, marks]) => ({ ...codeRange(kind, part), beginnings: marks }));
}

function variantsOfUnits(kind: string, query: Query): statements.VariantAsked[] {
  const letters = lettersOf(query);
  return letters.flatMap((typed, unit) => {
    const others = letters.filter((_, at) => at !== unit);
    const [initials, beginnings] = [initialsOf(others), beginningsOf(others)];
    return variantsAsked(kind, typed).map((variant) => ({ unit, variant, initials, beginnings }));
  });
}

/** Parts of the longest code, which all but few are in a code that differs by one character. */
function partsOfCode(kind: string, query: Query): CodeRange[] {
  const [code] = [query.whole ?? "", ...query.units].filter(hasDigit).sort(byLength);
  if (code === undefined || code.length < shortestSimilarCode) return [];
  const length = code.length > 6 ? 4 : 3;
  const parts = Array.from({ length: code.length - length + 1 }, (_, at) => code.slice(at, at + length));
  return [...new Set(parts)].slice(-statements.comparedParts).map((part) => codeRange(kind, part));
}

/** What was read so far, ranked. */
class Candidates {
  readonly #query: Query;
  readonly #fields: ReadonlySet<string> | null;
  readonly #documents = new Map<number, readonly StoredText[]>();

  constructor(query: Query, fields: readonly string[] | null) {
    this.#query = query;
    this.#fields = fields && new Set(fields);
  }

  add(rows: readonly ProcedureRow[]): void {
    for (const { id, texts } of rows) {
      const all = decodeTexts(texts as string);
      this.#documents.set(id as number, this.#fields ? all.filter(({ field }) => this.#fields!.has(field)) : all);
    }
  }

  ranked(): SearchHit[] {
    const documents = [...this.#documents].filter(([, texts]) => texts.length > 0);
    return rank(
      this.#query,
      documents.map(([id, texts]) => ({ id, texts })),
    );
  }
}

const nothing: SearchFound = { hits: [], total: 0, isMore: false };

function foundOf(ranked: readonly SearchHit[], limit: number, isMore: boolean): SearchFound {
  const total = Math.min(ranked.length, maxHits);
  return { hits: ranked.slice(0, limit), total, isMore: isMore || ranked.length > maxHits };
}

function* allVisible(database: DatabaseKind, { kind, visible }: SearchInput): ProcedureSteps<readonly ProcedureRow[] | null> {
  if (!visible?.among) return null;
  const [counted] = yield statements.countAmong(visible.among, few);
  if (Number(counted?.["n"]) > few) return null;
  return yield statements.textsAmong(database, { kind, condition: visible.condition }, visible.among);
}

function askSimilar(database: DatabaseKind, scope: statements.SearchScope, query: Query): ProcedureStatement | null {
  const variants = variantsOfUnits(scope.kind, query);
  const parts = partsOfCode(scope.kind, query);
  return variants.length + parts.length === 0 ? null : statements.similar(database, scope, variants, parts);
}

function* find(database: DatabaseKind, input: SearchInput): ProcedureSteps<SearchFound> {
  const { kind, limit, fields, visible } = input;
  const query = parseQuery(wordsOf(input.query.slice(0, maxQueryLength)));
  if (limit === 0 || query.units.length === 0) return nothing;
  const candidates = new Candidates(query, fields);
  const all = yield* allVisible(database, input);
  if (all) {
    candidates.add(all);
    return foundOf(candidates.ranked(), limit, false);
  }
  const scope = { kind, fields: statements.fieldList(fields), condition: visible?.condition ?? null };
  candidates.add(yield statements.containing(database, scope, wordsAsked(query), codesAsked(kind, query)));
  const containing = candidates.ranked();
  const isFoundCode = containing.length > 0 && lettersOf(query).length === 0;
  const similar = isFoundCode ? null : askSimilar(database, scope, query);
  if (similar === null) return foundOf(containing, limit, false);
  const isFull = containing.filter(({ match }) => match !== "similar").length >= limit;
  if (isFull) return foundOf(containing, limit, true);
  candidates.add(yield similar);
  return foundOf(candidates.ranked(), limit, false);
}

export const searchProcedure: Procedure<SearchInput, SearchFound> = { name: "search.find", run: find };
