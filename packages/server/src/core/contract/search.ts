/** One hit of the global search, see `features/search`. */
export interface SearchEntry {
  readonly id: number;
  readonly ref: string;
  readonly title: string;
  readonly subtitle: string | null;
  readonly score: number;
}
