import type { Kysely } from "kysely";
import type { Tx } from "../ports/database.ts";
import { dialectOf, queries } from "./queries.ts";
import type { Table } from "./table.ts";

type Key = Readonly<Record<string, string | number>>;
type Untyped = Kysely<Record<string, Record<string, string | number | null>>>;

interface Older {
  readonly column: string;
  readonly ended: string | null;
  readonly before: number;
  readonly limit: number;
}

/** Locks the rows, so that none gets a newer instant before it is deleted. */
async function keysBefore(tx: Tx, { name, options }: Table, { column, ended, before, limit }: Older): Promise<Key[]> {
  const select = queries<Record<string, Record<string, string | number | null>>>(tx)
    .selectFrom(name)
    .select([...options.primary])
    .where(column, "<", before)
    .$if(ended !== null, (query) => query.where(ended!, "is not", null))
    .orderBy(column)
    .limit(limit);
  return (await dialectOf(tx).lock(select).execute()) as Key[];
}

function deleteKeys(db: Untyped, { name, options: { primary } }: Table, keys: readonly Key[]) {
  const [only] = primary;
  if (primary.length === 1 && only !== undefined)
    return db.deleteFrom(name).where(
      only,
      "in",
      keys.map((key) => key[only] ?? null),
    );
  return db.deleteFrom(name).where((e) => e.or(keys.map((key) => e.and({ ...key }))));
}

/**
 * Deletes at most `limit` rows whose `column` is before an instant, the oldest first; returns how many. Where `ended` is
 * given, a row in which that column is null is still needed, and stays.
 */
export function pruneOlder<C extends Record<string, unknown>>(
  table: Table & { readonly columns: C },
  column: keyof C & string,
  ended: (keyof C & string) | null = null,
): (tx: Tx, before: number, limit: number) => Promise<number> {
  return async (tx, before, limit) => {
    const keys = await keysBefore(tx, table, { column, ended, before, limit });
    if (keys.length > 0) await deleteKeys(queries(tx), table, keys).execute();
    return keys.length;
  };
}
