/** `secret` is not set, so nothing can be encrypted. */
export class NoSecret extends Error {
  override name = "NoSecret";
}

/** The result of opening a stored secret: its text, or why it cannot be read. */
export type Opened =
  | { readonly state: "open"; readonly text: string }
  /** Sealed under another `secret`, or damaged. */
  | { readonly state: "otherSecret" }
  /** `secret` is no longer set. */
  | { readonly state: "noSecret" };

/**
 * Encrypts stored data that must not be readable in a dump (OAuth tokens, second factors), with a
 * key derived from the root `secret` and named by its key id in every sealed text.
 */
export interface Vault {
  /** False without `secret`: then nothing that needs encryption may be stored. */
  readonly available: boolean;
  /** Identifies the key; null without `secret`. Not a secret itself. */
  readonly keyId: string | null;
  /** `purpose` (`<table>.<column>`) is bound into the text: it opens under the same purpose only. Throws `NoSecret`. */
  seal(text: string, purpose: string): string;
  open(sealed: string, purpose: string): Opened;
}

/** A column of sealed texts, for `rollcall secret rotate` and the doctor. */
export interface SealedColumn {
  readonly table: string;
  /** A name of its content for the operator, in the plural. */
  readonly what: string;
  /** Primary key, one column. */
  readonly key: string;
  readonly column: string;
}
