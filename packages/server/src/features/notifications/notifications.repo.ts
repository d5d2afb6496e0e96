import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { NotificationTables } from "./notifications.schema.ts";

export interface NewRow {
  readonly account_id: number;
  readonly character_id: number | null;
  readonly kind: string;
  readonly params: string;
  readonly link: string | null;
  readonly at: number;
}

/** Returns the new id. */
export async function insert(tx: Tx, row: NewRow): Promise<number> {
  const { insertId } = await queries<NotificationTables>(tx).insertInto("notifications").values(row).executeTakeFirstOrThrow();
  return Number(insertId);
}
