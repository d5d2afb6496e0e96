import type { Position } from "@rollcall/server/contract/core";

/** The value of the header `x-rollcall-position`; null for anything else. */
export function parsePosition(text: string | null): Position | null {
  const match = /^(\d+) (\S+)$/.exec(text ?? "");
  return match ? { seq: Number(match[1]), epoch: match[2]! } : null;
}

/** Whether what was read at one position holds all changes up to another. */
export function reaches(read: Position | null | undefined, { epoch, seq }: Position): boolean {
  return read?.epoch === epoch && read.seq >= seq;
}
