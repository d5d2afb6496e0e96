/**
 * A kind of secret links. Who has the secret of a link may call its operations and subscribe to its topics
 * without an account, until it expires or is revoked, and nothing else.
 */
export interface LinkDefinition {
  /** `<feature>.<what>`. */
  readonly id: string;
  /** Ids of the operations that it opens; the `access` of each names this definition. */
  readonly operations: readonly string[];
  /** Names of the live topics that it opens; each is bound with `authorizeLink`. */
  readonly topics: readonly string[];
  /** The longest life of a link. */
  readonly maxAgeMs: number;
  /** With 1, its use ends the link. */
  readonly uses: 1 | null;
  /** Of each link, besides the budgets of the networks that it is used from. */
  readonly budget: { readonly perMinute: number };
}

export function defineSecretLink(link: LinkDefinition): LinkDefinition {
  return link;
}
