import type { Icon } from "#core/pages.ts";
import type { Question } from "./confirm.tsx";

/** What became of an action on several rows. */
export interface BulkOutcome<Row> {
  readonly done: readonly Row[];
  /** Why nothing could be done, where it is not the refusal of a row. */
  readonly why?: string;
  readonly refused: readonly { readonly row: Row; readonly error: unknown }[];
}

/** Something that a list does with several rows at once. */
export interface BulkAction<Row> {
  readonly id: string;
  readonly label: string;
  readonly icon: Icon;
  /** False for an action that leaves the rows as they are: the selection stays. */
  readonly changes?: boolean;
  /** The rows that it changes; others of the selection stay as they are. All where it is left out. */
  concerns?(row: Row): boolean;
  /** Calls `progress` with the number of rows that were handled. */
  run(rows: readonly Row[], progress: (handled: number) => void): Promise<BulkOutcome<Row>>;
  /** Its own dialog sends the changes, and shows that they are under way. */
  readonly asks?: boolean;
  /** What happened, as a sentence or two; `same` rows were as wanted before. */
  said(count: number, same: number): string;
  /** The way back, offered for some seconds. */
  undo?(rows: readonly Row[], progress: (handled: number) => void): Promise<BulkOutcome<Row>>;
  /** Asked first, where there is no way back. */
  question?(count: number): Question;
}

/** Calls once for each row, one after the other: a refusal of one does not stop the others. */
export async function oneByOne<Row>(
  rows: readonly Row[],
  call: (row: Row) => Promise<unknown>,
  progress: (handled: number) => void,
): Promise<BulkOutcome<Row>> {
  const done: Row[] = [];
  const refused: { row: Row; error: unknown }[] = [];
  for (const row of rows) {
    try {
      await call(row);
      done.push(row);
    } catch (error) {
      refused.push({ row, error });
    }
    progress(done.length + refused.length);
  }
  return { done, refused };
}

/** Calls with up to `most` rows at once. */
export async function together<Row>(
  rows: readonly Row[],
  most: number,
  call: (rows: readonly Row[]) => Promise<unknown>,
  progress: (handled: number) => void,
): Promise<BulkOutcome<Row>> {
  const parts = Array.from({ length: Math.ceil(rows.length / most) }, (_, index) => rows.slice(index * most, (index + 1) * most));
  const outcomes = await oneByOne(parts, call, (handled) => progress(Math.min(handled * most, rows.length)));
  return {
    done: outcomes.done.flat(),
    refused: outcomes.refused.flatMap(({ row: part, error }) => part.map((row) => ({ row, error }))),
  };
}

/** Names that a message holds; the others are counted. */
const NAMED = 5;

/** Refused rows by their reason, each reason with the first names and the number of the others. */
export function refusalsByReason<Row>(
  refused: BulkOutcome<Row>["refused"],
  nameOf: (row: Row) => string,
  reasonOf: (error: unknown) => string,
): { readonly reason: string; readonly names: readonly string[]; readonly others: number }[] {
  const byReason = new Map<string, BulkOutcome<Row>["refused"][number][]>();
  for (const one of refused) {
    const reason = reasonOf(one.error);
    const same = byReason.get(reason);
    if (same) same.push(one);
    else byReason.set(reason, [one]);
  }
  return [...byReason].map(([reason, all]) => ({
    reason,
    names: all.slice(0, NAMED).map(({ row }) => nameOf(row)),
    others: Math.max(0, all.length - NAMED),
  }));
}
