import type { Actor } from "#core/actor.ts";
import type { LinkDefinition } from "#core/contract/index.ts";
import { apiToken } from "#core/feature.ts";
import type { OpenLink, SecretLinks, Tx } from "#core/ports/index.ts";

export interface NewLink {
  readonly subject: string;
  /** Names the link for people, in lists and in the audit log; cut to 60 characters. */
  readonly label: string;
  /** Milliseconds UTC; at most `maxAgeMs` of the definition from now. */
  readonly expiresAt: number;
}

/** A secret is shown once: only a hash of it is stored. */
export interface IssuedLink {
  readonly id: number;
  /** In groups of letters and digits that people can read out and type. */
  readonly secret: string;
}

/** A link as lists show it. */
export interface ListedLink {
  readonly id: number;
  /** Id of the definition. */
  readonly kind: string;
  readonly label: string;
  readonly issuedBy: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** `withdrawn`: the sync token that requested it is no longer configured. */
export type LinkCheck =
  | { readonly state: "open"; readonly link: OpenLink; readonly bySync: boolean }
  | { readonly state: "withdrawn" | "invalid" };

/** The calling feature checks the rights and writes the audit entry: both are about the subject. */
export interface LinksApi extends SecretLinks {
  /** The link counts for the account of `actor`, and is removed with it. */
  issue(tx: Tx, actor: Actor, definition: LinkDefinition, link: NewLink): Promise<IssuedLink>;
  /** Ends links of these subjects, or with `ids` those among them, and closes their connections. Returns the ids of those that ended. */
  revoke(tx: Tx, definition: LinkDefinition, subjects: readonly string[], ids?: readonly number[]): Promise<readonly number[]>;
  /** Links of a subject that may be used now, the newest first. */
  list(tx: Tx, definitions: readonly LinkDefinition[], subject: string): Promise<readonly ListedLink[]>;
  /** Uses nothing up. */
  check(tx: Tx, definition: LinkDefinition, secret: string): Promise<LinkCheck>;
  /** Locks the link, and ends one for a single use: of two calls at once, one finds it. */
  use(tx: Tx, definition: LinkDefinition, secret: string): Promise<LinkCheck>;
  /** Ends every link that these accounts issued, or with `definitions` those among them. */
  revokeIssuedBy(tx: Tx, accountIds: readonly number[], definitions?: readonly LinkDefinition[]): Promise<void>;
}

export const linksApi = apiToken<LinksApi>("links");
