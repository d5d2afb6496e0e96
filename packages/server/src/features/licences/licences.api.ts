import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";

export interface LicencesApi {
  /** Labels by type; a type that the game has not sent is missing. */
  labels(tx: Tx, types: readonly string[]): Promise<Map<string, string>>;
}

export const licencesApi = apiToken<LicencesApi>("licences");
