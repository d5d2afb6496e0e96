import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { Signer } from "#core/ports/index.ts";

const signatureBytes = 16;

/** Signatures, of signed URLs for example, are HMAC-SHA-256, truncated to 128 bits. */
export function createSigner(cookieSecret: string): Signer {
  const key = Buffer.from(hkdfSync("sha256", cookieSecret, "", "rollcall signed addresses", 32));
  const signatureOf = (purpose: string, text: string): Buffer =>
    createHmac("sha256", key).update(`${purpose}\n`).update(text).digest().subarray(0, signatureBytes);
  return {
    sign: (purpose, text) => signatureOf(purpose, text).toString("base64url"),
    verify(purpose, text, signature) {
      const bytes = Buffer.from(signature, "base64url");
      const isCanonical = bytes.length === signatureBytes && bytes.toString("base64url") === signature;
      return isCanonical && timingSafeEqual(bytes, signatureOf(purpose, text));
    },
  };
}
