/** What the configuration has to say about one option. */
export interface OptionNote {
  /** Its dotted path, or the name of an environment variable. */
  readonly option: string;
  readonly what: string;
  readonly instead: string;
  /** The line of `config check`. */
  readonly line: string;
  /** The finding of `system` that says it in every language; null where a check of the doctor reports the same. */
  readonly code?: string | null;
  readonly params?: Readonly<Record<string, string | number>>;
}

/** Notes from the start of the process, for the status page. */
export interface StartNotes {
  readonly startedAt: number;
  readonly warnings: readonly OptionNote[];
  /** What is no fault, and worth knowing. */
  readonly hints: readonly OptionNote[];
  /** Options that are checked but not acted on in this release. */
  readonly notInEffect: readonly string[];
}
