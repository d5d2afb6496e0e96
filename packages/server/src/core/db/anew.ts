import type { Database, Tx } from "../ports/database.ts";
import { DuplicateKey } from "./errors.ts";

const attempts = 5;

/**
 * A unit of work that looks first and inserts what it did not find. Two of them at once both find
 * nothing, and the later one meets a key of the earlier: begun anew it finds what was stored. Throws
 * `DuplicateKey` when that happens five times in a row.
 */
export async function writeAnew<T>(db: Pick<Database, "write">, name: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.write(name, work);
    } catch (error) {
      if (!(error instanceof DuplicateKey) || attempt === attempts) throw error;
    }
  }
}
