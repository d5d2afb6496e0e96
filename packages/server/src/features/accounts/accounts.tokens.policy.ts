import { createHash } from "node:crypto";
import { typedCode } from "#core/codes.ts";
import { syncTokenFingerprint } from "#core/sync-token.ts";
import type { Signer } from "#core/ports/index.ts";

/** What is stored of a token that people type. */
export function tokenHash(token: string): string {
  return createHash("sha256")
    .update(`rollcall account token\n${typedCode(token)}`)
    .digest("hex");
}

/** Prefix of `created_by` for tokens that the game server requested. User names have no blanks. */
const bySync = "sync ";

export function issuedBySync(token: { readonly created_by: string }): boolean {
  return token.created_by.startsWith(bySync);
}

/** Keyed, so that the stored fingerprint cannot be computed from a sync token alone. */
export function keyedFingerprint(signer: Signer, fingerprint: string): string {
  return signer.sign("accounts.syncToken", fingerprint);
}

/** Of the sync tokens that are configured: account tokens that others requested are void. */
export function syncTokenFingerprints(signer: Signer, syncTokens: readonly string[]): string[] {
  return syncTokens.map((token) => keyedFingerprint(signer, syncTokenFingerprint(token)));
}
