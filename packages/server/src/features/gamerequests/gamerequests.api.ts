import type { Actor } from "#core/actor.ts";
import type { GameRequestDefinition, GameRequestPayloadOf, GameRequestState } from "#core/contract/index.ts";
import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";

export interface NewGameRequest<D extends GameRequestDefinition = GameRequestDefinition> {
  readonly payload: GameRequestPayloadOf<D>;
  /**
   * What the request is about: at most one of the kind is open for it. A new one replaces the one before if no
   * plugin has fetched that. While one with the same payload is fetched and before its deadline, nothing is sent;
   * one with another payload goes on, and the new one follows it. At most 150 characters.
   */
  readonly key?: string;
  /** The game server that it is for; when left out or null, the first one that fetches it. */
  readonly source?: string | null;
  /** For one that ends sooner than its kind does. Milliseconds. */
  readonly expiresMs?: number;
}

export interface GameRequestStatus {
  readonly id: string;
  readonly state: GameRequestState;
  /** Why it was refused, or what is known of an unknown end. */
  readonly reason: string | null;
  readonly sentAt: number;
  readonly expiresAt: number;
  readonly endedAt: number | null;
}

/** A game server whose plugin asks for requests. */
export interface GameServer {
  readonly source: string;
  readonly lastPolledAt: number;
  readonly connected: boolean;
}

/** Sends requests to the plugin on the game server. What becomes of one is passed to the `ended` of its kind's handler. */
export interface GameRequestsApi {
  /** In the unit of work of the change that causes it, which from then on keeps other senders waiting: send last. Returns the id, of the one that runs if it is kept. */
  send<D extends GameRequestDefinition>(tx: Tx, actor: Actor, kind: D, request: NewGameRequest<D>): Promise<string>;
  /** The one that was sent last about `key`; null when there was none within the last days. */
  latest(tx: Tx, kind: GameRequestDefinition, key: string): Promise<GameRequestStatus | null>;
  /** Those that polled last come first. */
  servers(tx: Tx): Promise<readonly GameServer[]>;
}

export const gamerequestsApi = apiToken<GameRequestsApi>("gamerequests");
