import { guardErrors } from "./contract/guard.ts";
import { AppError } from "./errors.ts";

/** Where the next page of a keyset list begins: the sort key and the id of the last row shown. */
export interface Cursor {
  /** The order of the page; empty for lists with a single one. */
  readonly order: string;
  readonly key: string | number | null;
  readonly id: number;
}

export function writeCursor({ order, key, id }: Cursor): string {
  return Buffer.from(JSON.stringify([order, key, id])).toString("base64url");
}

const isKey = (key: unknown): key is Cursor["key"] =>
  key === null || Number.isSafeInteger(key) || (typeof key === "string" && key.isWellFormed());

/** Throws `system.invalidInput` if the text is not the `next` of a page, or of one in another order. */
export function readCursor(text: string, expected = ""): Cursor {
  const refuse = (problem: string) => new AppError(guardErrors.invalidInput, { params: { field: "query.cursor", problem } });
  const read = parse(text);
  if (!read) throw refuse("is not the `next` of a page");
  if (read.order !== expected) throw refuse("is the `next` of a page in another order");
  return read;
}

/** Null for what `writeCursor` did not write. */
function parse(text: string): Cursor | null {
  try {
    const [order, key, id] = JSON.parse(Buffer.from(text, "base64url").toString()) as [unknown, unknown, unknown];
    return typeof order === "string" && isKey(key) && Number.isSafeInteger(id) ? { order, key, id: id as number } : null;
  } catch {
    return null;
  }
}
