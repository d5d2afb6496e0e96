import type { Database, Tx } from "../ports/database.ts";
import { DuplicateKey } from "./errors.ts";

const attempts = 5;

/**
 * Runs a unit of work that looks a row up and inserts it when it is missing. When two of them run at
 * once, both find nothing and the second insert violates the key of the first: on a retry it finds the
 * row. Throws `DuplicateKey` after five attempts.
 */
export async function retryOnDuplicate<T>(db: Pick<Database, "write">, name: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.write(name, work);
    } catch (error) {
      if (!(error instanceof DuplicateKey) || attempt === attempts) throw error;
    }
  }
}
