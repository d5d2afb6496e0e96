import type { Source } from "./source.ts";

export interface Violation {
  readonly rule: string;
  readonly path: string;
  readonly problem: string;
}

export interface Rule {
  /** Number of the rule in architecture.md section 3, and its gist. */
  readonly name: string;
  check(sources: readonly Source[], context: Context): Violation[];
}

export interface Context {
  /** Headings of docs/glossary.md, lower case. */
  readonly glossary: ReadonlySet<string>;
}
