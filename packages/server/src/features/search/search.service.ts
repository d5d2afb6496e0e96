import type { SearchEntry } from "#core/contract/index.ts";
import type { CallContext, Registry } from "#core/feature.ts";
import type { SearchResult } from "./search.contract.ts";

const mostOfAKind = 10;

const plain = (text: string) =>
  text
    .normalize("NFKD")
    .replaceAll(/[\p{M}\s-]/gu, "")
    .toLowerCase();

/** 1 for an exact match, which is above all similar ones. */
function exactness(entry: SearchEntry, q: string): number {
  return [entry.title, entry.ref].some((text) => plain(text) === plain(q)) ? 1 : 0;
}

/** Searches with the providers of all features. Each returns only what the viewer may see. */
export class SearchService {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    this.#registry = registry;
  }

  /** Best first. */
  async search(call: CallContext, q: string): Promise<{ results: SearchResult[] }> {
    const viewer = call.viewer();
    const perKind = await Promise.all(
      this.#registry.searchProviders().map(async ({ kind, find }) => {
        const entries = await find(viewer, q, mostOfAKind);
        return entries.map((entry): SearchResult => ({ kind, ...entry, score: entry.score + exactness(entry, q) }));
      }),
    );
    return { results: perKind.flat().sort((a, b) => b.score - a.score) };
  }
}
