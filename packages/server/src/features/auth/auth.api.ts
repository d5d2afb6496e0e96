import type { Viewer } from "#core/actor.ts";
import { apiToken, type CallContext } from "#core/feature.ts";
import type { Authenticator, CallOrigin } from "#core/ports/index.ts";

/** How far a sign-in came: `factorNeeded` waits for the second factor on the page `/login/factor`. */
export type SignInState = "signedIn" | "factorNeeded";

export interface AuthApi {
  /**
   * Signs an account in on the browser of this call, once something vouched for it: `method` says what
   * (`password`, `oauth:<provider>`, `registration`) and goes to the audit trail. Throws `AppError` when the account
   * is disabled or the cookie cannot stick. Outside any unit of work.
   */
  signIn(call: CallContext, accountId: number, method: string): Promise<SignInState>;
  readonly authenticator: Authenticator;
  /** For a connection that outlives a request: the viewer and when the token ends (milliseconds UTC). */
  byToken(token: string, from: CallOrigin): Promise<{ viewer: Viewer; expiresAt: number } | "expired" | "invalid">;
  /** The same viewer with the rights of now; null when the session or the character is gone. */
  refresh(viewer: Viewer): Promise<Viewer | null>;
  /** Told in this process whenever the rights of some viewers may have changed. */
  onRightsChange(listener: (concerned: (viewer: Viewer) => boolean) => void): void;
}

export const authApi = apiToken<AuthApi>("auth");
