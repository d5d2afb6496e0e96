import { describeProblem } from "#core/schema-problem.ts";
import { unstorable } from "#core/storable.ts";
import { validatorOf } from "#core/validator.ts";
import type { Batch, BatchItem, ItemProblem } from "./sync.batch.api.ts";
import { syncErrors, type BatchResult } from "./sync.contract.ts";

type Rejected = BatchResult["rejected"][number];

export function rejectedAs(index: number, id: string | null, { field, problem }: ItemProblem): Rejected {
  return { index, id, code: syncErrors.itemInvalid.code, message: `${field || "item"} ${problem}` };
}

function guessId(idOf: (item: never) => string, item: unknown): string | null {
  try {
    const id: unknown = idOf(item as never);
    return typeof id === "string" ? id.slice(0, 64) : null;
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** The fields of the later item, and those of the earlier one that it leaves out. */
function mergeItems<Item>(earlier: Item, later: Item): Item {
  return isRecord(earlier) && isRecord(later) ? { ...earlier, ...later } : later;
}

type Sortable<Item> = Pick<Batch<Item>, "schema" | "items" | "idOf" | "problemOf" | "firstWins">;

export interface SortedItems<Item> {
  /** One item per id. */
  readonly valid: readonly BatchItem<Item>[];
  /** How many valid items were merged into another item of their id. */
  readonly merged: number;
  readonly rejected: Rejected[];
}

/** Sorts a batch into valid and rejected items. Of an id that is repeated, the last item wins field by field, or the first one as a whole. */
export function sortItems<Item>({ schema, items, idOf, problemOf, firstWins = false }: Sortable<Item>): SortedItems<Item> {
  const validator = validatorOf(schema);
  const valid = new Map<string, BatchItem<Item>>();
  const rejected: Rejected[] = [];
  const reject = (index: number, problem: ItemProblem) =>
    void rejected.push(rejectedAs(index, guessId(idOf, items[index]), problem));
  items.forEach((one, index) => {
    if (!validator.Check(one)) return reject(index, describeProblem(validator.Errors(one), schema));
    const item = one as Item;
    const problem = unstorable(one) ?? problemOf?.(item) ?? null;
    if (problem !== null) return reject(index, problem);
    const id = idOf(item);
    const earlier = valid.get(id);
    if (earlier !== undefined && firstWins) return;
    valid.set(id, { id, index, item: earlier === undefined ? item : mergeItems(earlier.item, item) });
  });
  return { valid: [...valid.values()], merged: items.length - rejected.length - valid.size, rejected };
}
