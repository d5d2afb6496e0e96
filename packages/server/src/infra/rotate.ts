import { dialectOf, queries } from "#core/db/index.ts";
import type { Database, SealedColumn, Vault } from "#core/ports/index.ts";

type AnyTable = Record<string, string | number | null>;

export interface Rotated {
  readonly column: string;
  /** Encrypted anew. */
  readonly rotated: number;
  /** Under the new key already. */
  readonly already: number;
  /** Neither the old nor the new secret opens them; left as they are. */
  readonly unopened: number;
}

const rowsAtOnce = 200;

/**
 * Encrypts every text of a sealed column anew, in batches of one unit of work each. May be broken off
 * and run again: what is under the new key is skipped, a text that changed meanwhile is left alone.
 */
export async function rotateColumn(db: Database, { table, key, column }: SealedColumn, from: Vault, to: Vault): Promise<Rotated> {
  const purpose = `${table}.${column}`;
  const counts = { rotated: 0, already: 0, unopened: 0 };
  let after: string | number | null = null;
  for (;;) {
    const last: string | number | null = after;
    const batch = await db.write("secret.rotate", async (tx) => {
      const done = { rotated: 0, already: 0, unopened: 0 };
      const tables = queries<Record<string, AnyTable>>(tx);
      let select = tables.selectFrom(table).select([key, column]).where(column, "is not", null).orderBy(key).limit(rowsAtOnce);
      if (last !== null) select = select.where(key, ">", last);
      const rows = await dialectOf(tx).lock(select).execute();
      for (const row of rows) {
        const sealed = String(row[column]);
        const opened = from.open(sealed, purpose);
        if (to.open(sealed, purpose).state === "open") done.already += 1;
        else if (opened.state !== "open") done.unopened += 1;
        else {
          const value = to.seal(opened.text, purpose);
          await tables
            .updateTable(table)
            .set({ [column]: value })
            .where(key, "=", row[key] as string | number)
            .execute();
          done.rotated += 1;
        }
      }
      return { done, count: rows.length, end: rows.at(-1)?.[key] ?? null };
    });
    counts.rotated += batch.done.rotated;
    counts.already += batch.done.already;
    counts.unopened += batch.done.unopened;
    if (batch.count < rowsAtOnce) return { column: purpose, ...counts };
    after = batch.end;
  }
}
