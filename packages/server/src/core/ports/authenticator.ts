import type { AccountActor, Viewer } from "../actor.ts";

/** The origin of a call, as the request guard knows it. */
export interface CallOrigin {
  readonly address: string;
  readonly userAgent: string;
  readonly traceId: string;
}

/** Finds the principal of a request or a WebSocket; implemented by `features/auth`. */
export interface Authenticator {
  /** The account of a decrypted session cookie; null when the session is unknown, ended or expired. */
  bySession(sessionId: string, from: CallOrigin): Promise<AccountActor | null>;
  /** The character of a user token. */
  byUserToken(token: string, from: CallOrigin): Promise<Viewer | "expired" | "invalid">;
  /** The public id of the session of a decrypted cookie, whether or not the session is active. */
  idOfSession(sessionId: string): string;
  /** The public id of the session of a user token that this server signed, expired or not; null for any other. Runs no query. */
  sessionOfToken(token: string): Promise<string | null>;
}
