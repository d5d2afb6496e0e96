import type { GameRequestAnswerOf, GameRequestDefinition, GameRequestPayloadOf } from "../contract/game-request.ts";
import type { Tx } from "./database.ts";

/** What became of a request to the game server. */
export type GameRequestOutcome<D extends GameRequestDefinition = GameRequestDefinition> =
  | { readonly state: "done"; readonly answer: GameRequestAnswerOf<D> }
  | { readonly state: "refused"; readonly reason: string }
  /** No plugin fetched it in time: it has not happened, and will not. */
  | { readonly state: "expired" }
  /** A plugin fetched it and did not say in time what became of it, or does not know. */
  | { readonly state: "unknown"; readonly reason: string | null };

export interface EndedGameRequest<D extends GameRequestDefinition = GameRequestDefinition> {
  readonly id: string;
  /** As it was sent. */
  readonly key: string | null;
  readonly payload: GameRequestPayloadOf<D>;
}

export interface GameRequestHandler<D extends GameRequestDefinition = GameRequestDefinition> {
  readonly request: D;
  /**
   * After the request has ended, in a worker task of its own that is tried again when this throws, and once more
   * when a late receipt says what became of one that was `unknown` or `expired`.
   */
  ended(tx: Tx, request: EndedGameRequest<D>, outcome: GameRequestOutcome<D>): Promise<void>;
}

export function onGameRequest<D extends GameRequestDefinition>(handler: GameRequestHandler<D>): GameRequestHandler {
  return handler;
}
