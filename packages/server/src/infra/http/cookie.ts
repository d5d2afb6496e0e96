import { createHash } from "node:crypto";
import { CompactEncrypt, compactDecrypt } from "jose";
import { BoundedMap } from "#core/recent.ts";

export const sessionCookieName = "rollcall_session";
const mostOpened = 5000;

/** Encrypts and decrypts values of cookies, with authentication (A256GCM). */
export interface CookieSeal {
  /** `type` prevents that a value of one kind of cookie is accepted as another kind; "session" by default. */
  seal(value: string, type?: string): Promise<string>;
  /** Null if the value was not sealed with this secret and this type. */
  open(value: string, type?: string): Promise<string | null>;
}

/** The key is derived from `http.sessions.cookieSecret`. */
export function createCookieSeal(cookieSecret: string): CookieSeal {
  const key = new Uint8Array(createHash("sha256").update(`rollcall session cookie\n${cookieSecret}`).digest());
  const opened = new BoundedMap<string, string>(mostOpened);
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
 * `Set-Cookie` for a sealed value; null removes the cookie. With an https publicURL the cookie is
 * `Secure; SameSite=None`, because the in-game tablet embeds pages on another site; else Lax.
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
