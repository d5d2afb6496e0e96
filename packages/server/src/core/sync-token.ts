import { createHash } from "node:crypto";

/** Twelve characters that identify a sync token in logs and audit entries without revealing it. */
export function syncTokenFingerprint(token: string): string {
  return createHash("sha256").update(`rollcall sync token\n${token}`).digest("hex").slice(0, 12);
}
