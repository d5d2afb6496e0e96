import { type SearchEntry, searchMatches } from "#core/contract/index.ts";
import type { CallContext, Registry } from "#core/feature.ts";
import type { SearchResult } from "./search.contract.ts";

const mostOfAKind = 10;
/** Where only one kind is asked for. */
const mostOfTheKind = 50;

const plain = (text: string) =>
  text
    .normalize("NFKD")
    .replaceAll(/[\p{M}\s-]/gu, "")
    .toLowerCase();

/** 1 for an exact match, which is above all similar ones. */
function exactness(entry: SearchEntry, q: string): number {
  return [entry.title, entry.ref].some((text) => plain(text) === plain(q)) ? 1 : 0;
}

const rankOf = ({ match }: SearchEntry) => searchMatches.indexOf(match);

/** Searches with the providers of all features. Each returns only what the viewer may see. */
export class SearchService {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Whole words first, then beginnings, then similar ones; in each the best first. */
  async search(call: CallContext, { q, kind: only }: { q: string; kind?: string }): Promise<{ results: SearchResult[] }> {
    const viewer = call.viewer();
    const providers = this.#registry.parts("search").filter(({ kind }) => only === undefined || kind === only);
    const limit = only === undefined ? mostOfAKind : mostOfTheKind;
    const perKind = await Promise.all(
      providers.map(async ({ kind, find }) => {
        const entries = await find(viewer, q, limit);
        return entries.map((entry): SearchResult => ({ kind, ...entry, score: entry.score + exactness(entry, q) }));
      }),
    );
    return { results: perKind.flat().sort((a, b) => rankOf(a) - rankOf(b) || b.score - a.score) };
  }
}
