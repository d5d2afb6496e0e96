import type { Actor, Viewer } from "#core/actor.ts";
import type { EventDefinition, PartOf } from "#core/contract/index.ts";
import { apiToken, type CallContext } from "#core/feature.ts";
import type { Authenticator, CallOrigin, EventMessage } from "#core/ports/index.ts";
import type { OwnerProof } from "./auth.contract.ts";

/** State of a sign-in: `factorNeeded` waits for the second factor on the page `/login/factor`. */
export type SignInState = "signedIn" | "factorNeeded";

export interface RightsEvent<D extends EventDefinition = EventDefinition> {
  readonly event: D;
  /** The parts of the event's objects that rights are computed from; for an event without parts every change counts. */
  readonly inputs: readonly PartOf<D>[];
  /** Selects the viewers; null when nothing changed that rights are computed from. */
  affected(message: EventMessage<D>): ((viewer: Viewer) => boolean) | null;
}

export interface AuthApi {
  /**
   * Signs an account in on the browser of this call, after the caller checked who it is: `method` says how
   * (`oauth:<provider>`, `setup`) and goes to the audit log. Throws `auth.accountDisabled` and
   * `auth.cookieCannotStick`. Outside any unit of work.
   */
  signIn(call: CallContext, accountId: number, method: string): Promise<SignInState>;
  /**
   * Throws unless the caller is the owner of the calling account: by the password, by a code of the
   * second factor (which is used up), or, when neither is set, by a session that was opened a moment
   * ago. Throttled.
   */
  confirmOwner(call: CallContext, proof: OwnerProof): Promise<void>;
  readonly authenticator: Authenticator;
  /** For a connection that outlives a request: the viewer, and when the token expires (milliseconds UTC). */
  byToken(token: string, from: CallOrigin): Promise<{ viewer: Viewer; expiresAt: number } | "expired" | "invalid">;
  /** The same viewer with the present rights; null when the session or the character no longer exists. */
  refresh(viewer: Viewer): Promise<Viewer | null>;
  /**
   * The person of a session with the present rights, for work that outlives a request: with a character, or
   * with null as the account alone. Null when the session has ended or the character is not its own any more.
   */
  present(sessionId: string, characterId: number | null, from: CallOrigin): Promise<Actor | null>;
  /** The events after which the rights of some viewers may have changed; `refresh` answers with the changed ones once auth's own listeners were called. */
  readonly rightsEvents: readonly RightsEvent[];
}

export const authApi = apiToken<AuthApi>("auth");
