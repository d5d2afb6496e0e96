import { createHash } from "node:crypto";
import { CompactEncrypt, compactDecrypt } from "jose";

export const sessionCookieName = "rollcall_session";

/** Seals and opens the value of the session cookie: encrypted and authenticated (A256GCM). */
export interface CookieSeal {
  seal(sessionId: string): Promise<string>;
  /** Null for anything that this secret did not seal. */
  open(value: string): Promise<string | null>;
}

/** The key is derived from `http.sessions.cookieSecret`: another secret opens nothing. */
export function createCookieSeal(cookieSecret: string): CookieSeal {
  const key = new Uint8Array(createHash("sha256").update(`rollcall session cookie\n${cookieSecret}`).digest());
  const opened = new Map<string, string>();
  return {
    async seal(sessionId) {
      return await new CompactEncrypt(new TextEncoder().encode(sessionId))
        .setProtectedHeader({ alg: "dir", enc: "A256GCM", typ: "session" })
        .encrypt(key);
    },
    async open(value) {
      const known = opened.get(value);
      if (known !== undefined) return known;
      if (value.length > 1024) return null;
      try {
        const { plaintext, protectedHeader } = await compactDecrypt(value, key, {
          keyManagementAlgorithms: ["dir"],
          contentEncryptionAlgorithms: ["A256GCM"],
        });
        if (protectedHeader.typ !== "session") return null;
        const sessionId = new TextDecoder().decode(plaintext);
        if (opened.size > 5000) opened.clear();
        opened.set(value, sessionId);
        return sessionId;
      } catch {
        return null;
      }
    },
  };
}

export interface CookieOptions {
  readonly domain: string;
  readonly secure: boolean;
  readonly maxAgeSeconds: number;
}

/**
 * `Set-Cookie` for a session, or for its removal with null. With an https publicURL the cookie is
 * `Secure; SameSite=None`, because the in-game tablet is a frame on another site; else Lax.
 */
export function sessionCookieHeader(value: string | null, options: CookieOptions): string {
  const parts = [
    `${sessionCookieName}=${value ?? ""}`,
    "Path=/",
    "HttpOnly",
    `Domain=${options.domain}`,
    `Max-Age=${value === null ? 0 : options.maxAgeSeconds}`,
    options.secure ? "Secure" : null,
    options.secure ? "SameSite=None" : "SameSite=Lax",
  ];
  return parts.filter((part) => part !== null).join("; ");
}
