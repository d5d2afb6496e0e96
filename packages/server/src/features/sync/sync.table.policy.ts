import { hash } from "node:crypto";
import type { TObject } from "typebox";
import type { SyncColumns, SyncedPart } from "./sync.table.api.ts";

/** Characters of the column `sync_hash`, and of an MD5 in base64. */
const hashLength = 32;
const digestLength = 22;

/** Whether an item names every field of its schema, so that the stored values are not needed to apply it. */
export function isComplete(schema: TObject, item: object): boolean {
  for (const field in schema.properties) if (!(field in item)) return false;
  return true;
}

/** A hash has one part for the columns, then one for each list, all of this length. */
function partLength(lists: number): number {
  return Math.min(digestLength, Math.floor(hashLength / (1 + lists)));
}

function listPart(hashOfRow: string, place: number, lists: number): string {
  const length = partLength(lists);
  return hashOfRow.slice((place + 1) * length, (place + 2) * length);
}

/** Of the lists, by name in the order of the declaration, those whose part differs; `before` is null for a new row. */
export function changedLists(names: readonly string[], before: string | null, after: string): Set<string> {
  const differs = (place: number) =>
    before === null || listPart(before, place, names.length) !== listPart(after, place, names.length);
  return new Set(names.filter((_name, place) => differs(place)));
}

/** What differs from a stored row; null when that is not known. */
export function partsChanged<C extends SyncColumns, L>(
  before: { readonly columns: C | null; readonly deleted_at: number | null } | null,
  columns: C,
  lists: ReadonlySet<string>,
): SyncedPart<C, L>[] | null {
  const stored = before?.columns;
  if (before === null || stored == null) return null;
  const differing = Object.keys(columns).filter((name) => columns[name] !== stored[name]);
  // Names of declared columns and lists.
  return [...differing, ...lists, ...(before.deleted_at === null ? [] : ["deleted_at"])] as SyncedPart<C, L>[];
}

export interface HashedRow {
  readonly storedAs: number;
  readonly columns: SyncColumns;
  /** In the order of the declaration; undefined when the item left the list out. */
  readonly lists: readonly (readonly SyncColumns[] | undefined)[];
  /** The stored hash, null for a row that is not stored yet. */
  readonly before: string | null;
}

export const digestOf = (text: string) => hash("md5", text, "base64url");

/** Equal for equal columns and lists. The part of a list that was left out is the stored one. `listDigest` may cache `digestOf`. */
export function rowHash(
  { storedAs, columns, lists, before }: HashedRow,
  listDigest: (text: string) => string = digestOf,
): string {
  const length = partLength(lists.length);
  const parts = lists.map((list, place) =>
    list === undefined && before !== null
      ? listPart(before, place, lists.length)
      : listDigest(JSON.stringify([storedAs, list ?? []])).slice(0, length),
  );
  return digestOf(JSON.stringify([storedAs, Object.values(columns)])).slice(0, length) + parts.join("");
}

export function searchHash(texts: unknown): string {
  return hash("md5", JSON.stringify(texts));
}

/** Bytes of JSON in one event: far below the limit of the outbox, and small enough for a live connection. */
const eventBytes = 160_000;

/** Changes in their order, each chunk as large as one event may be: one citizen may have fifty licences. */
export function eventChunks<T>(changes: readonly T[]): T[][] {
  const chunks: T[][] = [];
  let bytes = Infinity;
  for (const change of changes) {
    const size = Buffer.byteLength(JSON.stringify(change)) + 1;
    if (bytes + size > eventBytes) {
      chunks.push([]);
      bytes = 0;
    }
    bytes += size;
    chunks.at(-1)!.push(change);
  }
  return chunks;
}
