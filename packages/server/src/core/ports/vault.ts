/** Why there is nothing to seal with. */
export class NoSecret extends Error {
  override name = "NoSecret";
}

/** What became of a stored secret: its text, or why it cannot be read. */
export type Opened =
  | { readonly state: "open"; readonly text: string }
  /** Sealed under another `secret`, or damaged. */
  | { readonly state: "otherSecret" }
  /** `secret` is not set any more. */
  | { readonly state: "noSecret" };

/**
 * Encrypts what is stored but must not be readable in a dump (OAuth tokens, second factors), with a
 * key derived from the root `secret` and named by its key id in every sealed text.
 */
export interface Vault {
  /** False without `secret`: then nothing may be stored that needs it. */
  readonly available: boolean;
  /** Names the key; null without `secret`. Not secret itself. */
  readonly keyId: string | null;
  /** `purpose` (`<table>.<column>`) is bound into the text: it opens under the same purpose only. Throws `NoSecret`. */
  seal(text: string, purpose: string): string;
  open(sealed: string, purpose: string): Opened;
}

/** A column of sealed texts, for `rollcall secret rotate` and the doctor. */
export interface SealedColumn {
  readonly table: string;
  /** Primary key, one column. */
  readonly key: string;
  readonly column: string;
}
