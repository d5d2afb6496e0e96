import type { AccountActor, Viewer } from "../actor.ts";

/** Where a call comes from, as far as the door knows it. */
export interface CallOrigin {
  readonly address: string;
  readonly userAgent: string;
  readonly traceId: string;
}

/**
 * Who is calling: implemented by `features/auth`, asked by the HTTP door and by the live socket.
 */
export interface Authenticator {
  /** The account of a decrypted session cookie; null when the session is unknown, ended or expired. */
  bySession(sessionId: string, from: CallOrigin): Promise<AccountActor | null>;
  /** The character of a user token. */
  byUserToken(token: string, from: CallOrigin): Promise<Viewer | "expired" | "invalid">;
}
