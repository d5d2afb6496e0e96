import type { LinkDefinition } from "../contract/link.ts";

/** A secret link that may be used now. */
export interface OpenLink {
  readonly linkId: number;
  readonly definition: LinkDefinition;
  /** What it is a link to, as its feature names it. */
  readonly subject: string;
  readonly label: string;
  /** Milliseconds UTC. */
  readonly expiresAt: number;
}

/** Finds the link of a request or a WebSocket; implemented by `features/links`. */
export interface SecretLinks {
  /**
   * Null for a secret that is wrong, expired, revoked or used up. `network` is the client's; one that tries many
   * wrong secrets gets `system.rateLimited` before they are looked up.
   */
  find(secret: string, network: string): Promise<OpenLink | null>;
  /** The same link now; null once it ended. */
  present(linkId: number): Promise<OpenLink | null>;
}
