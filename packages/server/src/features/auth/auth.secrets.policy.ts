import { createHmac, scryptSync } from "node:crypto";

export interface Secrets {
  readonly secret: string | null;
  readonly jwtSecret: string;
  readonly cookieSecret: string;
}

/**
 * Identifies the secrets under which a session was opened without revealing them: an attacker with the
 * database would have to guess all three at once, and each guess costs a slow derivation.
 */
export function fingerprintOfSecrets({ secret, jwtSecret, cookieSecret }: Secrets): string {
  const key = scryptSync(JSON.stringify([secret ?? "", jwtSecret, cookieSecret]), "rollcall secrets", 32);
  return createHmac("sha256", key).update("rollcall sessions").digest("base64url").slice(0, 32);
}

/** Derived at the first use: most commands of the command line do not need it. */
export function lazyFingerprintOfSecrets(secrets: Secrets): () => string {
  let fingerprint: string | undefined;
  return () => (fingerprint ??= fingerprintOfSecrets(secrets));
}
