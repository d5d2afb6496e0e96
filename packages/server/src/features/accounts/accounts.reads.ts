import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { AccountTables } from "./accounts.schema.ts";

/** Live accounts that chose one of these characters last. */
export async function accountsPlaying(
  tx: Tx,
  characterIds: readonly number[],
): Promise<{ accountId: number; characterId: number }[]> {
  if (characterIds.length === 0) return [];
  const rows = await queries<AccountTables>(tx)
    .selectFrom("accounts")
    .select(["id", "last_character_id"])
    .where("last_character_id", "in", characterIds)
    .where("deleted_at", "is", null)
    .execute();
  return rows.map((row) => ({ accountId: row.id, characterId: row.last_character_id ?? 0 }));
}
