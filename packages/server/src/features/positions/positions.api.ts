import { apiToken } from "#core/feature.ts";
import type { KnownPlace } from "./positions.policy.ts";

/** A place with the instant at which it was reported last. Milliseconds UTC, by the clock of this process. */
export interface DatedPlace extends KnownPlace {
  readonly at: number;
}

export interface PositionsApi {
  /**
   * Where a character is, as far as this process knows; null when unknown or older than a quarter of an hour. Also a
   * hidden place: it must not reach anybody.
   */
  place(citizenId: number): DatedPlace | null;
  /** Calls this with each place that this process takes from a game server, also a hidden one; it must not wait. */
  follow(follower: (place: KnownPlace) => void): void;
  /**
   * Of these characters, those who are in the game now, and on which game server, the one who was seen last first. In
   * any process, also one that serves no pages. Outside of any unit of work; throws `BrokerUnavailable` during an outage.
   */
  playing(citizenIds: readonly number[]): Promise<Map<number, string>>;
}

export const positionsApi = apiToken<PositionsApi>("positions");
