import { jwtVerify, SignJWT } from "jose";
import type { Clock } from "#core/ports/index.ts";

/** What a user token says; everything else is looked up again on each request. */
export interface UserToken {
  readonly accountId: number;
  readonly characterId: number;
  readonly sessionId: string;
  readonly rightsEpoch: string;
}

/** A token that was verified, and until when it holds (milliseconds UTC). */
export interface VerifiedToken extends UserToken {
  readonly expiresAt: number;
}

export const userTokenMs = 10 * 60_000;
const issuer = "rollcall";
const audience = "rollcall-user";
const mostRemembered = 10_000;

/** HS256 with `jwt.secret`; audience and type keep any other token out. */
export function createUserTokens(secret: string, clock: Clock) {
  const key = new TextEncoder().encode(secret);
  const verified = new Map<string, VerifiedToken>();

  async function sign(token: UserToken): Promise<{ text: string; expiresAt: number }> {
    const now = clock.now();
    const expiresAt = now + userTokenMs;
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
      .setExpirationTime(Math.floor(expiresAt / 1000))
      .sign(key);
    return { text, expiresAt };
  }

  async function verify(text: string): Promise<VerifiedToken | "expired" | "invalid"> {
    const now = clock.now();
    const known = verified.get(text);
    if (known) return known.expiresAt > now ? known : "expired";
    if (text.length > 4096) return "invalid";
    try {
      const { payload } = await jwtVerify(text, key, {
        algorithms: ["HS256"],
        issuer,
        audience,
        currentDate: new Date(now),
      });
      const { sub, cid, sid, rep, typ, exp } = payload;
      if (typ !== "user" || typeof cid !== "number" || typeof sid !== "string" || typeof rep !== "string") return "invalid";
      const token = {
        accountId: Number(sub),
        characterId: cid,
        sessionId: sid,
        rightsEpoch: rep,
        expiresAt: (exp ?? 0) * 1000,
      };
      if (verified.size >= mostRemembered) verified.clear();
      verified.set(text, token);
      return token;
    } catch (error) {
      return (error as { code?: string }).code === "ERR_JWT_EXPIRED" ? "expired" : "invalid";
    }
  }

  return { sign, verify };
}

export type UserTokens = ReturnType<typeof createUserTokens>;
