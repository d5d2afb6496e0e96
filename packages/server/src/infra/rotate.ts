import { dialectOf, queries } from "#core/db/index.ts";
import type { Database, SealedColumn, Vault } from "#core/ports/index.ts";
import { sealedPrefix } from "./vault.ts";

type AnyTable = Record<string, string | number | null>;

export interface Rotated {
  readonly column: string;
  /** Encrypted again. */
  readonly rotated: number;
  /** Already encrypted with the new key. */
  readonly already: number;
  /** Opened by neither the old nor the new secret; left unchanged. */
  readonly unopened: number;
}

const rowsAtOnce = 200;

/** The number of values of a sealed column under another key; all of them without a key. Compares key ids without decrypting. */
export async function countUnreadable(
  db: Pick<Database, "read">,
  { table, column }: Pick<SealedColumn, "table" | "column">,
  keyId: string | null,
): Promise<number> {
  return await db.read("secret.unreadable", async (tx) => {
    let select = queries<Record<string, AnyTable>>(tx)
      .selectFrom(table)
      .select((e) => e.fn.countAll<number>().as("n"))
      .where(column, "is not", null);
    if (keyId !== null) select = select.where((e) => e.not(dialectOf(tx).startsWith(e.ref(column), sealedPrefix(keyId))));
    return Number((await select.executeTakeFirstOrThrow()).n);
  });
}

/**
 * Encrypts every value of a sealed column again, in batches of one unit of work each. May be interrupted
 * and repeated: values under the new key are skipped.
 */
export async function rotateColumn(
  db: Database,
  { table, key, column }: Omit<SealedColumn, "what">,
  from: Vault,
  to: Vault,
): Promise<Rotated> {
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
