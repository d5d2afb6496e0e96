import { createHash } from "node:crypto";
import type { Actor } from "#core/actor.ts";
import { typedCode } from "#core/codes.ts";
import type { LinkDefinition } from "#core/contract/index.ts";
import type { LinkRow } from "./links.repo.ts";

/** Characters of a label that are kept. */
export const longestLabel = 60;

/** What is stored of a secret, which people may have typed. */
export function secretHash(secret: string): string {
  return createHash("sha256")
    .update(`rollcall link\n${typedCode(secret)}`)
    .digest("hex");
}

/** Who issued a link, for people. */
export function issuerName(actor: Actor): string {
  if (actor.kind === "sync") return `sync ${actor.tokenFingerprint}`;
  if (actor.kind === "cli") return actor.user;
  return "username" in actor ? actor.username : actor.kind;
}

export function labelOf(text: string): string {
  return Array.from(text).slice(0, longestLabel).join("");
}

/** Throws for an expiry that the definition does not allow, which is an error of the calling feature. */
export function checkExpiry({ id, maxAgeMs }: Pick<LinkDefinition, "id" | "maxAgeMs">, expiresAt: number, now: number): void {
  if (expiresAt <= now || expiresAt > now + maxAgeMs) throw new RangeError(`a link ${id} cannot expire at ${expiresAt}`);
}

/** `syncTokens`: fingerprints of the configured sync tokens, whose links may be used. */
export function stateOf(
  row: Pick<LinkRow, "expires_at" | "sync_token"> | null,
  now: number,
  syncTokens: readonly string[],
): "open" | "withdrawn" | "invalid" {
  if (row === null || row.expires_at <= now) return "invalid";
  return row.sync_token !== null && !syncTokens.includes(row.sync_token) ? "withdrawn" : "open";
}
