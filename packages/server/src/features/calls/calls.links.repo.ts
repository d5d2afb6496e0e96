import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { CallsTables } from "./calls.schema.ts";

const db = (tx: Tx) => queries<CallsTables>(tx);

const pair = (one: number, other: number) => ({ a_id: Math.min(one, other), b_id: Math.max(one, other) });

/** A call that another one is linked with. */
export interface LinkRow {
  readonly other: number;
  /** The one of both that alone says and counts it, because who linked them dispatches no other; null for both. */
  readonly onlyId: number | null;
}

/** Links of this call: those that it says itself come first, then the newest. */
export async function linksOf(tx: Tx, id: number): Promise<LinkRow[]> {
  const rows = await db(tx)
    .selectFrom("calls_links")
    .selectAll()
    .where((e) => e.or([e("a_id", "=", id), e("b_id", "=", id)]))
    .execute();
  return rows
    .map(({ a_id: a, b_id: b, at, only_id: onlyId }) => ({ other: a === id ? b : a, onlyId, at }))
    .toSorted((a, b) => Number(isSaidBy(b, id)) - Number(isSaidBy(a, id)) || b.at - a.at || a.other - b.other);
}

/** The call has it in its timeline, and it counts there. */
export const isSaidBy = ({ onlyId }: Pick<LinkRow, "onlyId">, id: number): boolean => onlyId === null || onlyId === id;

/** `onlyId`: as in `LinkRow`. */
export async function putLink(
  tx: Tx,
  one: number,
  other: number,
  { onlyId, at }: { readonly onlyId: number | null; readonly at: number },
): Promise<void> {
  await removeLink(tx, one, other);
  await db(tx)
    .insertInto("calls_links")
    .values({ ...pair(one, other), at, only_id: onlyId })
    .execute();
}

export async function removeLink(tx: Tx, one: number, other: number): Promise<void> {
  const { a_id: a, b_id: b } = pair(one, other);
  await db(tx).deleteFrom("calls_links").where("a_id", "=", a).where("b_id", "=", b).execute();
}
