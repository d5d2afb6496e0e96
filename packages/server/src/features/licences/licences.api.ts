import { apiToken } from "#core/feature.ts";
import type { Tx } from "#core/ports/index.ts";

export interface LicencesApi {
  /** Labels by type; a type that is not stored is missing. Deleted types keep their label until they are purged. */
  labels(tx: Tx, types: readonly string[]): Promise<Map<string, string>>;
}

export const licencesApi = apiToken<LicencesApi>("licences");
