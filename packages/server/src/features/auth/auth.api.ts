import type { Viewer } from "#core/actor.ts";
import { apiToken } from "#core/feature.ts";
import type { Authenticator, CallOrigin } from "#core/ports/index.ts";

export interface AuthApi {
  readonly authenticator: Authenticator;
  /** For a connection that outlives a request: the viewer and when the token ends (milliseconds UTC). */
  byToken(token: string, from: CallOrigin): Promise<{ viewer: Viewer; expiresAt: number } | "expired" | "invalid">;
  /** The same viewer with the rights of now; null when the session or the character is gone. */
  refresh(viewer: Viewer): Promise<Viewer | null>;
  /** Told in this process whenever the rights of some viewers may have changed. */
  onRightsChange(listener: (concerned: (viewer: Viewer) => boolean) => void): void;
}

export const authApi = apiToken<AuthApi>("auth");
