import { idOf, identities, type BatchOperation } from "./operations.ts";
import type { NewRecord } from "./segment.ts";

const itemsPerRecord = 500;

interface Entry {
  readonly operation: BatchOperation;
  readonly source: string;
  readonly boot: string | undefined;
  readonly item: unknown;
}

const deletes = ({ operation }: Entry): boolean => identities[operation].field === null;

/** Whether the later item sends every field of the earlier one, so that nothing of the earlier one is left. */
function covers(later: unknown, earlier: unknown): boolean {
  if (typeof later !== "object" || later === null || typeof earlier !== "object" || earlier === null) return false;
  return Object.keys(earlier).every((field) => field in later);
}

/**
 * Drops what later items of the same id make superfluous: earlier deletions, and earlier items all of
 * whose fields are sent again. Everything else stays, in order: the server keeps fields that an item
 * leaves out, also over a deletion, and rejects items one by one. Items without an id are kept, so that
 * the server can reject them.
 */
export function compactRecords(records: readonly NewRecord[]): NewRecord[] {
  const kept = new Set<Entry>();
  const byId = new Map<string, Entry[]>();
  for (const { operation, source, boot, items } of records) {
    for (const item of items) {
      const entry: Entry = { operation, source, boot, item };
      const id = idOf(operation, item);
      kept.add(entry);
      if (id === null) continue;
      const key = `${identities[operation].entity} ${id}`;
      const isSuperfluous = (earlier: Entry) => deletes(earlier) || (!deletes(entry) && covers(item, earlier.item));
      const earlier = byId.get(key) ?? [];
      earlier.filter(isSuperfluous).forEach((one) => kept.delete(one));
      byId.set(key, [...earlier.filter((one) => !isSuperfluous(one)), entry]);
    }
  }
  return regroup([...kept]);
}

function regroup(entries: readonly Entry[]): NewRecord[] {
  const records: (Omit<NewRecord, "items"> & { items: unknown[] })[] = [];
  for (const { operation, source, boot, item } of entries) {
    const open = records[records.length - 1];
    const isSame = open?.operation === operation && open.source === source && open.boot === boot;
    if (isSame && open.items.length < itemsPerRecord) open.items.push(item);
    else records.push({ operation, source, ...(boot !== undefined && { boot }), items: [item] });
  }
  return records;
}
