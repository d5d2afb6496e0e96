import { apiToken } from "#core/feature.ts";
import type { KnownPlace } from "./positions.policy.ts";

export interface PositionsApi {
  /**
   * Where a character is, as far as this process knows; null when unknown or older than a quarter of an hour. Also a
   * hidden place: it must not reach anybody.
   */
  place(citizenId: number): KnownPlace | null;
}

export const positionsApi = apiToken<PositionsApi>("positions");
