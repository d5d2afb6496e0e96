import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import type { Signer } from "#core/ports/index.ts";

const markBytes = 16;

/** HMAC-SHA-256, cut to 128 bits. */
export function createSigner(cookieSecret: string): Signer {
  const key = Buffer.from(hkdfSync("sha256", cookieSecret, "", "rollcall signed addresses", 32));
  const mark = (purpose: string, text: string): Buffer =>
    createHmac("sha256", key).update(`${purpose}\n`).update(text).digest().subarray(0, markBytes);
  return {
    sign: (purpose, text) => mark(purpose, text).toString("base64url"),
    verify(purpose, text, given) {
      const bytes = Buffer.from(given, "base64url");
      return bytes.length === markBytes && bytes.toString("base64url") === given && timingSafeEqual(bytes, mark(purpose, text));
    },
  };
}
