import type { Database, Log, SealedColumn, Vault } from "#core/ports/index.ts";
import { countUnreadable } from "#infra/rotate.ts";

/** Warns the operator at the start about stored secrets that the configured `secret` cannot decrypt. */
export async function logUnreadable(
  db: Pick<Database, "read">,
  columns: readonly SealedColumn[],
  { keyId }: Pick<Vault, "keyId">,
  log: Log,
): Promise<void> {
  const why = keyId === null ? "secret is not set" : "they were stored under another secret";
  for (const column of columns) {
    const count = await countUnreadable(db, column, keyId);
    if (count === 0) continue;
    log.warn(
      { count, table: column.table, column: column.column },
      `${count} ${column.what} cannot be read, because ${why}: set secret back to its earlier value, or run rollcall secret rotate --old-file FILE`,
    );
  }
}
