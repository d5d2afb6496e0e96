import { createHash } from "node:crypto";
import { CompactEncrypt, compactDecrypt } from "jose";

export const sessionCookieName = "rollcall_session";

/** Seals and opens values of cookies: encrypted and authenticated (A256GCM). */
export interface CookieSeal {
  /** `type` keeps the value of one kind of cookie from passing for another's; a session's unless said. */
  seal(value: string, type?: string): Promise<string>;
  /** Null for anything that this secret did not seal, or sealed as another type. */
  open(value: string, type?: string): Promise<string | null>;
}

/** The key is derived from `http.sessions.cookieSecret`: another secret opens nothing. */
export function createCookieSeal(cookieSecret: string): CookieSeal {
  const key = new Uint8Array(createHash("sha256").update(`rollcall session cookie\n${cookieSecret}`).digest());
  const opened = new Map<string, string>();
  return {
    async seal(value, type = "session") {
      return await new CompactEncrypt(new TextEncoder().encode(value))
        .setProtectedHeader({ alg: "dir", enc: "A256GCM", typ: type })
        .encrypt(key);
    },
    async open(value, type = "session") {
      const known = opened.get(`${type} ${value}`);
      if (known !== undefined) return known;
      if (value.length > 3072) return null;
      try {
        const { plaintext, protectedHeader } = await compactDecrypt(value, key, {
          keyManagementAlgorithms: ["dir"],
          contentEncryptionAlgorithms: ["A256GCM"],
        });
        if (protectedHeader.typ !== type) return null;
        const text = new TextDecoder().decode(plaintext);
        if (opened.size > 5000) opened.clear();
        opened.set(`${type} ${value}`, text);
        return text;
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
 * `Set-Cookie` for a sealed value, or for its removal with null. With an https publicURL the cookie is
 * `Secure; SameSite=None`, because the in-game tablet is a frame on another site; else Lax.
 */
export function cookieHeader(name: string, value: string | null, options: CookieOptions): string {
  const parts = [
    `${name}=${value ?? ""}`,
    "Path=/",
    "HttpOnly",
    `Domain=${options.domain}`,
    `Max-Age=${value === null ? 0 : options.maxAgeSeconds}`,
    options.secure ? "Secure" : null,
    options.secure ? "SameSite=None" : "SameSite=Lax",
  ];
  return parts.filter((part) => part !== null).join("; ");
}
