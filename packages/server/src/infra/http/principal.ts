import type { AccountActor, Actor, Viewer } from "#core/actor.ts";

/** The authenticated caller of a request. */
export interface Principal {
  readonly actor: Actor;
  readonly account: AccountActor | null;
  readonly viewer: Viewer | null;
  readonly sessionId: string | null;
}
