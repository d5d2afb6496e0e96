import type { Static, TObject } from "typebox";

/** How a request to the game server stands. `open`: not fetched yet; the last four are ends. */
export const gameRequestStates = ["open", "delivered", "done", "refused", "expired", "unknown"] as const;
export type GameRequestState = (typeof gameRequestStates)[number];

/** A request that Rollcall sends to the plugin on the game server, and its answer. */
export interface GameRequestDefinition<P extends TObject = TObject, A extends TObject = TObject> {
  /** `<feature>.<verb>`: the name under which plugins handle it. Part of the Sync API: renaming it breaks them. */
  readonly id: string;
  /** What the plugin does, for its authors. */
  readonly summary: string;
  readonly payload: P;
  readonly answer: A;
  /** After this time without a receipt the request has ended. Milliseconds. */
  readonly expiresMs: number;
  /** False for what only shows something: as other ways of notifications, it would flood the audit log. */
  readonly audited?: boolean;
}

export function defineGameRequest<P extends TObject, A extends TObject>(
  definition: GameRequestDefinition<P, A>,
): GameRequestDefinition<P, A> {
  return definition;
}

export type GameRequestPayloadOf<D extends GameRequestDefinition> = Static<D["payload"]>;
export type GameRequestAnswerOf<D extends GameRequestDefinition> = Static<D["answer"]>;
