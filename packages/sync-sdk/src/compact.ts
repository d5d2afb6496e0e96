import { idOf, identities, type BatchOperation } from "./operations.ts";
import type { NewRecord } from "./segment.ts";

const itemsPerRecord = 500;

interface Entry {
  readonly operation: BatchOperation;
  readonly source: string;
  readonly item: unknown;
}

/**
 * Keeps only the last thing said about each id, in the order in which it was said; items without an
 * id are kept, so that the server can reject them.
 */
export function compactRecords(records: readonly NewRecord[]): NewRecord[] {
  const last = new Map<string, Entry>();
  let nameless = 0;
  for (const { operation, source, items } of records) {
    for (const item of items) {
      const id = idOf(operation, item);
      const key = id === null ? `? ${nameless++}` : `${identities[operation].entity} ${id}`;
      last.delete(key);
      last.set(key, { operation, source, item });
    }
  }
  return regroup([...last.values()]);
}

function regroup(entries: readonly Entry[]): NewRecord[] {
  const records: { operation: BatchOperation; source: string; items: unknown[] }[] = [];
  for (const { operation, source, item } of entries) {
    const open = records[records.length - 1];
    if (open && open.operation === operation && open.source === source && open.items.length < itemsPerRecord)
      open.items.push(item);
    else records.push({ operation, source, items: [item] });
  }
  return records;
}
