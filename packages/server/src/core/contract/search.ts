/**
 * How what was typed is in an object: as whole words, as the beginning of words or a part of numbers, or in a similar
 * spelling. Of several words the weakest counts.
 */
export const searchMatches = ["whole", "beginning", "similar"] as const;
export type SearchMatch = (typeof searchMatches)[number];

/** One hit of the global search, see `features/search`. */
export interface SearchEntry {
  readonly id: number;
  readonly ref: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly match: SearchMatch;
  readonly score: number;
}
