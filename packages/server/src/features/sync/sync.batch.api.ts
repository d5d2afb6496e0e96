import type { TSchema } from "typebox";
import type { Tx } from "#core/ports/index.ts";
import type { SyncKindName } from "./sync.contract.ts";

/** A valid item under its id. */
export interface BatchItem<Item> {
  readonly id: string;
  readonly item: Item;
  /** Position of the last item with this id. */
  readonly index: number;
}

/** Why an item is rejected that has the right shape. */
export interface ItemProblem {
  readonly field: string;
  readonly problem: string;
}

/** `More` are fields of the answer beside those of every batch. */
export interface Batch<Item, More extends object = object> {
  readonly kind: SyncKindName;
  /** The operation's id, for the audit log. */
  readonly action: string;
  /** Schema of one item. */
  readonly schema: TSchema;
  readonly items: readonly unknown[];
  readonly source: string;
  idOf(item: Item): string;
  /** Items of one id are repetitions, of which only the first counts; otherwise the last one wins field by field. */
  readonly firstWins?: boolean;
  /** What is wrong with an item beyond its shape; left out where nothing is. */
  problemOf?(item: Item): ItemProblem | null;
  /** What is wrong with items beside what is stored, by id. Asked before `apply`, in its unit of work. */
  problemsIn?(tx: Tx, items: readonly BatchItem<Item>[]): Promise<ReadonlyMap<string, ItemProblem>>;
  /** Whether `apply` would write anything, without locks; left out where this check costs as much as applying. */
  differs?(tx: Tx, items: readonly BatchItem<Item>[]): Promise<boolean>;
  /** Writes the valid items; returns how many changed something. Runs again when the database asks for it. */
  apply(tx: Tx, items: readonly BatchItem<Item>[]): Promise<number>;
  /** Asked once the items are applied, or none is valid. */
  more?(): More;
}
