import { type BulkOutcome, oneByOne } from "#ui/listBulk.ts";
import type { Call } from "./calls.queries.ts";
import { olderOf } from "./merge.ts";

type Row = Pick<Call, "id" | "createdAt">;

interface Links {
  linkedWith(id: number): Promise<ReadonlySet<number>>;
  /** Links the two, or removes the link. */
  change(id: number, otherId: number): Promise<unknown>;
}

/** Does it to each of these calls and the oldest of them. `skipped` were linked with it before: taking it back leaves them as they were. */
export async function withOldest<T extends Row>(
  rows: readonly T[],
  links: Links,
  skips: boolean,
  progress: (handled: number) => void,
): Promise<BulkOutcome<T> & { readonly skipped: number }> {
  const first = rows.reduce(olderOf);
  let linked: ReadonlySet<number> = new Set();
  try {
    if (skips) linked = await links.linkedWith(first.id);
  } catch (error) {
    return { done: [], refused: [{ row: first, error }], skipped: 0 };
  }
  const others = rows.filter(({ id }) => id !== first.id && !linked.has(id));
  const { done, refused } = await oneByOne(others, async ({ id }) => await links.change(first.id, id), progress);
  return { done: done.length === 0 ? [] : [first, ...done], refused, skipped: rows.length - 1 - others.length };
}
