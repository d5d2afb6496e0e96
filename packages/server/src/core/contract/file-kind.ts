declare const declared: unique symbol;

/** `<feature>.<what>` of a kind of files that a contract defines. */
export type FileKindName = string & { readonly [declared]: true };

/**
 * A kind of files, and whose they are. Both are literals: the list of all kinds is generated from the text of the
 * contracts.
 */
export function defineFileKind(kind: string, _about: { readonly owner: string }): FileKindName {
  return kind as FileKindName;
}
