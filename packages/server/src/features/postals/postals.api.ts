import { apiToken } from "#core/feature.ts";
import type { Postal } from "./postals.contract.ts";

/**
 * The postal codes of the map, from the memory of this process: no call waits, and none fails. Coordinates and distances
 * are in world units, which are metres. Every process follows the file of `postalsFile` by itself.
 *
 * There is no callback for changes: architecture.md, section 1, has two ways to receive one, and both begin with an
 * event of the database, which a file that an operator replaces does not write. Who keeps something that was computed
 * from postal codes keeps the `version` with it, and computes it again when that differs.
 */
export interface PostalsApi {
  /**
   * The postal code nearest to a place, with the distance in a straight line; of several at the same place any. Null
   * where there are no postal codes, and for coordinates that are not finite or more than 1,000,000 m from the origin.
   */
  nearest(x: number, y: number): { code: string; distance: number } | null;
  /** Case and accents do not matter. Of several places with one code the first in the file. */
  find(code: string): Postal | null;
  /**
   * At most `limit` places: the exact code first, then codes that begin with it, then those that contain it, each in
   * the order of the codes. A code that several places have is there once. Empty for an empty query.
   */
  search(query: string, limit: number): Postal[];
  /** Changes with the list of postal codes, and is the same in every process that read the same list. */
  version(): string;
}

export const postalsApi = apiToken<PostalsApi>("postals");
