import type { Insertable, Selectable } from "kysely";
import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { UpdatesTables } from "./updates.schema.ts";

export type CheckRow = Selectable<UpdatesTables["updates_checks"]>;

const id = 1;

/** The last check; locked when the unit of work can write. */
export async function find(tx: Tx): Promise<CheckRow | null> {
  const select = queries<UpdatesTables>(tx).selectFrom("updates_checks").selectAll().where("id", "=", id);
  return (await (tx.writable ? dialectOf(tx).lock(select) : select).executeTakeFirst()) ?? null;
}

export async function save(tx: Tx, known: boolean, row: Omit<Insertable<UpdatesTables["updates_checks"]>, "id">): Promise<void> {
  const q = queries<UpdatesTables>(tx);
  if (known) await q.updateTable("updates_checks").set(row).where("id", "=", id).execute();
  else
    await q
      .insertInto("updates_checks")
      .values({ ...row, id })
      .execute();
}
