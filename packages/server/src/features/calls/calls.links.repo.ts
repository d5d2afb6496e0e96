import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { CallsTables } from "./calls.schema.ts";

const db = (tx: Tx) => queries<CallsTables>(tx);

const pair = (one: number, other: number) => ({ a_id: Math.min(one, other), b_id: Math.max(one, other) });

/** The calls that this one is linked with. */
export async function linksOf(tx: Tx, id: number): Promise<number[]> {
  const rows = await db(tx)
    .selectFrom("calls_links")
    .select(["a_id", "b_id"])
    .where((e) => e.or([e("a_id", "=", id), e("b_id", "=", id)]))
    .execute();
  return rows.map(({ a_id: a, b_id: b }) => (a === id ? b : a)).toSorted((a, b) => a - b);
}

export async function insertLink(tx: Tx, one: number, other: number, at: number): Promise<void> {
  await dialectOf(tx)
    .ignoreConflicts(
      db(tx)
        .insertInto("calls_links")
        .values({ ...pair(one, other), at }),
    )
    .execute();
}

export async function removeLink(tx: Tx, one: number, other: number): Promise<void> {
  const { a_id: a, b_id: b } = pair(one, other);
  await db(tx).deleteFrom("calls_links").where("a_id", "=", a).where("b_id", "=", b).execute();
}
