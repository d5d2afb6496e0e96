import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { Clock } from "#core/ports/index.ts";
import { BoundedMap } from "#core/recent.ts";

/** What a user token says; everything else is looked up again on each request. */
export interface UserToken {
  readonly accountId: number;
  readonly characterId: number;
  readonly sessionId: string;
  readonly rightsEpoch: string;
}

/** `until`: when the mode that the token was made in ends, if there is one; the token expires with it. Milliseconds UTC. */
export interface NewUserToken extends UserToken {
  readonly until?: number | null | undefined;
}

/** A token whose signature was verified; `expiresAt` in milliseconds UTC. */
export interface VerifiedToken extends UserToken {
  readonly expiresAt: number;
}

export const userTokenMs = 10 * 60_000;
const issuer = "rollcall";
const audience = "rollcall-user";
const maxVerified = 10_000;

/** HS256 with `jwt.secret`; audience and type distinguish user tokens from any other token. */
export class UserTokens {
  readonly #key: Uint8Array;
  readonly #clock: Clock;
  readonly #verified = new BoundedMap<string, VerifiedToken>(maxVerified);

  constructor(secret: string, clock: Clock) {
    this.#key = new TextEncoder().encode(secret);
    this.#clock = clock;
  }

  async sign(token: NewUserToken): Promise<{ text: string; expiresAt: number }> {
    const now = this.#clock.now();
    const expiresAt = Math.min(now + userTokenMs, token.until ?? Infinity);
    const text = await new SignJWT({
      typ: "user",
      cid: token.characterId,
      sid: token.sessionId,
      rep: token.rightsEpoch,
    })
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(String(token.accountId))
      .setIssuedAt(Math.floor(now / 1000))
      // In whole seconds, and not before the end of a mode: its holder would be refused while the mode is on.
      .setExpirationTime(Math.min(Math.floor((now + userTokenMs) / 1000), Math.ceil(expiresAt / 1000)))
      .sign(this.#key);
    return { text, expiresAt };
  }

  async verify(text: string): Promise<VerifiedToken | "expired" | "invalid"> {
    const token = await this.#read(text);
    if (token === null) return "invalid";
    return token.expiresAt > this.#clock.now() ? token : "expired";
  }

  /** Also of a token that expired; null for one that this server did not sign. Asks no database. */
  async sessionOf(text: string): Promise<string | null> {
    return (await this.#read(text))?.sessionId ?? null;
  }

  /** A token with the right signature, audience and type, which may have expired; null for any other. */
  async #read(text: string): Promise<VerifiedToken | null> {
    const known = this.#verified.get(text);
    if (known) return known;
    if (text.length > 4096) return null;
    const payload = await this.#payloadOf(text);
    if (payload === null) return null;
    const { sub, cid, sid, rep, typ, exp } = payload;
    if (typ !== "user" || typeof cid !== "number" || typeof sid !== "string" || typeof rep !== "string" || exp === undefined)
      return null;
    const token = { accountId: Number(sub), characterId: cid, sessionId: sid, rightsEpoch: rep, expiresAt: exp * 1000 };
    this.#verified.set(text, token);
    return token;
  }

  async #payloadOf(text: string): Promise<JWTPayload | null> {
    try {
      const currentDate = new Date(this.#clock.now());
      const verifying = { algorithms: ["HS256"], issuer, audience, currentDate, requiredClaims: ["exp"] };
      return (await jwtVerify(text, this.#key, verifying)).payload;
    } catch (error) {
      // The expiry is checked last, after everything else was right.
      return error instanceof errors.JWTExpired && error.claim === "exp" ? error.payload : null;
    }
  }
}
