import { guardErrors } from "./contract/guard.ts";
import { AppError } from "./errors.ts";

/** Where the next page of a keyset list begins: the sort key and the id of the last row shown. */
export interface Cursor {
  readonly key: string;
  readonly id: number;
}

export function writeCursor({ key, id }: Cursor): string {
  return Buffer.from(JSON.stringify([key, id])).toString("base64url");
}

/** Throws `system.invalidInput` if the text is not the `next` of a page. */
export function readCursor(text: string): Cursor {
  try {
    const [key, id] = JSON.parse(Buffer.from(text, "base64url").toString()) as [unknown, unknown];
    if (typeof key === "string" && Number.isSafeInteger(id)) return { key, id: id as number };
  } catch {
    // An unreadable cursor gets the same answer as a wrong one.
  }
  throw new AppError(guardErrors.invalidInput, {
    params: { field: "query.cursor", problem: "is not the `next` of a page" },
  });
}
