import type { SearchEntry } from "#core/contract/index.ts";
import type { CallContext, Registry } from "#core/feature.ts";
import type { SearchResult } from "./search.contract.ts";

const mostOfAKind = 10;

const plain = (text: string) =>
  text
    .normalize("NFKD")
    .replaceAll(/[\p{M}\s-]/gu, "")
    .toLowerCase();

/** What was typed in full stands above what only resembles it. */
function exact(entry: SearchEntry, q: string): number {
  return [entry.title, entry.ref].some((text) => plain(text) === plain(q)) ? 1 : 0;
}

/** Asks every feature's provider at once; each gives only what the viewer may see. */
export function createSearchService(registry: Registry) {
  return async function searchAll(call: CallContext, q: string): Promise<{ results: SearchResult[] }> {
    const viewer = call.viewer();
    const perKind = await Promise.all(
      registry.searchProviders().map(async ({ kind, find }) => {
        const entries = await find(viewer, q, mostOfAKind);
        return entries.map((entry): SearchResult => ({ kind, ...entry, score: entry.score + exact(entry, q) }));
      }),
    );
    return { results: perKind.flat().sort((a, b) => b.score - a.score) };
  };
}
